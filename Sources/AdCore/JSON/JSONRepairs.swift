/// The repairs in a JSON text, up to a limit.
struct JSONRepairs {
    enum Repair {
        case duplicate(String)
        case loneSurrogate
        case comma
    }

    /// The limit of listed repairs; one further issue has the number of the others.
    private static let maximumListed = 20

    private var listed: [(repair: Repair, at: Int)] = []
    private var others = 0

    mutating func append(_ repair: Repair, at offset: Int) {
        if self.listed.count < JSONRepairs.maximumListed {
            self.listed.append((repair, offset))
        } else {
            self.others += 1
        }
    }

    /// The repairs as issues, in document order.
    func issues(in bytes: UnsafeBufferPointer<UInt8>) -> [AdIssue] {
        var issues: [AdIssue] = []
        if let start = JSONRepairs.firstInvalidByte(in: bytes) {
            let text = "it is not valid UTF-8 from here on; invalid bytes were replaced by U+FFFD"
            issues.append(AdIssue("json.utf8", at: .line(JSONRepairs.line(of: start, in: bytes)), text))
        }
        var line = 1
        var reached = 0
        for (repair, offset) in self.listed.sorted(by: { $0.at < $1.at }) {
            for byte in bytes[reached..<max(reached, offset)] where byte == 0x0A { line += 1 }
            reached = max(reached, offset)
            issues.append(JSONRepairs.issue(repair, line))
        }
        if self.others > 0 {
            issues.append(AdIssue("json.repairs.more", at: .whole, "\(self.others) more repairs are not listed"))
        }
        return issues
    }

    private static func issue(_ repair: Repair, _ line: Int) -> AdIssue {
        switch repair {
        case .duplicate(let name):
            let text = "the member \u{201C}\(name.excerpt())\u{201D} is given twice in one object; the last one counts"
            return AdIssue("json.duplicate", at: .line(line), text)
        case .loneSurrogate:
            return AdIssue("json.surrogate", at: .line(line), "a lone surrogate was replaced by U+FFFD")
        case .comma:
            let text = "there is a comma after the last member or element, which JSON does not allow; it was ignored"
            return AdIssue("json.comma", at: .line(line), text)
        }
    }

    private static func line(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        bytes[..<offset].reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
    }

    /// The offset of the first byte that decoding replaces; nil if the bytes are valid UTF-8.
    private static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        // Nearly all responses are ASCII; without a branch this loop can be vectorized.
        var highest: UInt8 = 0
        for byte in bytes { highest |= byte }
        guard highest >= 0x80 else { return nil }
        var text = String(decoding: bytes, as: UTF8.self)
        return text.withUTF8 { decoded in
            let common = min(decoded.count, bytes.count)
            for index in 0..<common where decoded[index] != bytes[index] { return index }
            return decoded.count == bytes.count ? nil : common
        }
    }
}

/// The names of an object's members, to find repeated ones.
struct JSONNames {
    /// Up to this number, comparing with each name costs less than hashing.
    private static let few = 16

    private var many: Set<String> = []
    /// One bit for each name; a name whose bit is not set is new.
    private var seen: UInt64 = 0

    /// Adds the name that follows these members; returns false if one of them has the same name.
    ///
    /// `bytes` is the name in the document with its quotation marks.
    mutating func insert(
        _ name: String,
        from bytes: Slice<UnsafeBufferPointer<UInt8>>,
        after members: [AdJSON.Member]
    ) -> Bool {
        if members.count >= JSONNames.few {
            if self.many.isEmpty { self.many = Set(members.map(\.name)) }
            return self.many.insert(name).inserted
        }
        // A name with an escape may be written in several ways.
        let isPlain = name.utf8.count == bytes.count - 2
        let bit = isPlain ? JSONNames.bit(of: bytes) : .max
        defer { self.seen |= bit }
        return self.seen & bit == 0 || !members.contains { $0.name == name }
    }

    private static func bit(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        let first = UInt64(bytes[bytes.startIndex + 1])
        let last = UInt64(bytes[bytes.endIndex - 2])
        return 1 << ((first &* 5 &+ last &* 11 &+ UInt64(bytes.count)) & 63)
    }
}
