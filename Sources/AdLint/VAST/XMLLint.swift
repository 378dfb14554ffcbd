import AdCore
import AdHTML
import AdMarkup
import CLibXML2

/// Checks VAST and VMAP documents: first as XML, then by their elements.
enum XMLLint {
    enum Root { case vast, vmap }

    static func check(
        _ bytes: [UInt8],
        _ wanted: Root,
        from source: HTTPURL?,
        isDecoded: Bool = false,
        _ log: inout LintLog
    ) {
        let limits = VASTLimits.standard
        guard bytes.count <= limits.bytes else {
            return log.add(.documentTooLarge, nil, "it has \(bytes.count) bytes, and the limit is \(limits.bytes)")
        }
        if !isDecoded, let text = DecodedJSONString(string: bytes) {
            return self.check(text, of: bytes, wanted, from: source, &log)
        }
        let blanks = bytes.firstIndex { !$0.isWhiteSpace } ?? bytes.count
        var before = SourcePlaces()
        let start = before.place(at: blanks, in: bytes)
        let received = Array(bytes[blanks...])
        if let line = received.withUnsafeBufferPointer({ XMLRepair.lineOfLongTag($0, limits.tag) }) {
            return log.add(
                .documentTooLarge,
                SourcePlace(line: line + start.line - 1),
                "a tag is longer than \(limits.tag) bytes; a quotation mark may be missing"
            )
        }
        // Text before the root has a finding of its own.
        if blanks > 0, !isDecoded, received.starts(with: "<?xml".utf8), !log.has(.xmlTextBeforeRoot) {
            log.add(.xmlDeclarationLate, start, "\(blanks) white space characters are before <?xml")
        }
        var document = received
        var outcome = LintTreeReader.read(document, from: start)
        if !outcome.isWellFormed, outcome.excess == nil {
            switch isDecoded ? .none : document.withUnsafeBufferPointer(XMLRepair.jsonEscapes) {
            case .none: break
            case .some: self.reportEscapes(in: document, from: start, &log)
            case .all:
                let text = DecodedJSONString(escaped: bytes, from: SourcePlace(line: 1, column: 1))
                return self.check(text, of: bytes, wanted, from: source, &log)
            }
            if let closed = self.closed(document, start, &log) {
                document = closed
                outcome = LintTreeReader.read(document, from: start)
            }
        }
        if let excess = outcome.excess {
            return log.add(.documentTooLarge, SourcePlace(line: excess.line), "players stop here: \(excess.message)")
        }
        self.wellFormedness(outcome, document, start, &log)
        guard let root = outcome.tree.root else {
            if !log.has(.xmlNotWellFormed) {
                log.add(.xmlNotWellFormed, start, "the document has no element")
            }
            return
        }
        if root.written != root.name {
            log.add(.elementCase, root.place, "the root <\(root.written.excerpt())> must be <\(root.name)>")
        }
        switch (wanted, root.name) {
        case (.vmap, "VMAP"):
            VMAPLint.check(root, &log)
            for vast in root.descendants("VAST") where vast.ancestor("VAST") == nil {
                VASTLint.check(vast, from: source, &log)
            }
        case (.vast, "VAST"): VASTLint.check(root, from: source, &log)
        case (_, let name) where name.asciiLowercased == "videoadservingtemplate":
            return log.add(.versionOne, root.place, "the root is <\(root.written.excerpt())>, as before VAST 2.0")
        default:
            return log.add(.rootUnknown, root.place, "the root is <\(root.written.excerpt())>")
        }
        SchemaLint.check(outcome.tree, &log)
        ValueLint.check(outcome.tree, &log)
        URLLint.check(outcome.tree, &log)
        PlayabilityLint.check(bytes, wanted, outcome.tree, &log)
        self.removeAbsences(outcome, &log)
        // Mismatched tags leave text between elements.
        if !outcome.isWellFormed { log.removeAll { $0.rule == .xmlTextStray } }
    }

    /// Checks a document that was sent as a JSON string.
    private static func check(
        _ text: DecodedJSONString,
        of bytes: [UInt8],
        _ wanted: Root,
        from source: HTTPURL?,
        _ log: inout LintLog
    ) {
        self.reportEscapes(in: bytes, from: SourcePlace(line: 1, column: 1), &log)
        var inner = LintLog()
        self.check(text.bytes, wanted, from: source, isDecoded: true, &inner)
        log.add(inner) { text.place(of: $0) }
    }

    /// Reports escaped quotation marks, at the first of them.
    private static func reportEscapes(in document: [UInt8], from start: SourcePlace, _ log: inout LintLog) {
        let mark = document.firstRange(of: Array("=\\\"".utf8)).map { $0.lowerBound + 1 }
        let offset = mark ?? document.firstIndex { !$0.isWhiteSpace } ?? 0
        var places = SourcePlaces(from: start)
        log.add(.xmlQuotesEscaped, places.place(at: offset, in: document), self.around(offset, in: document))
    }

    /// Reports CDATA sections without `]]>`, and returns the document with it; nil if none is missing.
    ///
    /// Without the repair everything after the section would be reported.
    private static func closed(_ document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) -> [UInt8]? {
        let open = document.withUnsafeBufferPointer { Array(XMLRepair.OpenSections($0)) }
        guard !open.isEmpty else { return nil }
        var places = SourcePlaces(from: start)
        var result: [UInt8] = []
        result.reserveCapacity(document.count + 3 * open.count)
        var kept = 0
        for section in open {
            log.add(
                .xmlCDATAUnclosed,
                places.place(at: section.start, in: document),
                self.around(section.start + 25, in: document)
            )
            result += document[kept..<section.end]
            result += "]]>".utf8
            kept = section.end
        }
        return result + document[kept...]
    }

    /// Removes findings about parts that are missing only because the document is truncated.
    private static func removeAbsences(_ outcome: LintTreeReader.Outcome, _ log: inout LintLog) {
        guard !outcome.unfinished.isEmpty else { return }
        let nodes = outcome.unfinished.map { outcome.tree.nodes[$0] }
        let lines = Set(nodes.flatMap { [$0.place.line, $0.textLine] })
        let video = nodes.first { $0.name == "Linear" }?.place.line
        log.removeAll { finding in
            guard let line = finding.line else { return false }
            if LintRule.absences.contains(finding.rule) { return lines.contains(line) }
            guard let video, LintRule.linearAbsences.contains(finding.rule) else { return false }
            return line >= video
        }
    }

    /// The place of the first tag.
    static func placeOfFirstTag(_ bytes: [UInt8]) -> SourcePlace {
        let start = SourcePlace(line: 1, column: 1)
        var lines = StartTagScanner(bytes, from: start)
        return lines.first()?.place ?? start
    }

    /// The offset of a VAST or VMAP document after other text or other tags; nil if there is none.
    static func buriedRoot(_ bytes: [UInt8]) -> Int? {
        if bytes.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "<") { return self.rootBehindTags(bytes) }
        return bytes.withUnsafeBufferPointer { bytes in
            let head = bytes.prefix(MarkupKind.lookAhead)
            var at = head.startIndex
            while let open = head.index(of: UInt8(ascii: "<"), from: at) {
                let rest = head[open...]
                if rest.startsIgnoringCase("<vast ") || rest.startsIgnoringCase("<vast>")
                    || rest.startsIgnoringCase("<vmap") || rest.startsIgnoringCase("<?xml ")
                {
                    return open
                }
                at = open + 1
            }
            return nil
        }
    }

    /// The offset of the root after other tags, such as those of a server's warning; nil if there is no root.
    ///
    /// A page may contain VAST in a script: only a root that is closed at the end of the input counts.
    private static func rootBehindTags(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            let all = bytes[...].withoutWhiteSpace
            guard all.endsIgnoringCase("</vast>") || all.endsIgnoringCase(":vmap>") || all.endsIgnoringCase("</vmap>")
            else { return nil }
            var declaration: Int?
            var scripts = 0
            var at = all.startIndex
            let head = all.prefix(MarkupKind.lookAhead)
            while let open = head.index(of: UInt8(ascii: "<"), from: at) {
                let rest = head[open...]
                if rest.startsIgnoringCase("<script") { scripts += 1 }
                if rest.startsIgnoringCase("</script") { scripts -= 1 }
                if rest.startsIgnoringCase("<?xml ") { declaration = open }
                let isRoot =
                    rest.startsIgnoringCase("<vast ") || rest.startsIgnoringCase("<vast>")
                    || rest.startsIgnoringCase("<vmap")
                if isRoot, scripts <= 0 {
                    let start = declaration ?? open
                    return start == all.startIndex ? nil : start
                }
                at = open + 1
            }
            return nil
        }
    }

    // MARK: Well-formedness

    private static func wellFormedness(
        _ outcome: LintTreeReader.Outcome,
        _ document: [UInt8],
        _ start: SourcePlace,
        _ log: inout LintLog
    ) {
        if let offset = self.offsetOfDoctype(document) {
            var places = SourcePlaces(from: start)
            log.add(.xmlDoctype, places.place(at: offset, in: document))
        }
        if !outcome.isWellFormed {
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
        let nul = outcome.isWellFormed ? nil : self.reportNUL(in: document, start, &log)
        if let line = outcome.truncationLine {
            let last = outcome.unfinished.last.map { outcome.tree.nodes[$0].written.excerpt(60) } ?? ""
            log.add(.xmlTruncated, SourcePlace(line: line), "the document ends within <\(last)>")
        }
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
        if !outcome.isWellFormed, !LintRule.xml.contains(where: { log.has($0) && $0 != .xmlDoctype }) {
            log.add(.xmlNotWellFormed, start, "the document is not well-formed")
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

    /// The offsets of each `&` that is not part of a reference; the first entity is reported here.
    private static func unescapedAmpersands(_ document: [UInt8], _ start: SourcePlace, _ log: inout LintLog) -> [Int] {
        let doctype = self.doctype(document)
        var first: (offset: Int, name: String)?
        let found = document.withUnsafeBufferPointer { document in
            XMLRepair.unescapedAmpersands(document).filter { offset in
                if let doctype, doctype.contains(offset) { return false }
                guard let name = self.entity(document, at: offset) else { return true }
                first = first ?? (offset, name.text)
                return false
            }
        }
        if let first {
            var places = SourcePlaces(from: start)
            let place = places.place(at: first.offset, in: document)
            log.add(.xmlEntity, place, "&\(first.name); is an entity, and no entity is expanded")
        }
        return found
    }

    /// The name of the entity that is referenced at an ampersand; nil if there is none.
    private static func entity(_ document: UnsafeBufferPointer<UInt8>, at offset: Int) -> ByteView? {
        var end = offset + 1
        guard end < document.count, document[end].isASCIILetter else { return nil }
        while end < document.count, end - offset < 33, document[end].isASCIILetter || document[end].isDigit { end += 1 }
        guard end < document.count, document[end] == UInt8(ascii: ";") else { return nil }
        return document[(offset + 1)..<end]
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

    private static func around(_ offset: Int, in document: [UInt8]) -> String {
        let part = document[max(0, offset - 30)..<min(document.count, offset + 15)]
        return String(decoding: part, as: UTF8.self).quotedURL
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

    /// The extent of the DOCTYPE with its internal subset (XML 1.0 §2.8); nil if there is none.
    private static func doctype(_ bytes: [UInt8]) -> Range<Int>? {
        guard let start = self.offsetOfDoctype(bytes) else { return nil }
        var quote: UInt8?
        var isOpen = false
        for at in start..<bytes.count {
            let byte = bytes[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "["): isOpen = true
                case UInt8(ascii: "]"): isOpen = false
                case UInt8(ascii: ">") where !isOpen: return start..<at
                default: break
                }
            }
        }
        return start..<bytes.count
    }

    private static func offsetOfDoctype(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var at = bytes.startIndex
            // A DOCTYPE precedes the root, after declarations and comments.
            while let open = bytes[...].index(of: UInt8(ascii: "<"), from: at) {
                let rest = bytes[open...]
                if rest.startsIgnoringCase("<!doctype") { return open }
                guard rest.startsIgnoringCase("<?") || rest.startsIgnoringCase("<!--") else { return nil }
                let mark = rest.startsIgnoringCase("<?") ? "?>" : "-->"
                guard let end = rest.firstRange(of: Array(mark.utf8)) else { return nil }
                at = end.upperBound
            }
            return nil
        }
    }
}
