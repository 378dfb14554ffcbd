/// A numeric address of whoever is on the other side of a connection, and whether it belongs to the world or lies near.
///
/// The one place that decides it: for names that are numbers, and for what names lead to.
package struct PeerAddress: Hashable, Sendable {
    /// Four bytes, or sixteen.
    private let bytes: [UInt8]

    /// An address of four bytes (IPv4) or sixteen (IPv6), the first one first; nil for any other count.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// An address as everybody writes it, IPv6 with or without its brackets.
    ///
    /// What systems read in more ways than one (`127.1`, `010.0.0.1`, an address with a zone) is none.
    package init?(text: String) {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        let bytes =
            inner.contains(":") ? PeerAddress.long(inner) : inner.count == text.count ? PeerAddress.short(inner) : nil
        guard let bytes else { return nil }
        self.bytes = bytes
    }

    /// Whether the whole world means the same by it.
    ///
    /// This machine and its network are not public, and neither is what is set apart for special use, as the
    /// registries of special addresses of IANA have it (RFC 6890).
    package var isPublic: Bool {
        if self.bytes.count == 4 { return PeerAddress.isPublic(self.bytes[...]) }
        let b = self.bytes
        // An address of IPv4 in other clothes: mapped, behind NAT64 (networks without IPv4 reach all of it so), in 6to4.
        if b.prefix(10).allSatisfy({ $0 == 0 }), b[10] == 0xFF, b[11] == 0xFF { return PeerAddress.isPublic(b[12...]) }
        if b.prefix(4) == [0, 0x64, 0xFF, 0x9B], b[4..<12].allSatisfy({ $0 == 0 }) {
            return PeerAddress.isPublic(b[12...])
        }
        if b[0] == 0x20, b[1] == 0x02 { return PeerAddress.isPublic(b[2..<6]) }
        // Only what begins with these three bits was given out to the world so far.
        guard b[0] & 0xE0 == 0x20 else { return false }
        switch (b[0], b[1], b[2], b[3]) {
        // Tunnels, measurements and other agreements; then examples in documents.
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8), (0x3F, 0xFF, 0...0x0F, _): return false
        default: return true
        }
    }

    private static func isPublic(_ four: ArraySlice<UInt8>) -> Bool {
        let b = Array(four)
        switch (b[0], b[1], b[2]) {
        // This machine, private networks, what a provider keeps for itself (CGNAT), what a link gives by itself.
        case (0, _, _), (127, _, _), (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _), (169, 254, _):
            return false
        // Agreements, examples in documents, measurements; then groups and what is reserved.
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113), (198, 18...19, _), (224..., _, _):
            return false
        default: return true
        }
    }

    private static func short(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func long(_ text: Substring) -> [UInt8]? {
        // Where zeros are left out, an empty part stands between two colons.
        guard let gap = text.indices.first(where: { text[$0...].hasPrefix("::") }) else {
            return self.groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = self.groups(text[..<gap], mayEndShort: false),
            let tail = self.groups(text[gap...].dropFirst(2)),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Groups of up to four digits; at the end of an address there may be one of IPv4.
    private static func groups(_ text: Substring, mayEndShort: Bool = true) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (place, part) in parts.enumerated() {
            if mayEndShort, place == parts.count - 1, part.contains("."), let four = self.short(part) {
                bytes += four
                continue
            }
            guard (1...4).contains(part.utf8.count), !part.hasPrefix("+"), let group = UInt16(part, radix: 16) else {
                return nil
            }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

extension PeerAddress: CustomStringConvertible {
    /// As everybody writes it: `10.0.0.5`, `fd00::1` (RFC 5952).
    package var description: String {
        if self.bytes.count == 4 { return self.bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(self.bytes[$0]) << 8 | UInt16(self.bytes[$0 + 1]) }
        func written(_ part: some Collection<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        // The longest run of zeros is left out, the first of several.
        var best = 0..<0
        var start = 0
        for place in 0...8 where place == 8 || groups[place] != 0 {
            if place - start > max(1, best.count) { best = start..<place }
            start = place + 1
        }
        return best.isEmpty
            ? written(groups) : written(groups[..<best.lowerBound]) + "::" + written(groups[best.upperBound...])
    }
}
