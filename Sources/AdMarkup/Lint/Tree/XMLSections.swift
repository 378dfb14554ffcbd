import AdCore

/// Faults of a document that make all the rest look wrong: they are found in the bytes, before it is read.
enum XMLSections {
    /// A CDATA section that is not closed where its element ends.
    struct Section {
        /// Where `<![CDATA[` begins.
        let start: Int
        /// Where `]]>` is missing.
        let end: Int
    }

    /// The CDATA sections that run into the next one, or through an end tag to the end of the document.
    ///
    /// A section ends with its first `]]>` (XML 1.0 §2.7); whichever holds another `<![CDATA[` after an end tag has lost
    /// its own.
    static func unclosed(in document: [UInt8]) -> [Section] {
        document.withUnsafeBufferPointer { bytes in
            var found: [Section] = []
            var at = 0
            while let open = bytes[...].index(of: UInt8(ascii: "<"), from: at) {
                let rest = bytes[open...]
                if rest.begins("<!--") {
                    guard let end = rest.firstRange(of: Array("-->".utf8)) else { break }
                    at = end.upperBound
                } else if rest.begins("<![CDATA[") {
                    let (end, section) = self.section(from: open, in: bytes)
                    if let section { found.append(section) }
                    guard let end else { break }
                    at = end
                } else {
                    at = open + 1
                }
            }
            return found
        }
    }

    /// Where a section ends, and the section itself where it is not closed.
    private static func section(from open: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (end: Int?, unclosed: Section?)
    {
        var at = open + 9
        var endTag: Int?
        let name = self.element(before: open, in: bytes)
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "]") where bytes[at...].begins("]]>"): return (at + 3, nil)
            case UInt8(ascii: "<") where bytes[at...].begins("</"):
                if endTag == nil, !name.isEmpty, bytes[(at + 2)...].starts(with: name) { endTag = at }
            case UInt8(ascii: "<") where bytes[at...].begins("<![CDATA["):
                guard let end = endTag else { break }
                return (end, Section(start: open, end: end))
            default: break
            }
            at += 1
        }
        return (nil, endTag.map { Section(start: open, end: $0) })
    }

    /// The name of the element whose tag ends right before a section; empty where something else does.
    private static func element(before open: Int, in bytes: UnsafeBufferPointer<UInt8>) -> ByteView {
        let before = bytes[..<open]
        guard let close = before.lastIndex(where: { !$0.isBlank }), bytes[close] == UInt8(ascii: ">"),
            let start = bytes[max(0, close - 1000)..<close].lastIndex(of: UInt8(ascii: "<"))
        else { return bytes[0..<0] }
        return bytes[(start + 1)..<close].prefix { !$0.isBlank && $0 != UInt8(ascii: "/") }
    }

    /// The document with `]]>` where it is missing.
    static func closing(_ sections: [Section], in document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 3 * sections.count)
        var kept = 0
        for section in sections where section.end >= kept {
            result += document[kept..<section.end]
            result += "]]>".utf8
            kept = section.end
        }
        return result + document[kept...]
    }

    /// Where the first attribute's quotation mark is escaped as in JSON: `version=\\"3.0\\"`; nil where none is.
    static func escapedQuote(in document: [UInt8]) -> Int? {
        let head = document.prefix(1000)
        guard let place = head.firstRange(of: Array("=\\\"".utf8)) else { return nil }
        // In the first tags: behind them a backslash may stand in a text.
        let before = head[..<place.lowerBound]
        guard let open = before.lastIndex(of: UInt8(ascii: "<")), !before[open...].contains(UInt8(ascii: ">")) else {
            return nil
        }
        return place.lowerBound + 1
    }

    /// The document with blanks for the backslashes of JSON's escapes, so that all places stay the same.
    static func withoutEscapes(_ document: [UInt8]) -> [UInt8] {
        var result = document
        var at = 0
        while at + 1 < result.count {
            guard result[at] == UInt8(ascii: "\\") else {
                at += 1
                continue
            }
            let next = result[at + 1]
            if "\"/'".utf8.contains(next) {
                // The mark stands first, so that no blank gets between a name and its value.
                result[at] = next
                result[at + 1] = 0x20
                let isClosing = at > 0 && result[at - 1] != UInt8(ascii: "=")
                if next == UInt8(ascii: "/") || !isClosing {
                    result[at] = 0x20
                    result[at + 1] = next
                }
            } else if "nrt".utf8.contains(next) {
                result[at] = 0x20
                result[at + 1] = 0x20
            }
            at += 2
        }
        return result
    }
}
