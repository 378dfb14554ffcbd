import AdCore
import AdHTML
import AdMarkup

// What the bytes of a document show, without a parser.

extension XMLLint {
    /// Reports escaped quotation marks, at the first of them.
    static func reportEscapes(in document: [UInt8], from start: SourcePlace, _ log: inout LintLog) {
        let mark = document.firstRange(of: Array("=\\\"".utf8)).map { $0.lowerBound + 1 }
        let offset = mark ?? document.firstIndex { !$0.isWhiteSpace } ?? 0
        var places = SourcePlaces(from: start)
        log.add(.xmlQuotesEscaped, places.place(at: offset, in: document), self.around(offset, in: document))
    }

    /// Reports CDATA sections without `]]>`, and returns the document with it; nil if none is missing.
    ///
    /// Without the repair everything after the section would be reported.
    static func closed(_ document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) -> [UInt8]? {
        let open = document.withUnsafeBufferPointer { Array(XMLRepair.OpenSections($0)) }
        guard !open.isEmpty else { return nil }
        var places = SourcePlaces(from: start)
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 3 * open.count)
        var kept = 0
        for section in open {
            log.add(
                .xmlCDATAUnclosed,
                places.place(at: section.start, in: document),
                self.around(section.start + 25, in: document)
            )
            result += document[kept..<section.end]
            result += "]]>".utf8
            kept = section.end
        }
        return result + document[kept...]
    }

    /// The offsets of each `&` that is not part of a reference; the first entity is reported here.
    static func unescapedAmpersands(_ document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) -> [Int] {
        let doctype = self.doctype(document)
        var first: (offset: Int, name: String)?
        let found = document.withUnsafeBufferPointer { document in
            XMLRepair.unescapedAmpersands(document).filter { offset in
                if let doctype, doctype.contains(offset) { return false }
                guard let name = self.entity(document, at: offset) else { return true }
                first = first ?? (offset, name.text)
                return false
            }
        }
        if let first {
            var places = SourcePlaces(from: start)
            let place = places.place(at: first.offset, in: document)
            log.add(.xmlEntity, place, "&\(first.name); is an entity, and no entity is expanded")
        }
        return found
    }

    /// The name of the entity that is referenced at an ampersand; nil if there is none.
    private static func entity(_ document: UnsafeBufferPointer<UInt8>, at offset: Int) -> ByteView? {
        var end = offset + 1
        guard end < document.count, document[end].isASCIILetter else { return nil }
        while end < document.count, end - offset < 33, document[end].isASCIILetter || document[end].isDigit { end += 1 }
        guard end < document.count, document[end] == UInt8(ascii: ";") else { return nil }
        return document[(offset + 1)..<end]
    }

    /// The extent of the DOCTYPE with its internal subset (XML 1.0 §2.8); nil if there is none.
    private static func doctype(_ bytes: [UInt8]) -> Range<Int>? {
        guard let start = self.offsetOfDoctype(bytes) else { return nil }
        var quote: UInt8?
        var isOpen = false
        for at in start..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "["): isOpen = true
                case UInt8(ascii: "]"): isOpen = false
                case UInt8(ascii: ">") where !isOpen: return start..<at
                default: break
                }
            }
        }
        return start..<bytes.count
    }

    static func offsetOfDoctype(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var at = bytes.startIndex
            // A DOCTYPE precedes the root, after declarations and comments.
            while let open = bytes[...].index(of: UInt8(ascii: "<"), from: at) {
                let rest = bytes[open...]
                if rest.startsIgnoringCase("<!doctype") { return open }
                guard rest.startsIgnoringCase("<?") || rest.startsIgnoringCase("<!--") else { return nil }
                let mark: StaticString = rest.startsIgnoringCase("<?") ? "?>" : "-->"
                guard let end = rest.indices.first(where: { rest[$0...].startsIgnoringCase(mark) }) else { return nil }
                at = end + mark.utf8CodeUnitCount
            }
            return nil
        }
    }

    static func around(_ offset: Int, in document: [UInt8]) -> String {
        let part = document[max(0, offset - 30)..<min(document.count, offset + 15)]
        return String(decoding: part, as: UTF8.self).quotedURL
    }
}
