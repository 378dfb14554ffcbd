import AdCore
import LibC

/// The CDATA sections of a document that need no parsing.
///
/// libxml2 reads a section character by character. One of printable ASCII has no line ends to normalize and nothing to
/// refuse (XML 1.0 §2.2, §2.7, §2.11): its bytes are passed on as they are in the document.
struct XMLSections {
    /// A section without its content.
    struct Section {
        /// The offset after it in what the parser reads: one byte of each content is left (`XMLInput`).
        let end: Int
        /// The offsets of its content in the document.
        let content: Range<Int>
    }

    private(set) var sections: [Section] = []

    /// Nil if there is no such section, or if something else could look like one.
    init?(of document: UnsafeBufferPointer<UInt8>) {
        let source = XMLSource(document)
        guard source.isUTF8 else { return nil }
        self.sections.reserveCapacity(document.count / 128)
        // The offset after the last content, and how many bytes of contents are left out before it.
        var (kept, omitted) = (0, 0)
        var at = source.start + 1
        while let sign = source.first("!", from: at) {
            at = sign + 1
            guard document[sign - 1] == UInt8(ascii: "<") else { continue }
            if document.has("[CDATA[", at: at) {
                let start = at + 7
                guard let end = source.end(of: "]]>", from: start) else { return nil }
                at = end
                let content = start..<end - 3
                guard !content.isEmpty, source.isPlain(content) else { continue }
                guard !source.hasInstruction(kept..<sign) else { return nil }
                kept = content.upperBound
                omitted += content.count - 1
                self.sections.append(Section(end: end - omitted, content: content))
            } else {
                // An entity that a document type declares could have a section.
                guard document.has("--", at: at), let end = source.end(of: "-->", from: at + 2) else { return nil }
                at = end
            }
        }
        guard !self.sections.isEmpty, !source.hasInstruction(kept..<document.count) else { return nil }
    }
}

/// The bytes of a document in which sections are searched.
private struct XMLSource {
    private let document: UnsafeBufferPointer<UInt8>
    /// The offset after a byte order mark.
    let start: Int
    /// Whether it begins with a declaration.
    private var isDeclared: Bool {
        self.document.has("<?xml", at: self.start) && self.document.count > self.start + 5
            && self.document[self.start + 5].isWhiteSpace
    }

    init(_ document: UnsafeBufferPointer<UInt8>) {
        self.document = document
        self.start = document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Whether it begins like UTF-8, and declares no other encoding (XML 1.0 §4.3.3).
    var isUTF8: Bool {
        guard self.document.has("<", at: self.start), self.document.count > self.start + 1,
            self.document[self.start + 1] != 0
        else { return false }
        guard self.isDeclared else { return true }
        guard let end = self.end(of: "?>", from: self.start) else { return false }
        // No other word of a declaration has this letter: `version`, `standalone`, `yes`, `no`.
        guard let last = self.first("g", from: self.start), last < end else { return true }
        return ["=\"utf-8\"", "='utf-8'"].contains { self.document[(last + 1)...].startsIgnoringCase($0) }
    }

    /// The offset of the next byte, before `end` if that is given.
    @inline(__always)
    func first(_ byte: Unicode.Scalar, from start: Int, to end: Int? = nil) -> Int? {
        let end = end ?? self.document.count
        guard let base = self.document.baseAddress, start < end,
            let hit = memchr(base + start, Int32(byte.value), end - start)
        else { return nil }
        return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
    }

    /// The offset after the next occurrence of a text.
    @inline(__always)
    func end(of text: StaticString, from start: Int) -> Int? {
        var at = start
        while let hit = self.first(Unicode.Scalar(text.utf8Start[0]), from: at) {
            if self.document.has(text, at: hit) { return hit + text.utf8CodeUnitCount }
            at = hit + 1
        }
        return nil
    }

    /// Whether all bytes are printable ASCII.
    func isPlain(_ range: Range<Int>) -> Bool {
        guard let base = self.document.baseAddress else { return false }
        var others: UInt8 = 0
        for offset in range { others |= base[offset] &- 0x20 > 0x5E ? 1 : 0 }
        return others == 0
    }

    /// Whether there is a processing instruction, whose content could look like a section.
    func hasInstruction(_ range: Range<Int>) -> Bool {
        var at = max(range.lowerBound, self.start + (self.isDeclared ? 2 : 1))
        while let sign = self.first("?", from: at, to: range.upperBound) {
            if self.document[sign - 1] == UInt8(ascii: "<") { return true }
            at = sign + 1
        }
        return false
    }
}
