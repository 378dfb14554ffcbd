import AdCore
import AdHTML
import AdMarkup

/// Finds where start tags begin.
///
/// libxml2 reports the end of a tag only, and a tag may span many lines. The scanner moves forward together with the
/// parser; where they disagree, the parser's line is used.
struct StartTagScanner {
    struct Tag {
        /// The offset of its first byte.
        let offset: Int
        /// The place of its first byte.
        let place: SourcePlace
        /// The position after its last byte.
        let end: End
    }

    /// A position in the bytes.
    struct End: Sendable {
        let offset: Int
        let place: SourcePlace
    }

    private let bytes: [UInt8]
    private var at = 0
    private var line: Int
    /// The number that makes a column of an offset on the current line.
    private var columnShift: Int
    /// The offsets of the bytes that a repair has inserted.
    private let inserted: [Int]
    private var isReadable: Bool
    private var failures = 0

    /// The number of tags that are skipped to find one.
    private static let searchBudget = 64
    /// The number of failed searches after which only the parser's lines are used.
    private static let maxFailures = 20

    /// Creates a scanner at a place of the input; `inserted` are the offsets of the bytes that a repair has inserted.
    init(_ bytes: [UInt8], from start: SourcePlace, inserted: [Int] = []) {
        self.bytes = bytes
        self.line = start.line
        self.columnShift = start.column ?? 1
        self.inserted = inserted
        // UTF-16 can't be scanned byte by byte.
        self.isReadable = !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF]) && bytes.first != 0
    }

    /// The first start tag.
    mutating func first() -> Tag? {
        guard self.isReadable else { return nil }
        return self.nextTag()
    }

    /// The next start tag with a local name that ends on a line; nil if it is not found.
    mutating func next(_ name: UnsafeBufferPointer<UInt8>, endingOn endLine: Int) -> Tag? {
        guard self.isReadable else { return nil }
        let saved = (self.at, self.line, self.columnShift)
        for _ in 0..<StartTagScanner.searchBudget {
            guard let tag = self.nextTag(), tag.place.line <= endLine else { break }
            if tag.end.place.line == endLine, self.isNamed(name, at: tag.offset) { return tag }
        }
        (self.at, self.line, self.columnShift) = saved
        self.failures += 1
        if self.failures > StartTagScanner.maxFailures { self.isReadable = false }
        return nil
    }

    private func isNamed(_ name: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        let rest = self.bytes[(offset + 1)...]
        // Most names have no prefix.
        if rest.starts(with: name), let next = rest.dropFirst(name.count).first, self.endsName(next) { return true }
        let written = rest.prefix(name.count + 64).prefix { !self.endsName($0) }
        let local = written.lastIndex(of: UInt8(ascii: ":")).map { written[($0 + 1)...] } ?? written
        return local.elementsEqual(name)
    }

    private func endsName(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    private mutating func nextTag() -> Tag? {
        while let open = self.move(to: UInt8(ascii: "<")) {
            guard open + 1 < self.bytes.count else { return nil }
            switch self.bytes[open + 1] {
            case UInt8(ascii: "/"): _ = self.move(to: UInt8(ascii: ">"))
            case UInt8(ascii: "?"): self.skip("?>")
            case UInt8(ascii: "!"):
                if self.matches("<!--") {
                    self.skip("-->")
                } else if self.matches("<![CDATA[") {
                    self.skip("]]>")
                } else {
                    self.skip(UInt8(ascii: "<"))
                    self.skip(UInt8(ascii: "!"))
                }
            default:
                let start = self.place
                self.skipTag()
                let hasEnd = self.at < self.bytes.count && self.bytes[self.at] == UInt8(ascii: ">")
                let behind = hasEnd ? 1 : 0
                let end = SourcePlace(line: self.line, column: self.at + self.columnShift + behind)
                return Tag(offset: open, place: start, end: End(offset: self.at + behind, place: end))
            }
        }
        return nil
    }

    /// The current place.
    private var place: SourcePlace {
        SourcePlace(line: self.line, column: self.at + self.columnShift)
    }

    /// Moves over one byte, and counts lines and columns.
    private mutating func skip(_ byte: UInt8) {
        if byte == 0x0A {
            self.line += 1
            self.columnShift = -self.at
        } else if byte & 0xC0 == 0x80 {
            self.columnShift -= 1
        }
        if !self.inserted.isEmpty, self.isInserted(self.at) { self.columnShift -= 1 }
        self.at += 1
    }

    private func isInserted(_ offset: Int) -> Bool {
        var low = 0
        var high = self.inserted.count
        while low < high {
            let middle = (low + high) / 2
            if self.inserted[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low < self.inserted.count && self.inserted[low] == offset
    }

    private func matches(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { self.bytes[self.at...].starts(with: $0) }
    }

    /// Moves after a mark, or to the end.
    private mutating func skip(_ mark: StaticString) {
        let last = mark.utf8Start[mark.utf8CodeUnitCount - 1]
        let count = mark.utf8CodeUnitCount
        let start = self.at
        while let hit = self.move(to: last) {
            self.skip(self.bytes[hit])
            let begin = self.at - count
            if begin > start, mark.withUTF8Buffer({ self.bytes[begin..<self.at].elementsEqual($0) }) { return }
        }
        self.at = self.bytes.count
    }

    /// Moves to the end of a start tag; brackets within quotation marks are part of the tag.
    private mutating func skipTag() {
        var quote: UInt8?
        self.skip(UInt8(ascii: "<"))
        self.move { byte in
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else {
                return byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
            }
            return false
        }
    }

    /// Moves to the next occurrence of a byte, and returns its offset.
    private mutating func move(to byte: UInt8) -> Int? {
        self.move { $0 == byte }
        return self.at < self.bytes.count ? self.at : nil
    }

    /// Moves to the next byte that is wanted, or to the end.
    @inline(__always)
    private mutating func move(to isWanted: (UInt8) -> Bool) {
        guard self.inserted.isEmpty else {
            while self.at < self.bytes.count, !isWanted(self.bytes[self.at]) { self.skip(self.bytes[self.at]) }
            return
        }
        // The same without inserted bytes, and faster.
        var (at, line, shift) = (self.at, self.line, self.columnShift)
        self.bytes.withUnsafeBufferPointer { bytes in
            while at < bytes.count, !isWanted(bytes[at]) {
                if bytes[at] == 0x0A {
                    line += 1
                    shift = -at
                } else if bytes[at] & 0xC0 == 0x80 {
                    shift -= 1
                }
                at += 1
            }
        }
        (self.at, self.line, self.columnShift) = (at, line, shift)
    }
}
