import AdCore
import AdHTML
import AdMarkup

/// Checks VAST and VMAP documents: first as XML, then by their elements.
enum XMLLint {
    static func check(
        _ bytes: [UInt8],
        _ wanted: VASTRoot,
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
        guard let (received, start) = self.withoutBlanks(bytes, isDecoded: isDecoded, &log) else { return }
        guard let (document, outcome) = self.parse(received, wanted, from: start, isDecoded: isDecoded, &log) else {
            let text = DecodedJSONString(escaped: bytes, from: SourcePlace(line: 1, column: 1))
            return self.check(text, of: bytes, wanted, from: source, &log)
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
        guard self.checkRoot(root, wanted, from: source, &log) else { return }
        SchemaLint.check(outcome.tree, &log)
        ValueLint.check(outcome.tree, &log)
        URLLint.check(outcome.tree, &log)
        PlayabilityLint.check(bytes, wanted, outcome, &log)
        self.removeAbsences(outcome, &log)
        // Mismatched tags leave text between elements.
        if !outcome.isWellFormed { log.removeAll { $0.rule == .xmlTextStray } }
    }

    /// The document without the white space before it, and where it starts; nil if a tag is too long to be checked.
    private static func withoutBlanks(
        _ bytes: [UInt8],
        isDecoded: Bool,
        _ log: inout LintLog
    ) -> (document: [UInt8], start: SourcePlace)? {
        let limit = VASTLimits.standard.tag
        let blanks = bytes.firstIndex { !$0.isWhiteSpace } ?? bytes.count
        var before = SourcePlaces()
        let start = before.place(at: blanks, in: bytes)
        let document = Array(bytes[blanks...])
        if let line = document.withUnsafeBufferPointer({ XMLRepair.lineOfLongTag($0, limit) }) {
            log.add(
                .documentTooLarge,
                SourcePlace(line: line + start.line - 1),
                "a tag is longer than \(limit) bytes; a quotation mark may be missing"
            )
            return nil
        }
        // Text before the root has a finding of its own.
        if blanks > 0, !isDecoded, document.starts(with: "<?xml".utf8), !log.has(.xmlTextBeforeRoot) {
            log.add(.xmlDeclarationLate, start, "\(blanks) white space characters are before <?xml")
        }
        return (document, start)
    }

    /// Parses a document, repaired where that is reported; nil if all its quotation marks are escaped.
    private static func parse(
        _ document: [UInt8],
        _ wanted: VASTRoot,
        from start: SourcePlace,
        isDecoded: Bool,
        _ log: inout LintLog
    ) -> (document: [UInt8], outcome: LintTreeReader.Outcome)? {
        let outcome = LintTreeReader.read(document, from: start, as: self.beginsWithInline(document) ? wanted : nil)
        guard !outcome.isWellFormed, outcome.excess == nil else { return (document, outcome) }
        switch isDecoded ? .none : document.withUnsafeBufferPointer(XMLRepair.jsonEscapes) {
        case .none: break
        case .some: self.reportEscapes(in: document, from: start, &log)
        case .all: return nil
        }
        guard let closed = self.closed(document, start, &log) else { return (document, outcome) }
        return (closed, LintTreeReader.read(closed, from: start))
    }

    /// Whether the first ad is inline, so that the ads of a document will be needed.
    private static func beginsWithInline(_ document: [UInt8]) -> Bool {
        document.withUnsafeBufferPointer { document in
            for at in 0..<min(document.count, 2_000) where document[at] == UInt8(ascii: "<") {
                if document.has("<InLine", at: at) { return true }
                if document.has("<Wrapper", at: at) { return false }
            }
            return false
        }
    }

    /// Checks the root with the elements below it; false if it is not the wanted one.
    private static func checkRoot(
        _ root: LintElement,
        _ wanted: VASTRoot,
        from source: HTTPURL?,
        _ log: inout LintLog
    ) -> Bool {
        if root.written != root.name {
            log.add(.elementCase, root.place, "the root <\(root.written.excerpt())> must be <\(root.name)>")
        }
        switch (wanted, root.name) {
        case (.vmap, "VMAP"):
            VMAPLint.check(root, &log)
            for vast in root.descendants("VAST") where vast.ancestor("VAST") == nil {
                VASTLint.check(vast, from: source, &log)
            }
            return true
        case (.vast, "VAST"):
            VASTLint.check(root, from: source, &log)
            return true
        case (_, let name) where name.asciiLowercased == "videoadservingtemplate":
            log.add(.versionOne, root.place, "the root is <\(root.written.excerpt())>, as before VAST 2.0")
        default: log.add(.rootUnknown, root.place, "the root is <\(root.written.excerpt())>")
        }
        return false
    }

    /// Checks a document that was sent as a JSON string.
    private static func check(
        _ text: DecodedJSONString,
        of bytes: [UInt8],
        _ wanted: VASTRoot,
        from source: HTTPURL?,
        _ log: inout LintLog
    ) {
        self.reportEscapes(in: bytes, from: SourcePlace(line: 1, column: 1), &log)
        var inner = LintLog()
        self.check(text.bytes, wanted, from: source, isDecoded: true, &inner)
        log.add(inner) { text.place(of: $0) }
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
}
