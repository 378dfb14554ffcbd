import AdCore
import LibC

/// The bytes of a document that is not well-formed XML, repaired to be parsed once more.
package struct XMLRepair {
    /// What is left out of a document.
    package struct Omissions: OptionSet {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Everything from a CDATA section on that is not closed: after it text and elements can't be distinguished.
        ///
        /// The linter reports the section and closes it, so that it can check the rest.
        package static let afterOpenSection = Omissions(rawValue: 1)
        /// A truncated tag at the end, because its name may be incomplete.
        ///
        /// The reader does not need this: it leaves out the truncated ad.
        package static let truncatedTag = Omissions(rawValue: 2)
    }

    package let bytes: [UInt8]
    /// The offsets in `bytes` of the bytes that were inserted, in order.
    package let inserted: [Int]
    /// The offset in the document of the open CDATA section from which on everything is left out; nil if there is none.
    let openSection: Int?
    /// How many quotation marks of the document were escaped as in JSON.
    let escapes: JSONEscapes

    /// Escapes every `&` that begins no reference, outside of comments and CDATA sections, adds missing quotation
    /// marks, and removes the backslashes of JSON.
    ///
    /// Otherwise libxml2 would drop the name after the `&` (`?a=1&b=2` would become `?a=1=2`), and an attribute without
    /// quotation marks.
    init(of document: UnsafeBufferPointer<UInt8>, omitting omissions: Omissions) {
        self.openSection = omissions.contains(.afterOpenSection) ? XMLRepair.unclosedCDATA(document) : nil
        let tag = omissions.contains(.truncatedTag) ? XMLRepair.startOfTruncatedTag(document) : nil
        let kept = UnsafeBufferPointer(rebasing: document[..<(self.openSection ?? tag ?? document.count)])
        self.escapes = XMLRepair.jsonEscapes(kept)
        (self.bytes, self.inserted) =
            self.escapes == .all
            ? XMLRepair.withoutJSONEscapes(kept).withUnsafeBufferPointer(XMLRepair.edited) : XMLRepair.edited(kept)
    }

    private static func edited(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], inserted: [Int]) {
        var result: [UInt8] = []
        var inserted: [Int] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var kept = 0
        var ampersands = self.unescapedAmpersands(bytes)[...]
        var quotes = self.missingQuotes(bytes)[...]
        while let next = [ampersands.first, quotes.first].compactMap({ $0 }).min() {
            result.append(contentsOf: bytes[kept..<next])
            kept = next
            if quotes.first == next {
                quotes.removeFirst()
                inserted.append(result.count)
                result.append(UInt8(ascii: "\""))
            } else {
                ampersands.removeFirst()
                result.append(contentsOf: "&amp;".utf8)
                inserted.append(contentsOf: (result.count - 4)..<result.count)
                kept += 1
            }
        }
        result.append(contentsOf: bytes[kept...])
        // Control characters are forbidden (XML 1.0 §2.2), and end the parsing. In UTF-16 they are halves of code
        // units.
        if bytes.first == UInt8(ascii: "<"), bytes.count > 1, bytes[1] != 0 {
            for index in result.indices where self.isForbidden(result[index]) { result[index] = 0x20 }
        }
        return (result, inserted)
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D
    }

    /// The offset of a document that follows other text; nil if there is none.
    static func rootAfterJunk(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let marks: [StaticString] = ["<VAST ", "<VAST>", "<VMAP ", "<vmap:VMAP ", "<vast:VAST "]
        var declaration: Int?
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "<") else {
                at += 1
                continue
            }
            if bytes[at...].startsIgnoringCase("<?xml ") { declaration = at }
            if marks.contains(where: { bytes[at...].startsIgnoringCase($0) }) {
                let start = declaration ?? at
                return start > 0 ? start : nil
            }
            at += 1
        }
        return nil
    }

    /// The offsets of each `&` that begins no reference, outside of comments and CDATA sections.
    package static func unescapedAmpersands(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "<") where bytes[at...].startsIgnoringCase("<!--"):
                at = self.end("-->", bytes, from: at + 4)
            case UInt8(ascii: "<") where bytes[at...].startsIgnoringCase("<![CDATA["):
                at = self.end("]]>", bytes, from: at + 9)
            case UInt8(ascii: "&") where !self.isReference(bytes[at...]):
                found.append(at)
                at += 1
            default: at += 1
            }
        }
        return found
    }

    /// The offset of the next `<`; the end of the bytes if there is none.
    static func nextTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = bytes.baseAddress, start < bytes.count,
            let hit = memchr(base + start, Int32(UInt8(ascii: "<")), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }

    static func end(_ mark: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        let count = mark.utf8CodeUnitCount
        while let base = bytes.baseAddress, at < bytes.count,
            let hit = memchr(base + at, Int32(mark.utf8Start[0]), bytes.count - at)
        {
            at = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
            if bytes[at...].startsIgnoringCase(mark) { return at + count }
            at += 1
        }
        return bytes.count
    }

    /// Whether the bytes begin with one of the five predefined entities or a character reference (XML 1.0 §4.1, §4.6).
    private static func isReference(_ bytes: ByteView) -> Bool {
        for name in ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"] as [StaticString] where bytes.startsIgnoringCase(name)
        {
            return true
        }
        guard bytes.startsIgnoringCase("&#") else { return false }
        let rest = bytes.dropFirst(2).prefix(9)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
        let digits = rest[rest.startIndex..<end]
        guard let first = digits.first else { return false }
        if first | 0x20 == UInt8(ascii: "x") {
            return digits.count > 1 && digits.dropFirst().allSatisfy { $0.isDigit || ($0 | 0x20) &- 0x61 < 6 }
        }
        return digits.allSatisfy(\.isDigit)
    }
}
