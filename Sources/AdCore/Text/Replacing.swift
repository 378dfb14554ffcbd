extension String {
    /// The text with every occurrence of a text replaced, compared byte by byte and not by grapheme clusters.
    package func replacing(_ wanted: String, by replacement: String) -> String {
        String(decoding: Array(self.utf8).replacing(Array(wanted.utf8), by: Array(replacement.utf8)), as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes with every occurrence of a sequence replaced.
    package func replacing(_ wanted: [UInt8], by replacement: [UInt8]) -> [UInt8] {
        guard let first = wanted.first else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(self.count)
        var rest = self[...]
        while let found = rest.firstIndex(of: first) {
            result += rest[..<found]
            if rest[found...].starts(with: wanted) {
                result += replacement
                rest = rest[(found + wanted.count)...]
            } else {
                result.append(first)
                rest = rest[(found + 1)...]
            }
        }
        return result + rest
    }
}
