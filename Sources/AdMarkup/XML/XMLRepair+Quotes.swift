import AdCore

/// Finds missing quotation marks.
extension XMLRepair {
    // MARK: Values without quotation marks

    /// The offsets where quotation marks are missing around attribute values, as in `<VAST version=4.0>`.
    static func missingQuotes(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        var at = 0
        while true {
            at = self.nextTag(bytes, from: at)
            guard at < bytes.count else { return found }
            if bytes[at...].startsIgnoringCase("<!--") {
                at = self.end("-->", bytes, from: at + 4)
            } else if bytes[at...].startsIgnoringCase("<![CDATA[") {
                at = self.end("]]>", bytes, from: at + 9)
            } else if at + 1 < bytes.count, bytes[at + 1].isASCIILetter {
                at = self.missingQuotes(bytes, inTagAt: at + 1, &found)
            } else {
                at += 1
            }
        }
    }

    /// Finds them in one tag; returns the offset after it.
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
                while at < bytes.count, bytes[at].isWhiteSpace { at += 1 }
                let value = self.bareValue(bytes, from: at)
                if !value.isEmpty { found += [value.lowerBound, value.upperBound] }
                at = value.upperBound
            default: at += 1
            }
        }
        return at
    }

    /// The range of an unquoted value; empty if the value has a quotation mark.
    private static func bareValue(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, !bytes[end].isWhiteSpace, bytes[end] != UInt8(ascii: ">"),
            bytes[end] != UInt8(ascii: "<")
        {
            if bytes[end] == UInt8(ascii: "\"") || bytes[end] == UInt8(ascii: "'") { return start..<start }
            end += 1
        }
        let closesItself = end < bytes.count && bytes[end] == UInt8(ascii: ">") && end > start
        if closesItself, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return start..<end
    }
}
