import AdCore

/// Finds the ends of tags, comments and contents.
extension HTMLScanner {
    /// The longest name that libxml2 reads in one piece.
    private static let maxNameLength = 100

    struct RawTag {
        let name: NameKey
        /// The offset of `>` or `/>`, or the end of the source.
        let end: Int
        let isSelfClosed: Bool
    }

    /// Reads a start tag, ending its parts exactly where libxml2 2.9 does.
    ///
    /// Otherwise a tag could seem short here and have a hundred thousand attributes there.
    mutating func readTag(from start: Int) throws(MarkupError) -> RawTag {
        try self.count()
        let count = self.source.count
        var index = start + 1
        let name = self.readName(&index)
        var attributes = 0
        while true {
            self.skipBlanks(&index)
            let byte = self.byte(index)
            if index >= count || byte == UInt8(ascii: ">") {
                return RawTag(name: name, end: index, isSelfClosed: false)
            }
            if byte == UInt8(ascii: "/"), self.byte(index + 1) == UInt8(ascii: ">") {
                return RawTag(name: name, end: index, isSelfClosed: true)
            }
            attributes += 1
            guard attributes <= self.limits.attributes else {
                throw self.exceeded(.attributes, self.limits.attributes)
            }
            try self.count()
            if HTMLScanner.isNameStart(byte) {
                self.skipAttribute(&index)
            } else {
                self.skipBogus(&index)
            }
        }
    }

    /// Reads a name, and moves the index after it.
    func readName(_ index: inout Int) -> NameKey {
        var key = NameKey()
        let end = min(self.source.count, index + HTMLScanner.maxNameLength)
        while index < end, HTMLScanner.isNameCharacter(self.source[index]) {
            key.append(self.source[index])
            index += 1
        }
        return key
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        self.isNameStart(byte) || byte.isDigit || byte == UInt8(ascii: "-")
    }

    private func skipBlanks(_ index: inout Int) {
        while index < self.source.count, self.source[index].isWhiteSpace { index += 1 }
    }

    /// Moves the index after an attribute, and returns the range of its value.
    @discardableResult
    private func skipAttribute(_ index: inout Int) -> Range<Int>? {
        let end = min(self.source.count, index + HTMLScanner.maxNameLength)
        while index < end, HTMLScanner.isNameCharacter(self.source[index]) { index += 1 }
        self.skipBlanks(&index)
        guard self.byte(index) == UInt8(ascii: "=") else { return nil }
        index += 1
        self.skipBlanks(&index)
        let quote = self.byte(index)
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = index + 1
            let close = self.index(of: quote, from: start) ?? self.source.count
            index = min(close + 1, self.source.count)
            return min(start, close)..<close
        }
        let start = index
        while index < self.source.count, self.source[index] != UInt8(ascii: ">"), !self.source[index].isWhiteSpace {
            index += 1
        }
        return start..<index
    }

    /// The name in the start or end tag at an offset.
    package func name(ofTagAt start: Int) -> Range<Int> {
        let first = start + (self.byte(start + 1) == UInt8(ascii: "/") ? 2 : 1)
        var index = first
        _ = self.readName(&index)
        return first..<index
    }

    /// Calls `body` with the name and the raw value of each attribute of the start tag at an offset, until it returns
    /// false.
    package func eachAttribute(ofTagAt start: Int, _ body: (_ name: Range<Int>, _ value: Range<Int>?) -> Bool) {
        var index = start + 1
        _ = self.readName(&index)
        while true {
            self.skipBlanks(&index)
            let byte = self.byte(index)
            guard index < self.source.count, byte != UInt8(ascii: ">") else { return }
            let begin = index
            guard HTMLScanner.isNameStart(byte) else {
                self.skipBogus(&index)
                // At a slash before the end a bogus part is empty.
                if index == begin { return }
                continue
            }
            let value = self.skipAttribute(&index)
            let name = self.source[begin..<index].prefix(while: HTMLScanner.isNameCharacter)
            guard body(name.startIndex..<name.endIndex, value) else { return }
        }
    }

    /// The raw value of the first attribute with one of these names.
    package func rawValue(of names: [StaticString], inTagAt start: Int) -> ByteView? {
        var found: ByteView?
        self.eachAttribute(ofTagAt: start) { range, value in
            let name = self.source[range]
            guard names.contains(where: { name.count == $0.utf8CodeUnitCount && name.startsIgnoringCase($0) }) else {
                return true
            }
            found = value.map { self.source[$0] }
            return false
        }
        return found
    }

    private func skipBogus(_ index: inout Int) {
        while index < self.source.count {
            let byte = self.source[index]
            if byte.isWhiteSpace || byte == UInt8(ascii: ">") { return }
            if byte == UInt8(ascii: "/"), self.byte(index + 1) == UInt8(ascii: ">") { return }
            index += 1
        }
    }

    /// The offset after the end of a comment; nil if it has no end.
    func endOfComment(from start: Int) -> Int? { HTMLComment.end(in: self.source, from: start) }

    /// The offset after the end of a CDATA section; nil if it has no end.
    func endOfCDATA(from start: Int) -> Int? {
        var index = start + 9
        while let close = self.index(of: UInt8(ascii: ">"), from: index) {
            index = close + 1
            if close - 2 >= start + 9, self.matches("]]", at: close - 2) { return index }
        }
        return nil
    }

    /// The offset of the end tag of an element that contains text only; nil if it has none.
    func endOfContent(of element: ElementName, from start: Int) -> Int? {
        switch element {
        case .script: self.endOfScript(from: start)
        case .style: self.endTag("</style", from: start)
        case .iframe: self.endTag("</iframe", from: start)
        case .noembed: self.endTag("</noembed", from: start)
        case .noframes: self.endTag("</noframes", from: start)
        case .textarea: self.endTag("</textarea", from: start)
        default: self.endTag("</xmp", from: start)
        }
    }

    private func endTag(_ text: StaticString, from start: Int) -> Int? {
        var index = start
        while let open = self.index(of: UInt8(ascii: "<"), from: index) {
            if self.matches(tag: text, at: open) { return open }
            index = open + 1
        }
        return nil
    }

    /// The offset of the end tag of a script.
    ///
    /// An end tag inside `<!-- <script … -->` does not count (HTML Living Standard, "script data double escaped
    /// state").
    private func endOfScript(from start: Int) -> Int? {
        var index = start
        var comment: Int?
        var isNested = false
        while let open = self.index(of: UInt8(ascii: "<"), from: index) {
            if let from = comment {
                let ends = from < open && self.commentEnds(in: from..<open)
                comment = ends ? nil : max(from, open)
                isNested = isNested && !ends
            }
            index = open + 1
            if self.matches(tag: "</script", at: open) {
                guard isNested else { return open }
                isNested = false
            } else if comment == nil, self.matches("<!--", at: open) {
                comment = open + 2
            } else if comment != nil, self.matches(tag: "<script", at: open) {
                isNested = true
            }
        }
        return nil
    }

    private func commentEnds(in range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while let close = self.index(of: UInt8(ascii: ">"), from: index, before: range.upperBound) {
            if close - 2 >= range.lowerBound, self.matches("--", at: close - 2) { return true }
            index = close + 1
        }
        return false
    }

    private func matches(tag: StaticString, at offset: Int) -> Bool {
        guard self.matches(tag, at: offset) else { return false }
        let next = self.byte(offset + tag.utf8CodeUnitCount)
        return next.isWhiteSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">")
    }
}
