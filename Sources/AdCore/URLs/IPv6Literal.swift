/// IPv6 addresses in the brackets of a URL (RFC 4291 §2.2, RFC 3986 §3.2.2).
enum IPv6Literal {
    private static let groups = 8

    /// Whether the bytes are an address: eight groups, optionally with `::` and with an IPv4 address at the end.
    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        // With `::` there is a part on each side, which may be empty.
        guard let gap = self.gap(in: bytes) else { return self.count(bytes, mayEndInIPv4: true) == self.groups }
        let (before, after) = (bytes[..<gap], bytes[(gap + 2)...])
        guard let left = before.isEmpty ? 0 : self.count(before, mayEndInIPv4: false),
            let right = after.isEmpty ? 0 : self.count(after, mayEndInIPv4: true)
        else { return false }
        return left + right < self.groups
    }

    private static func gap(in bytes: ArraySlice<UInt8>) -> Int? {
        zip(bytes.indices, zip(bytes, bytes.dropFirst())).first { $0.1 == (UInt8(ascii: ":"), UInt8(ascii: ":")) }?.0
    }

    /// The number of groups in a part; nil if it is invalid.
    private static func count(_ bytes: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> Int? {
        var parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = 0
        if mayEndInIPv4, let last = parts.last, last.contains(UInt8(ascii: ".")) {
            guard self.isIPv4(last) else { return nil }
            parts.removeLast()
            count = 2
        }
        guard parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        return count + parts.count
    }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard (1...3).contains(part.count), part.allSatisfy(\.isDigit) else { return false }
                let hasLeadingZero = part.count > 1 && part.first == UInt8(ascii: "0")
                return !hasLeadingZero && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
            }
    }
}
