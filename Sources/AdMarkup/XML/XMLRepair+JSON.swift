import AdCore
import LibC

/// Repairs documents inside a JSON string, whose quotation marks are escaped (RFC 8259 §7).
extension XMLRepair {
    /// The text of a JSON string that contains markup; nil for any other bytes.
    ///
    /// A space replaces the opening quotation mark, and lines are kept.
    package static func jsonString(
        _ bytes: UnsafeBufferPointer<UInt8>,
        onRemoval: (_ offset: Int, _ lost: Int) -> Void = { _, _ in }
    ) -> [UInt8]? {
        let text = bytes[...].withoutWhiteSpace
        guard text.count > 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""),
            self.startsMarkup(text.dropFirst())
        else { return nil }
        let body = text.dropFirst().dropLast()
        var isEscaped = false
        for byte in body {
            if byte == UInt8(ascii: "\""), !isEscaped { return nil }
            isEscaped = byte == 0x5C && !isEscaped
        }
        // If the last quotation mark is escaped, it does not close the string.
        guard !isEscaped else { return nil }
        let before = bytes[..<text.startIndex] + [0x20]
        let made = self.withoutJSONEscapes(UnsafeBufferPointer(rebasing: body)) { onRemoval($0 + before.count, $1) }
        return before + made
    }

    /// Whether a JSON string begins with a tag, after white space.
    static func startsMarkup(_ body: ByteView) -> Bool {
        var rest = body.withoutLeadingWhiteSpace
        while rest.startsIgnoringCase("\\n") || rest.startsIgnoringCase("\\r") || rest.startsIgnoringCase("\\t") {
            rest = rest.dropFirst(2).withoutLeadingWhiteSpace
        }
        return rest.first == UInt8(ascii: "<") || rest.startsIgnoringCase("\\u003c")
    }

    /// How many of a document's quotation marks are escaped as in a JSON string.
    package enum JSONEscapes { case none, some, all }

    /// Counts escaped quotation marks; if all are escaped, the document is the inside of a JSON string.
    package static func jsonEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONEscapes {
        guard let base = bytes.baseAddress, memchr(base, 0x5C, bytes.count) != nil else { return .none }
        // The closing quotation mark of the string may be part of the bytes.
        let document = bytes[...].withoutWhiteSpace
        let body =
            document.last == UInt8(ascii: "\"") && document.dropLast().last != 0x5C ? document.dropLast() : document
        var isEscaped = false
        var escaped = 0
        var plain = 0
        for byte in body {
            if byte == UInt8(ascii: "\"") {
                if isEscaped { escaped += 1 } else { plain += 1 }
            }
            isEscaped = byte == 0x5C && !isEscaped
        }
        guard escaped > 0, body.firstRange(of: Array("=\\\"".utf8)) != nil else { return .none }
        return plain == 0 ? .all : .some
    }

    /// Unescapes the text of a JSON string, keeping its lines.
    ///
    /// Each escape is reported with the offset of its text and the number of characters that were removed.
    package static func withoutJSONEscapes(
        _ bytes: UnsafeBufferPointer<UInt8>,
        onRemoval: (_ offset: Int, _ lost: Int) -> Void = { _, _ in }
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x5C, at + 1 < bytes.count else {
                result.append(bytes[at])
                at += 1
                continue
            }
            let start = result.count
            switch bytes[at + 1] {
            // Escaped line breaks become spaces, so that the lines of the source are kept.
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
                result.append(0x20)
            case UInt8(ascii: "u"):
                if let (scalar, end) = self.unicodeEscape(bytes, at) {
                    onRemoval(result.count, end - at - 1)
                    result.append(contentsOf: String(scalar).utf8)
                    at = end
                    continue
                }
                result.append(bytes[at + 1])
            default: result.append(bytes[at + 1])
            }
            // The other bytes of a multi-byte character follow this one.
            onRemoval(start, 1)
            at += 2
        }
        return result
    }

    /// The character of `\u003c` or of a surrogate pair (RFC 8259 §7), and the offset after it.
    private static func unicodeEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> (Unicode.Scalar, Int)? {
        guard let first = self.unit(bytes, at) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar, at + 6) }
        guard UTF16.isLeadSurrogate(first), let second = self.unit(bytes, at + 6), UTF16.isTrailSurrogate(second) else {
            return nil
        }
        let value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        return Unicode.Scalar(value).map { ($0, at + 12) }
    }

    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt16? {
        guard at + 6 <= bytes.count, bytes[at] == 0x5C, bytes[at + 1] == UInt8(ascii: "u") else { return nil }
        return UInt16(String(decoding: bytes[(at + 2)..<(at + 6)], as: UTF8.self), radix: 16)
    }
}
