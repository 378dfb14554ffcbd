#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Quotation marks that are missing, or written as in a string of JSON.
extension XMLRepair {
    // MARK: Values without quotation marks

    /// Where quotation marks are to be added around values of attributes that have none, as in `<VAST version=4.0>`.
    static func missingQuotes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        var at = 0
        while true {
            at = self.nextTag(bytes, from: at)
            guard at < bytes.count else { return found }
            if bytes[at...].begins("<!--") {
                at = self.end("-->", bytes, from: at + 4)
            } else if bytes[at...].begins("<![CDATA[") {
                at = self.end("]]>", bytes, from: at + 9)
            } else if at + 1 < bytes.count, bytes[at + 1].isLetter {
                at = self.missingQuotes(bytes, inTagAt: at + 1, &found)
            } else {
                at += 1
            }
        }
    }

    /// The same for one tag; returns where it ends.
    private static func missingQuotes(
        _ bytes: UnsafeBufferPointer<UInt8>,
        inTagAt start: Int,
        _ found: inout [Int]
    ) -> Int {
        var at = start
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: ">"): return at + 1
            case UInt8(ascii: "<"): return at
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[at]
                at += 1
                while at < bytes.count, bytes[at] != quote, bytes[at] != UInt8(ascii: "<") { at += 1 }
                if at < bytes.count, bytes[at] == quote { at += 1 }
            case UInt8(ascii: "="):
                at += 1
                while at < bytes.count, bytes[at].isBlank { at += 1 }
                let value = self.bareValue(bytes, from: at)
                if !value.isEmpty { found += [value.lowerBound, value.upperBound] }
                at = value.upperBound
            default: at += 1
            }
        }
        return at
    }

    /// The value that begins here without a quotation mark; empty where one is there, or somewhere in it.
    private static func bareValue(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, !bytes[end].isBlank, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<") {
            if bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") { return start..<start }
            end += 1
        }
        let closesItself = end < bytes.count && bytes[end] == UInt8(ascii: ">") && end > start
        if closesItself, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return start..<end
    }

    // MARK: Strings of JSON

    /// Which of a document's quotation marks are escaped as in a string of JSON.
    enum JSONEscapes { case none, some, all }

    /// Looks for quotation marks behind backslashes: where no other stands in the document, it is a string of JSON.
    static func jsonEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONEscapes {
        guard let base = bytes.baseAddress, memchr(base, 0x5C, bytes.count) != nil else { return .none }
        // The string's own last quotation mark may have come along.
        let document = bytes[...].withoutBlanks
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
    static func withoutJSONEscapes(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x5C, at + 1 < bytes.count else {
                result.append(bytes[at])
                at += 1
                continue
            }
            switch bytes[at + 1] {
            // A line feed that is written so would move all lines behind it.
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
                result.append(0x20)
            case UInt8(ascii: "u"):
                if let (scalar, end) = self.unicodeEscape(bytes, at) {
                    result.append(contentsOf: String(scalar).utf8)
                    at = end
                    continue
                }
                result.append(bytes[at + 1])
            default: result.append(bytes[at + 1])
            }
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
