/// Where start tags begin: libxml2 tells of a tag at its end, and a tag may go over many lines.
///
/// It only goes forward, as the parser does. Where both disagree, the parser's line is taken.
struct TagLines {
    struct Tag {
        let offset: Int
        let line: Int
    }

    private let bytes: [UInt8]
    private var at = 0
    private var line: Int
    private var isReadable: Bool
    private var failures = 0

    /// How many tags are passed to find one.
    private static let patience = 64
    /// How many tags may not be found before the rest is taken from the parser: each of them costs a search.
    private static let mostFailures = 20

    init(_ bytes: [UInt8], firstLine: Int) {
        self.bytes = bytes
        self.line = firstLine
        // In UTF-16 every other byte is no letter.
        self.isReadable = !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF]) && bytes.first != 0
    }

    /// The first start tag.
    mutating func first() -> Tag? {
        guard self.isReadable, let tag = self.nextTag() else { return nil }
        return Tag(offset: tag.offset, line: tag.line)
    }

    /// The start tag of that local name which ends on that line.
    mutating func next(_ name: UnsafeBufferPointer<UInt8>, endingOn endLine: Int) -> Tag? {
        guard self.isReadable else { return nil }
        let saved = (self.at, self.line)
        for _ in 0..<TagLines.patience {
            guard let tag = self.nextTag(), tag.line <= endLine else { break }
            if tag.endLine == endLine, self.isNamed(name, at: tag.offset) {
                return Tag(offset: tag.offset, line: tag.line)
            }
        }
        (self.at, self.line) = saved
        self.failures += 1
        if self.failures > TagLines.mostFailures { self.isReadable = false }
        return nil
    }

    private func isNamed(_ name: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        let rest = self.bytes[(offset + 1)...].prefix(name.count + 64)
        let written = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let local = written.lastIndex(of: UInt8(ascii: ":")).map { written[($0 + 1)...] } ?? written
        return local.elementsEqual(name)
    }

    private mutating func nextTag() -> (offset: Int, line: Int, endLine: Int)? {
        while let open = self.move(to: UInt8(ascii: "<")) {
            guard open + 1 < self.bytes.count else { return nil }
            switch self.bytes[open + 1] {
            case UInt8(ascii: "/"): _ = self.move(to: UInt8(ascii: ">"))
            case UInt8(ascii: "?"): self.pass("?>")
            case UInt8(ascii: "!"):
                if self.stands("<!--") {
                    self.pass("-->")
                } else if self.stands("<![CDATA[") {
                    self.pass("]]>")
                } else {
                    self.at += 2
                }
            default:
                let line = self.line
                self.passTag()
                return (open, line, self.line)
            }
        }
        return nil
    }

    private func stands(_ mark: StaticString) -> Bool {
        mark.withUTF8Buffer { self.bytes[self.at...].starts(with: $0) }
    }

    /// Moves behind a mark, or to the end.
    private mutating func pass(_ mark: StaticString) {
        let last = mark.utf8Start[mark.utf8CodeUnitCount - 1]
        let count = mark.utf8CodeUnitCount
        let start = self.at
        while let hit = self.move(to: last) {
            self.at = hit + 1
            let begin = self.at - count
            if begin > start, mark.withUTF8Buffer({ self.bytes[begin..<self.at].elementsEqual($0) }) { return }
        }
        self.at = self.bytes.count
    }

    /// Moves behind a start tag: quotation marks hide its end.
    private mutating func passTag() {
        var quote: UInt8?
        self.at += 1
        while self.at < self.bytes.count {
            let byte = self.bytes[self.at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") {
                return
            }
            if byte == 0x0A { self.line += 1 }
            self.at += 1
        }
    }

    /// Moves to a byte, counting lines, and returns its offset.
    private mutating func move(to byte: UInt8) -> Int? {
        while self.at < self.bytes.count {
            let here = self.bytes[self.at]
            if here == byte { return self.at }
            if here == 0x0A { self.line += 1 }
            self.at += 1
        }
        return nil
    }
}
