import AdCore
import CLibXML2

/// What is wrong with the markup, beyond what the scan has found.
extension HTMLReader {
    /// Takes down a fault that the parser tells of, unless no browser would call it one.
    ///
    /// libxml2 knows HTML 4. It complains of every element that is younger, and of each `&` in an address; and what it
    /// says of end tags the reader tells more exactly itself.
    mutating func fault(_ code: Int32, _ name: UnsafePointer<CChar>?, at offset: Int) {
        guard !self.isDone else { return }
        if code == Int32(bitPattern: XML_ERR_NO_MEMORY.rawValue) {
            self.error = MarkupError(.outOfMemory)
            return
        }
        guard self.issues.hasRoom else {
            if self.isFault(code, at: offset) { self.issues.count() }
            return
        }
        guard self.isFault(code, at: offset) else { return }
        let shown = name.map { String(String(cString: $0).prefix(40)) } ?? ""
        let line = self.line(ofText: offset)
        switch xmlParserErrors(UInt32(bitPattern: code)) {
        case XML_ERR_ATTRIBUTE_REDEFINED:
            self.issues.add(
                "html.attribute.duplicate",
                line: line,
                "the attribute \(shown) is given twice in one tag; the first counts"
            )
        case XML_HTML_STRUCURE_ERROR:
            self.issues.add(
                "html.element.misplaced",
                line: line,
                "<\(shown)> stands where it can't; its tag is ignored"
            )
        case XML_ERR_NAME_REQUIRED:
            self.issues.add("html.attribute.name", line: line, "something in a tag is no attribute; it is skipped")
        case XML_ERR_GT_REQUIRED:
            self.issues.add(
                "html.endTag.attributes",
                line: line,
                "an end tag holds more than a name; the rest is ignored"
            )
        case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_HEX_CHARREF:
            self.issues.add("html.entity.unterminated", line: line, "a character reference lacks its semicolon")
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF:
            self.issues.add("html.entity.invalid", line: line, "a character reference names no character")
        default:
            self.issues.add("html.parser", line: line, "the parser stumbled here (libxml2 code \(code))")
        }
    }

    private func isFault(_ code: Int32, at offset: Int) -> Bool {
        switch xmlParserErrors(UInt32(bitPattern: code)) {
        case XML_HTML_UNKNOWN_TAG, XML_ERR_TAG_NAME_MISMATCH, XML_ERR_DOCUMENT_EMPTY, XML_ERR_USER_STOP: false
        case XML_ERR_NAME_REQUIRED: offset > 0 && self.text[offset - 1] != UInt8(ascii: "&")
        case XML_ERR_ENTITYREF_SEMICOL_MISSING: self.isEntity(endingAt: offset)
        default: true
        }
    }

    /// Whether a browser takes what stands before an offset for a character reference, although no semicolon follows:
    /// then it is one that was not meant, or was not finished.
    private func isEntity(endingAt end: Int) -> Bool {
        let following = end < self.text.count ? self.text[end] : 0
        // Left alone in addresses, for the sake of `?a=1&copy=2`.
        if following == UInt8(ascii: "=") || following.isLetter || following.isNumeral { return false }
        let name = self.text[max(0, end - 8)..<end].suffix(while: { $0.isLetter || $0.isNumeral })
        guard !name.isEmpty, name.startIndex > 0, self.text[name.startIndex - 1] == UInt8(ascii: "&") else {
            return false
        }
        // Only the names of Latin 1 and of the four signs of markup go without their semicolon.
        return (1...0xFF).contains(markup_html_entity(Array(name) + [0]))
    }

    /// What is hidden by its own `style` may be shown by a style sheet that outranks that.
    mutating func settleHidden() {
        if self.hasHidden, self.mayUncover { self.document.hasSomethingToSee = true }
    }

    /// Ends the reading: what can only be said now.
    mutating func finish(_ scanned: IssueLog, _ earlier: [Issue]) {
        self.passAllTags()
        self.document.isFragment = !self.scan.isWhole
        self.document.placeholders = self.scan.placeholders.found
        self.settleSize()
        self.settleHidden()

        var whole = earlier
        for list in List.allCases {
            guard let others = self.cut[list] else { continue }
            let message = "\(others) more \(list.rawValue) are not listed"
            whole.append(Issue("html.\(list.rawValue).cut", at: .whole, message))
        }
        if self.scan.placeholders.others > 0 {
            let message = "\(self.scan.placeholders.others) more placeholders are not listed"
            whole.append(Issue("html.placeholders.cut", at: .whole, message))
        }
        self.document.issues = IssueLog.merged([scanned, self.issues], with: whole, limit: self.limits.issues)
    }
}

extension ByteView {
    /// The longest end of which every byte passes.
    fileprivate func suffix(while passes: (UInt8) -> Bool) -> ByteView {
        var start = self.endIndex
        while start > self.startIndex, passes(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
