import AdCore
import AdHTML
import AdMarkup
import CLibXML2

// What a strict parser refuses (XML 1.0 §2.1).

extension XMLLint {
    /// Reports why a strict parser refuses the document.
    static func wellFormedness(
        _ outcome: LintTreeReader.Outcome,
        _ document: [UInt8],
        _ start: SourcePlace,
        _ log: inout LintLog
    ) {
        if let offset = self.offsetOfDoctype(document) {
            var places = SourcePlaces(from: start)
            log.add(.xmlDoctype, places.place(at: offset, in: document))
        }
        if !outcome.isWellFormed { self.reportAmpersands(in: document, start, &log) }
        let nul = outcome.isWellFormed ? nil : self.reportNUL(in: document, start, &log)
        if let line = outcome.truncationLine {
            let last = outcome.unfinished.last.map { outcome.tree.nodes[$0].elementName.written.excerpt(60) } ?? ""
            log.add(.xmlTruncated, SourcePlace(line: line), "the document ends within <\(last)>")
        }
        self.reportFaults(of: outcome, nul: nul, &log)
        if !outcome.isWellFormed, !LintRule.xml.contains(where: { log.has($0) && $0 != .xmlDoctype }) {
            log.add(.xmlNotWellFormed, start, "the document is not well-formed")
        }
    }

    /// Reports each `&` that is not part of a reference, up to the limit of a rule.
    private static func reportAmpersands(in document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) {
        let unescaped = self.unescapedAmpersands(document, start, &log)
        var places = SourcePlaces(from: start)
        for offset in unescaped.prefix(LintLog.maxPerRule) {
            let place = places.place(at: offset, in: document)
            log.add(
                .xmlAmpersandRaw,
                place,
                "the & is not part of a reference in \(self.around(offset, in: document))"
            )
        }
        log.addUnlisted(.xmlAmpersandRaw, count: unescaped.count - LintLog.maxPerRule)
    }

    /// Reports the parser's errors, without those that follow from another finding; `nul` is the place of a NUL.
    private static func reportFaults(of outcome: LintTreeReader.Outcome, nul: SourcePlace?, _ log: inout LintLog) {
        var reportedLines: Set<Int> = []
        for error in outcome.errors {
            var rule = self.rule(for: error)
            // The parser takes a NUL for the end of the document.
            let isOfNUL = rule == .xmlTruncated || (rule == .xmlNotWellFormed && error.line == nul?.line)
            if nul != nil, isOfNUL || self.isOfEnd(error) { continue }
            // At the end of a truncated document the parser reports whatever it still expects.
            if let line = outcome.truncationLine, rule == .xmlTruncated || error.line >= line && self.isOfEnd(error) {
                continue
            }
            // A mismatched end tag leaves the root open; the document is not truncated.
            if error.code == Int32(bitPattern: XML_ERR_TAG_NOT_FINISHED.rawValue), log.has(.xmlTagMismatch) { continue }
            guard reportedLines.count < 5, reportedLines.insert(error.line).inserted else { continue }
            if rule == .xmlAmpersandRaw {
                // All unescaped ampersands are reported above; without one it is another kind of invalid name.
                if log.has(rule) || log.has(.xmlEntity) { continue }
                if error.code == Int32(bitPattern: XML_ERR_NAME_REQUIRED.rawValue) { rule = .xmlNotWellFormed }
            }
            log.add(rule, error.place, error.message.excerpt(160))
        }
    }

    /// Reports the first NUL, which XML does not allow (XML 1.0 §2.2); in UTF-16 a zero byte is half a character.
    private static func reportNUL(in document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) -> SourcePlace? {
        guard document.first == UInt8(ascii: "<"), document.dropFirst().first != 0,
            let offset = document.firstIndex(of: 0)
        else { return nil }
        var places = SourcePlaces(from: start)
        let place = places.place(at: offset, in: document)
        let message = "a NUL (the byte 0x00) is here, and parsers stop at it; remove it"
        log.add(.xmlNotWellFormed, place, message)
        return place
    }

    /// Whether the parser reports only that something is missing at the end of the document.
    private static func isOfEnd(_ error: LintTreeReader.ParseError) -> Bool {
        switch xmlParserErrors(UInt32(bitPattern: error.code)) {
        case XML_ERR_GT_REQUIRED, XML_ERR_LTSLASH_REQUIRED, XML_ERR_TAG_NAME_MISMATCH, XML_ERR_NAME_REQUIRED,
            XML_ERR_ATTRIBUTE_NOT_STARTED, XML_ERR_ATTRIBUTE_NOT_FINISHED, XML_ERR_ATTRIBUTE_WITHOUT_VALUE,
            XML_ERR_LT_IN_ATTRIBUTE, XML_ERR_SPACE_REQUIRED, XML_ERR_EQUAL_REQUIRED, XML_ERR_PI_NOT_FINISHED,
            XML_ERR_DOCUMENT_END, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_INVALID_HEX_CHARREF,
            XML_ERR_INVALID_DEC_CHARREF, XML_ERR_INTERNAL_ERROR:
            true
        default: false
        }
    }

    private static func rule(for error: LintTreeReader.ParseError) -> LintRule {
        switch xmlParserErrors(UInt32(bitPattern: error.code)) {
        case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_UNDECLARED_ENTITY,
            XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF:
            .xmlAmpersandRaw
        case XML_ERR_RESERVED_XML_NAME: .xmlDeclarationLate
        case XML_ERR_DOCUMENT_END: .xmlTextAfterRoot
        case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_LTSLASH_REQUIRED: .xmlTagMismatch
        case XML_ERR_TAG_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED, XML_ERR_COMMENT_NOT_FINISHED: .xmlTruncated
        // The parser has one code for invalid bytes and invalid characters.
        case XML_ERR_INVALID_CHAR where error.message.contains("UTF-8") || error.message.contains("encoding"):
            .xmlEncodingWrong
        case XML_ERR_ATTRIBUTE_REDEFINED: .xmlAttributeTwice
        case XML_ERR_INVALID_ENCODING, XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_I18N_CONV_FAILED:
            .xmlEncodingWrong
        case XML_NS_ERR_UNDEFINED_NAMESPACE: .xmlPrefixUndeclared
        default: .xmlNotWellFormed
        }
    }
}
