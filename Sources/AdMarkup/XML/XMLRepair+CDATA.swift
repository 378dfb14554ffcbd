import AdCore

/// Finds CDATA sections that are not closed.
extension XMLRepair {
    /// The message of the error.
    package static let unclosedCDATAText = "a CDATA section begins here and is not closed; write ]]> at its end"

    /// A CDATA section that is not closed.
    package struct OpenSection {
        /// The offset of `<![CDATA[`.
        package let start: Int
        /// The offset where `]]>` is missing: before the end tag of its element.
        package let end: Int
    }

    /// The offset of the first CDATA section that is not closed; nil if there is none.
    static func unclosedCDATA(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var sections = OpenSections(bytes)
        return sections.next()?.start
    }

    /// The CDATA sections that are not closed, each found as if those before it were closed.
    ///
    /// Such a section contains the end tag of its own element. Either nothing closes it, or the end of a later section
    /// does, because sections can't be nested (XML 1.0 §2.7). Without that end tag the document is truncated.
    package struct OpenSections: Sequence, IteratorProtocol {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var at = 0
        /// The offset of the last `]]>` that was found, which closes all sections before it.
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

        /// The offset of the next `]]>`; the end of the bytes if there is none.
        private func nextClose(from start: Int) -> Int {
            let end = XMLRepair.end("]]>", self.bytes, from: start)
            return self.bytes[start..<end].endsIgnoringCase("]]>") ? end - 3 : self.bytes.count
        }

        /// The offset of the end tag of its own element inside a section that is not closed, or that is closed only
        /// after another section begins.
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

    /// The offset of a mark that begins with `<` in a range.
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
