import AdCore
import AdMarkup
import CLibXML2

/// Errors that libxml2 reports, in addition to those of the scanner.
extension HTMLReader {
    /// Adds an error of the parser, unless browsers accept the markup.
    ///
    /// libxml2 parses HTML 4: it reports every newer element and each `&` in a URL. Its errors about end tags are less
    /// precise than the reader's own.
    mutating func parseError(_ code: Int32, _ name: UnsafePointer<CChar>?, at offset: Int, in parse: inout HTMLParse) {
        guard HTMLReader.isError(code, at: offset, in: parse.text) else { return }
        guard parse.issues.hasRoom else { return parse.issues.count() }
        let shown = name.map { String(String(cString: $0).prefix(40)) } ?? ""
        let line = parse.line(ofText: offset)
        switch xmlParserErrors(UInt32(bitPattern: code)) {
        case XML_ERR_ATTRIBUTE_REDEFINED:
            parse.issues.add(
                "html.attribute.duplicate",
                line: line,
                "the attribute \(shown) is twice in one tag; the first is used"
            )
        case XML_HTML_STRUCURE_ERROR:
            parse.issues.add(
                "html.element.misplaced",
                line: line,
                "<\(shown)> is not allowed here; its tag is ignored"
            )
        case XML_ERR_NAME_REQUIRED:
            parse.issues.add("html.attribute.name", line: line, "part of a tag is not an attribute; it is skipped")
        case XML_ERR_GT_REQUIRED:
            parse.issues.add(
                "html.endTag.attributes",
                line: line,
                "an end tag has attributes; they are ignored"
            )
        case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INVALID_HEX_CHARREF:
            parse.issues.add("html.entity.unterminated", line: line, "a character reference has no semicolon")
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF:
            parse.issues.add("html.entity.invalid", line: line, "a character reference is invalid")
        default:
            parse.issues.add("html.parser", line: line, "the parser reports an error (libxml2 code \(code))")
        }
    }

    private static func isError(_ code: Int32, at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch xmlParserErrors(UInt32(bitPattern: code)) {
        case XML_HTML_UNKNOWN_TAG, XML_ERR_TAG_NAME_MISMATCH, XML_ERR_DOCUMENT_EMPTY, XML_ERR_USER_STOP: false
        case XML_ERR_NAME_REQUIRED: offset > 0 && text[offset - 1] != UInt8(ascii: "&")
        case XML_ERR_ENTITYREF_SEMICOL_MISSING: self.isEntity(endingAt: offset, in: text)
        default: true
        }
    }

    /// Whether a browser reads the text before an offset as a character reference although it has no semicolon (HTML,
    /// "Named character reference state").
    ///
    /// Such a reference is unintended or incomplete.
    private static func isEntity(endingAt end: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let following = end < text.count ? text[end] : 0
        // Browsers leave `?a=1&copy=2` unchanged in URLs.
        if following == UInt8(ascii: "=") || following.isASCIILetter || following.isDigit { return false }
        let name = text[max(0, end - 8)..<end].suffix(while: { $0.isASCIILetter || $0.isDigit })
        guard !name.isEmpty, name.startIndex > 0, text[name.startIndex - 1] == UInt8(ascii: "&") else {
            return false
        }
        // Only the names of Latin-1 characters and of `<`, `>`, `&` and `"` need no semicolon.
        return (1...0xFF).contains(markup_html_entity(Array(name) + [0]))
    }
}

extension ByteView {
    /// The longest suffix whose bytes all pass a test.
    fileprivate func suffix(while passes: (UInt8) -> Bool) -> ByteView {
        var start = self.endIndex
        while start > self.startIndex, passes(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
