/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Escapes bytes that are invalid in a URL, and keeps every valid `%XX` and every reserved character.
    ///
    /// Tabs and line breaks are removed, as in the URL Standard of the WHATWG; they come from wrapped templates.
    package static func repaired(_ bytes: some Collection<UInt8>) -> String {
        // Most URLs need no repair.
        if bytes.allSatisfy({ self.isLegal($0) }) { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            let next = bytes.index(after: index)
            switch byte {
            case UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                break
            case UInt8(ascii: "%"):
                let digits = bytes[next...].prefix(2)
                if digits.count == 2, digits.allSatisfy(\.isHexDigit) {
                    result.append(byte)
                } else {
                    self.escape(byte, into: &result)
                }
            default:
                if self.isLegal(byte) { result.append(byte) } else { self.escape(byte, into: &result) }
            }
            index = next
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a byte is valid in a URL; a percent sign is checked separately.
    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23, 0x24, 0x26...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }

    /// Escapes the brackets of a URL outside of its host, where RFC 3986 (§3.2.2) allows none.
    ///
    /// Ad servers send them in queries, and browsers keep them. Foundation's `URL` is stricter: for one such bracket it
    /// escapes the whole component, so that `%20` becomes `%2520`.
    package static func withoutBrackets(_ url: String) -> String {
        let isBracket = { (byte: UInt8) in byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
        guard url.utf8.contains(where: isBracket) else { return url }
        let bytes = Array(url.utf8)
        var result: [UInt8] = []
        var rest = bytes[...]
        if let slashes = url.firstRange(of: "://") {
            let end = bytes[url.utf8.distance(from: url.startIndex, to: slashes.upperBound)...]
                .firstIndex { "/?#".utf8.contains($0) }
            result += bytes[..<(end ?? bytes.endIndex)]
            rest = bytes[(end ?? bytes.endIndex)...]
        }
        for byte in rest {
            if isBracket(byte) { self.escape(byte, into: &result) } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Escapes everything except the visible ASCII characters.
    package static func visible(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte) { result.append(byte) } else { self.escape(byte, into: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Escapes everything except the unreserved characters (RFC 3986 §2.3), for a value in a query.
    package static func component(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isDigit || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                self.escape(byte, into: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes a component; an invalid escape is not changed.
    package static func decoded(_ text: some StringProtocol) -> String {
        String(decoding: self.decoded(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// Decodes the bytes of a component; an invalid escape is not changed.
    static func decoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.contains(UInt8(ascii: "%")) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var at = text.startIndex
        while at < text.endIndex {
            if text[at] == UInt8(ascii: "%"), at + 2 < text.endIndex, text[at + 1].isHexDigit, text[at + 2].isHexDigit {
                result.append(self.digit(text[at + 1]) << 4 | self.digit(text[at + 2]))
                at += 3
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result[...]
    }

    /// The value of a hexadecimal digit.
    private static func digit(_ byte: UInt8) -> UInt8 { byte.isDigit ? byte & 15 : (byte & 15) + 9 }

    private static func escape(_ byte: UInt8, into result: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
    }
}
