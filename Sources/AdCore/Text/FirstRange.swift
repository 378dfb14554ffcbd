extension StringProtocol {
    /// The first occurrence of a text, compared byte by byte and not by grapheme clusters.
    @inlinable package func firstRange(of wanted: String) -> Range<Index>? {
        var wanted = wanted
        let offset = wanted.withUTF8 { wanted in
            self.utf8.withContiguousStorageIfAvailable { $0.firstOffset(of: wanted) }
                ?? Array(self.utf8).withUnsafeBufferPointer { $0.firstOffset(of: wanted) }
        }
        guard let offset else { return nil }
        let start = self.utf8.index(self.startIndex, offsetBy: offset)
        return start..<self.utf8.index(start, offsetBy: wanted.utf8.count)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first occurrence of other bytes; 0 for none.
    @usableFromInline func firstOffset(of wanted: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = wanted.first else { return 0 }
        var at = 0
        while self.count - at >= wanted.count {
            if self[at] == first, self[at...].starts(with: wanted) { return at }
            at += 1
        }
        return nil
    }
}
