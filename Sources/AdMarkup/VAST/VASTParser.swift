import AdCore
import LibC

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
    func vast() -> VASTDocument {
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
    fileprivate func vmap() -> VMAPDocument {
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

/// Parses with libxml2: first strictly, and if that fails, once more over repaired bytes (VAST 4.3 §2.3.2).
package enum VASTParser {
    static func read(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTReader.Root,
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
        _ expectedRoot: VASTReader.Root,
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

    private static let escapedText =
        "its quotes are escaped as in JSON (\\\"); they are unescaped. Decode the JSON string first"

    /// Parses a document after other text, such as a server's warning or half a page.
    @inline(never)
    private static func readAfterJunk(
        _ source: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTReader.Root,
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
        _ expectedRoot: VASTReader.Root,
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
        if let line = self.lineOfLongTag(bytes, limits.tag) {
            return .failure(
                VASTError(
                    100,
                    "a tag is longer than \(limits.tag) bytes; check for a missing quotation mark",
                    line: line
                )
            )
        }
        var reader = VASTReader(limits, expectedRoot: expectedRoot, linesBefore: linesBefore)
        if blanks > 0 {
            reader.addIssue("xml.blanks", before + 1, "white space before the document is ignored")
        }
        let isWellFormed = XMLDriver.parse(bytes, recovers: false, into: &reader)
        if isWellFormed || reader.stop != nil { return self.outcome(of: reader) }

        let fault = reader.fault
        if let cut = XMLRepair.unclosedCDATA(bytes) {
            return self.readBefore(cut, of: bytes, expectedRoot, limits, linesBefore: linesBefore)
        }
        var repaired = VASTReader(limits, expectedRoot: expectedRoot, linesBefore: linesBefore)
        let copy = XMLRepair.escaped(bytes)
        let line = fault?.line ?? 1
        repaired.addIssue(
            "xml.repaired",
            line,
            "the document is not well-formed: \(fault?.message ?? "it does not end"); it was repaired"
        )
        switch XMLRepair.jsonEscapes(bytes) {
        case .none: break
        case .all:
            repaired.addIssue("xml.json", line, self.escapedText)
        case .some:
            repaired.addIssue(
                "xml.json",
                line,
                "some of its quotes are escaped as in JSON (\\\"); decode the JSON string first"
            )
        }
        _ = copy.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &repaired) }
        if repaired.root == nil {
            return .failure(
                VASTError(100, "the document is not XML: \(fault?.message ?? "it has no element")", line: line)
            )
        }
        return self.outcome(of: repaired)
    }

    /// Parses the part before a CDATA section that is not closed: after it text and elements can't be told apart.
    @inline(never)
    private static func readBefore(
        _ cut: Int,
        of bytes: UnsafeBufferPointer<UInt8>,
        _ expectedRoot: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError> {
        let line = linesBefore + bytes[..<cut].count { $0 == 0x0A } + 1
        var reader = VASTReader(limits, expectedRoot: expectedRoot, linesBefore: linesBefore)
        reader.addIssue("xml.cdata.unclosed", line, "\(XMLRepair.unclosedCDATAText); everything after it is left out")
        let before = XMLRepair.escaped(UnsafeBufferPointer(rebasing: bytes[..<cut]))
        _ = before.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &reader) }
        reader.unclosedCDATA = line
        if reader.stop == nil, reader.document.ads.isEmpty, reader.schedule.breaks.isEmpty {
            return .failure(VASTError(100, XMLRepair.unclosedCDATAText, line: line))
        }
        return self.outcome(of: reader)
    }

    private static func outcome(of reader: VASTReader) -> Result<VASTReader, VASTError> {
        if let stop = reader.stop { return .failure(stop) }
        return .success(reader)
    }

    /// The line of a tag that exceeds a limit, not counting quoted values.
    ///
    /// libxml2 compares each attribute of a tag with all others, so long tags are slow.
    package static func lineOfLongTag(_ bytes: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int? {
        guard bytes.count > bound, let base = bytes.baseAddress else { return nil }
        var at = 0
        while let open = memchr(base + at, Int32(UInt8(ascii: "<")), bytes.count - at) {
            let start = UnsafeRawPointer(open) - UnsafeRawPointer(base)
            at = start + 1
            // Comments and CDATA sections have ends of their own, and no attributes.
            guard at < bytes.count, bytes[at] != UInt8(ascii: "!") else { continue }
            let window = min(bytes.count - start, bound)
            if let close = memchr(base + start, Int32(UInt8(ascii: ">")), window) {
                at = UnsafeRawPointer(close) - UnsafeRawPointer(base) + 1
            } else if window < bound {
                return nil
            } else if let end = self.endOfTag(bytes, from: start, bound) {
                at = end
            } else {
                return bytes[..<start].count { $0 == 0x0A } + 1
            }
        }
        return nil
    }

    /// The offset after a tag; nil if its unquoted part exceeds the limit, or a quotation mark is missing.
    private static func endOfTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ bound: Int) -> Int? {
        var at = start + 1
        var outside = 0
        while at < bytes.count, outside < bound {
            switch bytes[at] {
            case UInt8(ascii: ">"): return at + 1
            case UInt8(ascii: "<"): return nil
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[at]
                at += 1
                while at < bytes.count, bytes[at] != quote, bytes[at] != UInt8(ascii: "<") { at += 1 }
                guard at < bytes.count, bytes[at] == quote else { return nil }
            default: break
            }
            at += 1
            outside += 1
        }
        return nil
    }
}

extension VASTReader: XMLEventSink {
    var isStopped: Bool { self.stop != nil }

    mutating func start(
        _ name: UnsafeBufferPointer<UInt8>,
        namespace: UnsafePointer<UInt8>?,
        _ attributes: XMLAttributes,
        at position: XMLPosition
    ) {
        self.start(name, attributes, line: position.line)
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, at position: XMLPosition) {
        if self.isCollecting { self.text.append(contentsOf: bytes) }
    }

    mutating func fault(_ fault: XMLFault) {
        guard self.fault == nil, fault.isFatal else { return }
        self.fault = (fault.code, fault.line + self.linesBefore, fault.message)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The bytes as text, with control characters replaced by spaces.
    var textWithoutControls: String {
        String(decoding: self.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
