import AdCore

extension VASTDocument {
    /// Parses a document; a document that is not well-formed is repaired if possible, with issues.
    public init(parsing bytes: [UInt8], limits: VASTLimits = .standard) throws(VASTError) {
        let outcome = bytes.withUnsafeBufferPointer { VASTParser.read($0, .vast, limits) }
        self = try outcome.get().vast()
    }

    /// Parses a document that is text.
    public init(parsing text: String, limits: VASTLimits = .standard) throws(VASTError) {
        var text = text
        let outcome = text.withUTF8 { VASTParser.read($0, .vast, limits) }
        self = try outcome.get().vast()
    }
}

extension VMAPDocument {
    /// Parses a document; a document that is not well-formed is repaired if possible, with issues.
    public init(parsing bytes: [UInt8], limits: VASTLimits = .standard) throws(VASTError) {
        let outcome = bytes.withUnsafeBufferPointer { VASTParser.read($0, .vmap, limits) }
        self = try outcome.get().vmap()
    }

    /// Parses a document that is text.
    public init(parsing text: String, limits: VASTLimits = .standard) throws(VASTError) {
        var text = text
        let outcome = text.withUTF8 { VASTParser.read($0, .vmap, limits) }
        self = try outcome.get().vmap()
    }
}

extension VASTReader {
    /// The document that was parsed as VAST.
    consuming func vast() -> VASTDocument {
        var document = self.document
        if let ad {
            let broken =
                if let line = self.unclosedCDATA {
                    VASTBrokenAd(code: 100, reason: XMLRepair.unclosedCDATAText, errors: ad.errors, line: line)
                } else {
                    VASTBrokenAd(
                        code: 101,
                        reason: "the document ends inside an ad; send the complete document",
                        errors: ad.errors,
                        line: ad.line
                    )
                }
            document.broken.append(broken)
        }
        document.issues = self.allIssues
        return document
    }

    /// The document that was parsed as VMAP.
    func vmap() -> VMAPDocument {
        var schedule = self.schedule
        schedule.issues = self.allIssues
        return schedule
    }

    private var allIssues: [AdIssue] {
        var issues = self.issues
        if let ad = self.ad {
            let code = self.unclosedCDATA == nil ? 101 : 100
            let text = "the document ends inside an ad; the ad is left out (\(code))"
            issues.add("vast.ad.truncated", line: ad.line, text)
        }
        if let adBreak = self.adBreak {
            issues.add(
                "vmap.break.truncated",
                line: adBreak.line,
                "the document ends inside a break; the break is left out"
            )
        }
        return IssueLog.merged([issues], with: [], limit: self.limits.issues)
    }
}

/// The root element that a document should have.
package enum VASTRoot { case vast, vmap }

/// Parses with libxml2: first strictly, and if that fails, once more over repaired bytes (VAST 4.3 §2.3.2).
package enum VASTParser {
    static func read(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTRoot,
        _ limits: VASTLimits,
        linesBefore: Int = 0
    ) -> Result<VASTReader, VASTError> {
        guard source.count <= limits.bytes else {
            return .failure(VASTError(100, "the document is larger than \(limits.bytes) bytes; send a smaller one"))
        }
        let outcome = self.readWhole(source, expectedRoot, limits, linesBefore: linesBefore)
        if case .success = outcome { return outcome }
        if let read = self.readString(source, expectedRoot, limits, linesBefore: linesBefore) { return read }
        return self.readAfterJunk(source, expectedRoot, limits, linesBefore: linesBefore) ?? outcome
    }

    /// Parses a document inside a JSON string.
    @inline(never)
    private static func readString(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTRoot,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError>? {
        guard let text = XMLRepair.jsonString(source) else { return nil }
        let start = text.firstIndex { !$0.isWhiteSpace } ?? text.count
        let lines = linesBefore + text[..<start].count { $0 == 0x0A }
        return text[start...].withUnsafeBufferPointer { bytes in
            guard case .success(var reader) = self.readWhole(bytes, expectedRoot, limits, linesBefore: lines) else {
                return nil
            }
            reader.addIssue("xml.json", lines + 1, self.escapedText)
            return .success(reader)
        }
    }

    fileprivate static let escapedText =
        "its quotes are escaped as in JSON (\\\"); they are unescaped. Decode the JSON string first"

    /// Parses a document after other text, such as a server's warning or half a page.
    @inline(never)
    private static func readAfterJunk(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTRoot,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError>? {
        guard let start = XMLRepair.rootAfterJunk(source) else { return nil }
        let rest = UnsafeBufferPointer(rebasing: source[start...])
        let lines = linesBefore + source[..<start].count { $0 == 0x0A }
        guard case .success(var reader) = self.readWhole(rest, expectedRoot, limits, linesBefore: lines) else {
            return nil
        }
        let words = source.prefix(40).textWithoutControls
        reader.addIssue(
            "xml.junk",
            linesBefore + 1,
            "text before the document is ignored: \u{201C}\(words)\u{201D}"
        )
        return .success(reader)
    }

    private static func readWhole(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTRoot,
        _ limits: VASTLimits,
        linesBefore before: Int = 0
    ) -> Result<VASTReader, VASTError> {
        let blanks = source.firstIndex { !$0.isWhiteSpace } ?? source.count
        let bytes = UnsafeBufferPointer(rebasing: source[blanks...])
        let linesBefore = before + source[..<blanks].count { $0 == 0x0A }
        guard let first = bytes.first else { return .failure(VASTError(100, "the document is empty")) }
        if first != UInt8(ascii: "<"), first < 0x80, first != 0 {
            let text = "the document is not XML: it begins with \u{201C}\(bytes.prefix(20).textWithoutControls)\u{201D}"
            return .failure(VASTError(100, text, line: linesBefore + 1))
        }
        guard bytes.contains(UInt8(ascii: ">")) || first >= 0x80 || first == 0 else {
            return .failure(
                VASTError(100, "the document is not XML: it ends inside its first tag", line: linesBefore + 1)
            )
        }
        if let line = XMLRepair.lineOfLongTag(bytes, limits.tag) {
            return .failure(
                VASTError(
                    100,
                    "a tag is longer than \(limits.tag) bytes; check for a missing quotation mark",
                    line: line
                )
            )
        }
        let (reader, repaired) = XMLRecovery<VASTReader>.parse(bytes, omitting: .afterOpenSection) { repaired in
            var reader = VASTReader(limits, expectedRoot: expectedRoot, linesBefore: linesBefore)
            if let repaired {
                reader.addIssues(of: repaired.repair, after: repaired.strict.firstError, bytes)
            } else if blanks > 0 {
                reader.addIssue("xml.blanks", before + 1, "white space before the document is ignored")
            }
            return reader
        }
        if let stop = reader.stop { return .failure(stop) }
        guard let error = repaired?.strict.firstError else { return .success(reader) }
        if let line = reader.unclosedCDATA {
            if !reader.document.ads.isEmpty || !reader.schedule.breaks.isEmpty { return .success(reader) }
            return .failure(VASTError(100, XMLRepair.unclosedCDATAText, line: line))
        }
        guard reader.root == nil else { return .success(reader) }
        return .failure(VASTError(100, "the document is not XML: \(error.message)", line: error.line))
    }
}

extension VASTReader {
    /// Adds the issues of a repair.
    fileprivate mutating func addIssues(
        of repair: XMLRepair,
        after error: (code: Int32, line: Int, message: String)?,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) {
        if let section = repair.openSection {
            let line = self.linesBefore + bytes[..<section].count { $0 == 0x0A } + 1
            self.unclosedCDATA = line
            let text = "\(XMLRepair.unclosedCDATAText); everything after it is left out"
            return self.addIssue("xml.cdata.unclosed", line, text)
        }
        let line = error?.line ?? 1
        self.addIssue(
            "xml.repaired",
            line,
            "the document is not well-formed: \(error?.message ?? "it does not end"); it was repaired"
        )
        switch repair.escapes {
        case .none: break
        case .all:
            self.addIssue("xml.json", line, VASTParser.escapedText)
        case .some:
            self.addIssue(
                "xml.json",
                line,
                "some of its quotes are escaped as in JSON (\\\"); decode the JSON string first"
            )
        }
    }
}

extension VASTReader: XMLEventSink {
    var isStopped: Bool { self.stop != nil }

    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) -> Bool {
        self.start(name, attributes, line: position.line)
        return self.stop == nil
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        if self.isCollecting { self.text.append(contentsOf: bytes) }
    }

    mutating func parseError(_ error: XMLParseError) {
        guard self.firstError == nil, error.isFatal else { return }
        self.firstError = (error.code, error.line + self.linesBefore, error.message)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The bytes as text, with control characters replaced by spaces.
    var textWithoutControls: String {
        String(decoding: self.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
