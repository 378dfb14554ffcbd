import AdCore
import CLibXML2

/// Looks at documents of VAST and VMAP.
enum XMLLint {
    enum Root { case vast, vmap }

    static func check(_ bytes: [UInt8], _ wanted: Root, from source: HTTPURL?, _ log: inout LintLog) {
        let limits = VASTLimits.standard
        guard bytes.count <= limits.bytes else {
            return log.add(.documentTooLarge, nil, "it has \(bytes.count) bytes, and players read \(limits.bytes)")
        }
        let blanks = bytes.firstIndex { !$0.isBlank } ?? bytes.count
        let linesBefore = bytes[..<blanks].count { $0 == 0x0A }
        let document = Array(bytes[blanks...])
        if let line = document.withUnsafeBufferPointer({ VASTParser.lineOfLongTag($0, limits.tag) }) {
            return log.add(
                .documentTooLarge,
                line + linesBefore,
                "a tag is longer than \(limits.tag) bytes; perhaps a quotation mark is missing"
            )
        }
        if blanks > 0, document.starts(with: "<?xml".utf8) {
            log.add(.xmlDeclarationLate, 1, "\(blanks) blank characters stand before <?xml")
        }
        let outcome = LintTreeReader.read(document, linesBefore: linesBefore)
        if let excess = outcome.excess {
            return log.add(.documentTooLarge, excess.line, "players stop here: \(excess.words)")
        }
        self.wellFormedness(outcome, document, linesBefore, &log)
        guard let root = outcome.tree.root else {
            if !log.has(.xmlNotWellFormed) {
                log.add(.xmlNotWellFormed, linesBefore + 1, "nothing in the document is an element")
            }
            return
        }
        switch (wanted, root.name) {
        case (.vmap, "VMAP"):
            VMAPLint.check(root, &log)
            for vast in root.all("VAST") where vast.outer("VAST") == nil { VASTLint.check(vast, from: source, &log) }
        case (.vast, "VAST"): VASTLint.check(root, from: source, &log)
        case (_, let name) where name.asciiLowercased == "videoadservingtemplate":
            return log.add(.versionOne, root.line, "the root is <\(root.written.excerpt())>, as before VAST 2.0")
        default:
            return log.add(.rootUnknown, root.line, "the root is <\(root.written.excerpt())>")
        }
        SchemaLint.check(outcome.tree, &log)
        ValueLint.check(outcome.tree, &log)
        AddressLint.check(outcome.tree, &log)
    }

    /// The line of the first tag.
    static func lineOfFirstTag(_ bytes: [UInt8]) -> Int {
        var lines = TagLines(bytes, firstLine: 1)
        return lines.first()?.line ?? 1
    }

    /// Where a document of VAST or VMAP begins that stands behind other text.
    static func buriedRoot(_ bytes: [UInt8]) -> Int? {
        if bytes.first(where: { !$0.isBlank }) == UInt8(ascii: "<") { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let head = bytes.prefix(MarkupKind.lookAhead)
            var at = head.startIndex
            while let open = head.index(of: UInt8(ascii: "<"), from: at) {
                let rest = head[open...]
                if rest.begins("<vast ") || rest.begins("<vast>") || rest.begins("<vmap") || rest.begins("<?xml ") {
                    return open
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
        _ linesBefore: Int,
        _ log: inout LintLog
    ) {
        if let line = self.lineOfDoctype(document) {
            log.add(.xmlDoctype, line + linesBefore, "the document declares a DOCTYPE")
        }
        if !outcome.isWellFormed {
            let loose = document.withUnsafeBufferPointer { XMLRepair.looseAmpersands($0) }
            var lines = OffsetLines(document)
            for offset in loose.prefix(LintLog.mostOfRule) {
                let line = lines.line(at: offset) + linesBefore
                log.add(.xmlAmpersandRaw, line, "an & begins no reference in \(self.around(offset, in: document))")
            }
            log.count(.xmlAmpersandRaw, loose.count - LintLog.mostOfRule)
        }
        var told: Set<Int> = []
        for fault in outcome.faults {
            guard told.count < 5, told.insert(fault.line).inserted else { continue }
            var rule = self.rule(for: fault)
            if rule == .xmlAmpersandRaw {
                // Each loose ampersand was told; without one it is something else that is no name.
                if log.has(rule) { continue }
                if fault.code == Int32(bitPattern: XML_ERR_NAME_REQUIRED.rawValue) { rule = .xmlNotWellFormed }
            }
            log.add(rule, fault.line, fault.words.excerpt(160))
        }
        if !outcome.isWellFormed, !LintRule.xml.contains(where: { log.has($0) && $0 != .xmlDoctype }) {
            log.add(.xmlNotWellFormed, linesBefore + 1, "the document is not well-formed")
        }
    }

    private static func around(_ offset: Int, in document: [UInt8]) -> String {
        let part = document[max(0, offset - 30)..<min(document.count, offset + 15)]
        return String(decoding: part, as: UTF8.self).quotedAddress
    }

    private static func rule(for fault: LintTreeReader.Fault) -> LintRule {
        switch xmlParserErrors(UInt32(bitPattern: fault.code)) {
        case XML_ERR_NAME_REQUIRED, XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_UNDECLARED_ENTITY,
            XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF:
            .xmlAmpersandRaw
        case XML_ERR_RESERVED_XML_NAME: .xmlDeclarationLate
        case XML_ERR_DOCUMENT_END: .xmlTextAfterRoot
        case XML_ERR_TAG_NAME_MISMATCH, XML_ERR_LTSLASH_REQUIRED: .xmlTagMismatch
        case XML_ERR_TAG_NOT_FINISHED, XML_ERR_CDATA_NOT_FINISHED, XML_ERR_COMMENT_NOT_FINISHED: .xmlTruncated
        case XML_ERR_ATTRIBUTE_REDEFINED: .xmlAttributeTwice
        case XML_ERR_INVALID_ENCODING, XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING, XML_I18N_CONV_FAILED:
            .xmlEncodingWrong
        case XML_NS_ERR_UNDEFINED_NAMESPACE: .xmlPrefixUndeclared
        default: .xmlNotWellFormed
        }
    }

    private static func lineOfDoctype(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var at = bytes.startIndex
            // A DOCTYPE stands before the root, behind declarations and comments.
            while let open = bytes[...].index(of: UInt8(ascii: "<"), from: at) {
                let rest = bytes[open...]
                if rest.begins("<!doctype") { return bytes[..<open].count { $0 == 0x0A } + 1 }
                guard rest.begins("<?") || rest.begins("<!--") else { return nil }
                let mark = rest.begins("<?") ? "?>" : "-->"
                guard let end = rest.firstRange(of: Array(mark.utf8)) else { return nil }
                at = end.upperBound
            }
            return nil
        }
    }
}

/// Tells lines by offsets that only grow.
struct OffsetLines {
    private let bytes: [UInt8]
    private var offset = 0
    private var reached = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func line(at target: Int) -> Int {
        while self.offset < min(target, self.bytes.count) {
            if self.bytes[self.offset] == 0x0A { self.reached += 1 }
            self.offset += 1
        }
        return self.reached
    }
}
