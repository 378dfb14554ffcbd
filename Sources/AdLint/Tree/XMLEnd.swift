import AdCore
import AdHTML
import AdMarkup

/// Finds out whether an XML document is truncated.
enum XMLEnd {
    /// The offset of the last tag if the bytes end within it; nil if they end elsewhere.
    static func startOfTruncatedTag(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var at = 0
            while let open = bytes[...].index(of: UInt8(ascii: "<"), from: at) {
                let rest = bytes[open...]
                if rest.startsIgnoringCase("<!--") {
                    guard let end = self.end(of: "-->", bytes, from: open + 4) else { return nil }
                    at = end
                } else if rest.startsIgnoringCase("<![CDATA[") {
                    guard let end = self.end(of: "]]>", bytes, from: open + 9) else { return nil }
                    at = end
                } else {
                    guard let end = self.endOfTag(bytes, from: open + 1) else { return open }
                    at = end
                }
            }
            return nil
        }
    }

    /// Whether there is an end tag with a local name.
    static func hasEndTag(named name: String, in bytes: [UInt8]) -> Bool {
        // UTF-16 can't be searched byte by byte.
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(4).contains(0) {
            return true
        }
        let name = Array(name.utf8)
        var end = bytes.count
        while let slash = bytes[..<end].lastIndex(of: UInt8(ascii: "/")) {
            end = slash
            guard slash > 0, bytes[slash - 1] == UInt8(ascii: "<") else { continue }
            let written = bytes[(slash + 1)...].prefix(name.count + 64).prefix {
                !$0.isWhiteSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<")
            }
            let local = written.lastIndex(of: UInt8(ascii: ":")).map { written[($0 + 1)...] } ?? written
            guard local.elementsEqual(name) else { continue }
            if bytes[local.endIndex...].first(where: { !$0.isWhiteSpace }) == UInt8(ascii: ">") { return true }
        }
        return false
    }

    private static func end(of mark: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var at = start
        while let hit = bytes[...].index(of: mark.utf8Start[0], from: at) {
            if bytes[hit...].startsIgnoringCase(mark) { return hit + mark.utf8CodeUnitCount }
            at = hit + 1
        }
        return nil
    }

    /// The end of a tag: after its `>`, or at the next `<` if a quotation mark is not closed; nil for a truncated tag.
    private static func endOfTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var quote: UInt8?
        for at in start..<bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "<") { return at }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return at + 1
            }
        }
        return nil
    }
}
