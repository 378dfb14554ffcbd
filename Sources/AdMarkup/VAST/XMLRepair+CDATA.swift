/// CDATA sections without an end.
extension XMLRepair {
    /// What is wrong, and what to do.
    static let unclosedCDATAText = "a CDATA section begins here and is not closed; write ]]> at its end"

    /// Where a CDATA section begins that has no end of its own; nil where none does.
    ///
    /// The end tag of its own element stands in it. Either nothing closes it, or it takes the end of a later one, which begins
    /// behind that end tag: sections can't be nested (XML 1.0 §2.7). Without that end tag the document just breaks off there.
    static func unclosedCDATA(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var at = 0
        while true {
            at = self.nextTag(bytes, from: at)
            guard at < bytes.count else { return nil }
            if bytes[at...].begins("<!--") {
                at = self.end("-->", bytes, from: at + 4)
            } else if bytes[at...].begins("<![CDATA[") {
                let end = self.end("]]>", bytes, from: at + 9)
                if self.holdsOwnEndTag(bytes, from: at, to: end) { return at }
                at = end
            } else {
                at += 1
            }
        }
    }

    /// Whether a section that nothing closes holds the end tag of its own element, or one that is closed does before
    /// another section begins in it.
    private static func holdsOwnEndTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
        let isClosed = bytes[(start + 9)..<end].ends("]]>")
        guard let limit = self.next("<![CDATA[", bytes, from: start + 9, to: end) ?? (isClosed ? nil : end),
            let open = bytes[..<start].lastIndex(of: UInt8(ascii: "<")),
            open + 1 < start, bytes[open + 1].isLetter
        else { return false }
        let name = bytes[(open + 1)..<start].prefix { !$0.isBlank && $0 != UInt8(ascii: ">") }
        var at = start + 9
        while let tag = self.next("</", bytes, from: at, to: limit) {
            if bytes[(tag + 2)..<limit].starts(with: name) { return true }
            at = tag + 2
        }
        return false
    }

    /// Where a mark that begins with `<` stands between two offsets.
    private static func next(
        _ mark: StaticString,
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int
    ) -> Int? {
        var at = self.nextTag(bytes, from: start)
        while at < end {
            if bytes[at..<end].begins(mark) { return at }
            at = self.nextTag(bytes, from: at + 1)
        }
        return nil
    }
}
