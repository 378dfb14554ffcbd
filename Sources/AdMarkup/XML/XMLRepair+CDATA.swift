import AdCore

/// CDATA sections without an end.
extension XMLRepair {
    /// What is wrong, and what to do.
    package static let unclosedCDATAText = "a CDATA section begins here and is not closed; write ]]> at its end"

    /// A CDATA section that has no end of its own.
    package struct OpenSection {
        /// Where `<![CDATA[` begins.
        package let start: Int
        /// Where `]]>` is missing: before the end tag of its element.
        package let end: Int
    }

    /// Where a CDATA section begins that has no end of its own; nil if none does.
    static func unclosedCDATA(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var sections = OpenSections(bytes)
        return sections.next()?.start
    }

    /// The CDATA sections that have no end of their own, one after the other, each as if those before it were closed.
    ///
    /// The end tag of its own element is in it. Either nothing closes it, or it takes the end of a later one, which begins
    /// behind that end tag: sections can't be nested (XML 1.0 §2.7). Without that end tag the document just breaks off there.
    package struct OpenSections: Sequence, IteratorProtocol {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var at = 0
        /// Where the last end begins that was found: it is that of every section before it, and is searched once.
        private var close = -1

        package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        package mutating func next() -> OpenSection? {
            while true {
                self.at = XMLRepair.nextTag(self.bytes, from: self.at)
                guard self.at < self.bytes.count else { return nil }
                if self.bytes[self.at...].startsIgnoringCase("<!--") {
                    self.at = XMLRepair.end("-->", self.bytes, from: self.at + 4)
                } else if self.bytes[self.at...].startsIgnoringCase("<![CDATA[") {
                    let start = self.at
                    if self.close < start + 9 { self.close = self.nextClose(from: start + 9) }
                    let isClosed = self.close < self.bytes.count
                    if let end = self.ownEndTag(from: start, to: self.close, isClosed: isClosed) {
                        self.at = end
                        return OpenSection(start: start, end: end)
                    }
                    self.at = isClosed ? self.close + 3 : self.bytes.count
                } else {
                    self.at += 1
                }
            }
        }

        /// Where the next `]]>` is; the end of the bytes where there is none.
        private func nextClose(from start: Int) -> Int {
            let end = XMLRepair.end("]]>", self.bytes, from: start)
            return self.bytes[start..<end].endsIgnoringCase("]]>") ? end - 3 : self.bytes.count
        }

        /// Where the end tag of its own element is in a section that nothing closes, or in one that is closed before
        /// another section begins in it.
        private func ownEndTag(from start: Int, to end: Int, isClosed: Bool) -> Int? {
            let bytes = self.bytes
            guard start + 9 <= end,
                let limit = XMLRepair.next("<![CDATA[", bytes, from: start + 9, to: end) ?? (isClosed ? nil : end),
                let open = bytes[..<start].lastIndex(of: UInt8(ascii: "<")),
                open + 1 < start, bytes[open + 1].isASCIILetter
            else { return nil }
            let name = bytes[(open + 1)..<start].prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: ">") }
            var at = start + 9
            while let tag = XMLRepair.next("</", bytes, from: at, to: limit) {
                if bytes[(tag + 2)..<limit].starts(with: name) { return tag }
                at = tag + 2
            }
            return nil
        }
    }

    /// Where a mark that begins with `<` stands between two offsets.
    fileprivate static func next(
        _ mark: StaticString,
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int
    ) -> Int? {
        var at = self.nextTag(bytes, from: start)
        while at < end {
            if bytes[at..<end].startsIgnoringCase(mark) { return at }
            at = self.nextTag(bytes, from: at + 1)
        }
        return nil
    }
}
