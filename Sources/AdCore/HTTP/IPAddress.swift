/// An IP address, and whether it is public.
///
/// It decides for IP addresses in URLs and for those that a host name resolves to.
package struct IPAddress: Hashable, Sendable {
    /// Four bytes (IPv4) or sixteen (IPv6).
    private let bytes: [UInt8]

    /// Creates an address from four bytes (IPv4) or sixteen (IPv6) in network order; nil for any other count.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses an address, IPv6 with or without brackets.
    ///
    /// Forms that systems interpret differently (`127.1`, `010.0.0.1`, an address with a zone) are invalid.
    package init?(text: String) {
        let inner = text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
        let bytes =
            inner.contains(":") ? IPAddress.ipv6(inner) : inner.count == text.count ? IPAddress.ipv4(inner) : nil
        guard let bytes else { return nil }
        self.bytes = bytes
    }

    /// Whether the address is this computer's own: 127.0.0.0/8, also mapped to IPv6 (RFC 4291 §2.5.5.2), or ::1.
    package var isLoopback: Bool {
        if self.bytes.count == 4 { return self.bytes[0] == 127 }
        let (start, end) = (self.bytes.prefix(10), self.bytes.suffix(6))
        guard start.allSatisfy({ $0 == 0 }) else { return false }
        return end.elementsEqual([0, 0, 0, 0, 0, 1]) || end.starts(with: [0xFF, 0xFF, 127])
    }

    /// Whether the address is globally reachable.
    ///
    /// Loopback, private and link-local addresses are not, nor are the other special-purpose addresses of the IANA
    /// registries (RFC 6890).
    package var isPublic: Bool {
        if self.bytes.count == 4 { return IPAddress.isPublic(self.bytes[...]) }
        let b = self.bytes
        // Addresses that contain an IPv4 address: mapped (RFC 4291 §2.5.5.2), NAT64 (RFC 6052), 6to4 (RFC 3056).
        if b.prefix(10).allSatisfy({ $0 == 0 }), b[10] == 0xFF, b[11] == 0xFF { return IPAddress.isPublic(b[12...]) }
        if b.prefix(4) == [0, 0x64, 0xFF, 0x9B], b[4..<12].allSatisfy({ $0 == 0 }) {
            return IPAddress.isPublic(b[12...])
        }
        if b[0] == 0x20, b[1] == 0x02 { return IPAddress.isPublic(b[2..<6]) }
        // Only 2000::/3 is global unicast (RFC 4291 §2.4 and the IANA registry).
        guard b[0] & 0xE0 == 0x20 else { return false }
        switch (b[0], b[1], b[2], b[3]) {
        // IETF protocol assignments such as Teredo; then documentation (RFC 3849, RFC 9637).
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8), (0x3F, 0xFF, 0...0x0F, _): return false
        default: return true
        }
    }

    private static func isPublic(_ four: ArraySlice<UInt8>) -> Bool {
        let b = Array(four)
        switch (b[0], b[1], b[2]) {
        // This host and loopback, private networks (RFC 1918), shared addresses of carriers (RFC 6598), link-local.
        case (0, _, _), (127, _, _), (10, _, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _), (169, 254, _):
            return false
        // Protocol assignments, documentation (RFC 5737), 6to4 relays, benchmarking; then multicast and reserved.
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113), (198, 18...19, _), (224..., _, _):
            return false
        default: return true
        }
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { String($0) == part ? $0 : nil } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: Substring) -> [UInt8]? {
        // `::` stands for a run of zero groups.
        guard let gap = text.indices.first(where: { text[$0...].hasPrefix("::") }) else {
            return self.groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = self.groups(text[..<gap], mayEndInIPv4: false),
            let tail = self.groups(text[gap...].dropFirst(2)),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Groups of up to four digits; the end of an address may be in IPv4 form.
    private static func groups(_ text: Substring, mayEndInIPv4: Bool = true) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (place, part) in parts.enumerated() {
            if mayEndInIPv4, place == parts.count - 1, part.contains("."), let four = self.ipv4(part) {
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

extension IPAddress: CustomStringConvertible {
    /// The address as text: `10.0.0.5` or `fd00::1` (RFC 5952).
    package var description: String {
        if self.bytes.count == 4 { return self.bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(self.bytes[$0]) << 8 | UInt16(self.bytes[$0 + 1]) }
        func written(_ part: some Collection<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        // The longest run of zeros is shortened to `::`, of several the first (RFC 5952 §4.2.3).
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
