import AdCore
import LibC

/// Documents that came as a string of JSON: their quotation marks are escaped (RFC 8259 §7).
extension XMLRepair {
    /// What some bytes stand for that are one string of JSON with markup in it, and where that begins; nil for all others.
    ///
    /// The text has a blank for the quotation mark that begins the string, and is on the same lines.
    package static func jsonString(
        _ bytes: UnsafeBufferPointer<UInt8>,
        told: (_ offset: Int, _ lost: Int) -> Void = { _, _ in }
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
        // The last quotation mark was the string's own only if nothing escapes it.
        guard !isEscaped else { return nil }
        let before = bytes[..<text.startIndex] + [0x20]
        let made = self.withoutJSONEscapes(UnsafeBufferPointer(rebasing: body)) { told($0 + before.count, $1) }
        return before + made
    }

    /// Whether what a string of JSON begins with is a tag, white space before it ignored.
    static func startsMarkup(_ body: ByteView) -> Bool {
        var rest = body.withoutLeadingWhiteSpace
        while rest.startsIgnoringCase("\\n") || rest.startsIgnoringCase("\\r") || rest.startsIgnoringCase("\\t") {
            rest = rest.dropFirst(2).withoutLeadingWhiteSpace
        }
        return rest.first == UInt8(ascii: "<") || rest.startsIgnoringCase("\\u003c")
    }

    /// Which of a document's quotation marks are escaped as in a string of JSON.
    package enum JSONEscapes { case none, some, all }

    /// Looks for quotation marks behind backslashes: where no other is in the document, it is a string of JSON.
    package static func jsonEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONEscapes {
        guard let base = bytes.baseAddress, memchr(base, 0x5C, bytes.count) != nil else { return .none }
        // The string's own last quotation mark may have come along.
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

    /// The text that a string of JSON stands for, on the same lines.
    ///
    /// For each escape it is told where its text begins, and how many characters fewer that has.
    package static func withoutJSONEscapes(
        _ bytes: UnsafeBufferPointer<UInt8>,
        told: (_ offset: Int, _ lost: Int) -> Void = { _, _ in }
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
            // A line feed that is written so would move all lines behind it.
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
                result.append(0x20)
            case UInt8(ascii: "u"):
                if let (scalar, end) = self.unicodeEscape(bytes, at) {
                    told(result.count, end - at - 1)
                    result.append(contentsOf: String(scalar).utf8)
                    at = end
                    continue
                }
                result.append(bytes[at + 1])
            default: result.append(bytes[at + 1])
            }
            // A character of several bytes has its others behind this one.
            told(start, 1)
            at += 2
        }
        return result
    }

    /// The character of `\u003c`, or of two such that stand for one, and where it ends.
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
