import AdCore
import LibC

extension VASTDocument {
    /// Reads a document; what is not well-formed is repaired where that can be done, and told.
    public init(parsing bytes: [UInt8], limits: VASTLimits = .standard) throws(VASTError) {
        let outcome = bytes.withUnsafeBufferPointer { VASTParser.read($0, .vast, limits) }
        self = try outcome.get().vast()
    }

    /// Reads a document that is text already.
    public init(parsing text: String, limits: VASTLimits = .standard) throws(VASTError) {
        var text = text
        let outcome = text.withUTF8 { VASTParser.read($0, .vast, limits) }
        self = try outcome.get().vast()
    }
}

extension VMAPDocument {
    /// Reads a document; what is not well-formed is repaired where that can be done, and told.
    public init(parsing bytes: [UInt8], limits: VASTLimits = .standard) throws(VASTError) {
        let outcome = bytes.withUnsafeBufferPointer { VASTParser.read($0, .vmap, limits) }
        self = try outcome.get().vmap()
    }

    /// Reads a document that is text already.
    public init(parsing text: String, limits: VASTLimits = .standard) throws(VASTError) {
        var text = text
        let outcome = text.withUTF8 { VASTParser.read($0, .vmap, limits) }
        self = try outcome.get().vmap()
    }
}

extension VASTReader {
    /// What was read as VAST.
    func vast() -> VASTDocument {
        var document = self.document
        if let ad {
            let broken =
                if let line = self.unclosedCDATA {
                    VASTBrokenAd(code: 100, reason: XMLRepair.unclosedCDATAText, errors: ad.errors, line: line)
                } else {
                    VASTBrokenAd(
                        code: 101,
                        reason: "the document ends within an ad; send the whole of it",
                        errors: ad.errors,
                        line: ad.line
                    )
                }
            document.broken.append(broken)
        }
        document.issues = self.allIssues
        return document
    }

    /// What was read as VMAP.
    fileprivate func vmap() -> VMAPDocument {
        var plan = self.plan
        plan.issues = self.allIssues
        return plan
    }

    private var allIssues: [AdIssue] {
        var issues = self.issues
        if let ad = self.ad {
            let code = self.unclosedCDATA == nil ? 101 : 100
            let text = "the document ends within an ad; that ad is left out (\(code))"
            issues.add("vast.ad.truncated", line: ad.line, text)
        }
        if let adBreak = self.adBreak {
            issues.add("vmap.break.truncated", line: adBreak.line, "the document ends within a break; it is left out")
        }
        return IssueLog.merged([issues], with: [], limit: self.limits.issues)
    }
}

/// Drives libxml2: strictly at first, and over repaired bytes where that fails.
package enum VASTParser {
    static func read(
        _ source: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int = 0
    ) -> Result<VASTReader, VASTError> {
        guard source.count <= limits.bytes else {
            return .failure(VASTError(100, "the document is larger than \(limits.bytes) bytes; send a smaller one"))
        }
        let outcome = self.readWhole(source, wanted, limits, linesBefore: linesBefore)
        if case .success = outcome { return outcome }
        if let read = self.readString(source, wanted, limits, linesBefore: linesBefore) { return read }
        return self.readBuried(source, wanted, limits, linesBefore: linesBefore) ?? outcome
    }

    /// Reads a document that is a string of JSON.
    @inline(never)
    private static func readString(
        _ source: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError>? {
        guard let text = XMLRepair.jsonString(source) else { return nil }
        let start = text.firstIndex { !$0.isWhiteSpace } ?? text.count
        let lines = linesBefore + text[..<start].count { $0 == 0x0A }
        return text[start...].withUnsafeBufferPointer { bytes in
            guard case .success(var reader) = self.readWhole(bytes, wanted, limits, linesBefore: lines) else {
                return nil
            }
            reader.addIssue("xml.json", lines + 1, self.escapedText)
            return .success(reader)
        }
    }

    private static let escapedText =
        "its quotes are escaped as in JSON (\\\"); they are read as quotes. Decode the string"

    /// Reads a document that something else precedes: a warning of a server's, half a page.
    @inline(never)
    private static func readBuried(
        _ source: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError>? {
        guard let start = XMLRepair.buriedRoot(source) else { return nil }
        let rest = UnsafeBufferPointer(rebasing: source[start...])
        let lines = linesBefore + source[..<start].count { $0 == 0x0A }
        guard case .success(var reader) = self.readWhole(rest, wanted, limits, linesBefore: lines) else { return nil }
        let words = source.prefix(40).textWithoutControls
        reader.addIssue(
            "xml.junk",
            linesBefore + 1,
            "\u{201C}\(words)\u{201D} stands before the document; it was passed over"
        )
        return .success(reader)
    }

    private static func readWhole(
        _ source: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore before: Int = 0
    ) -> Result<VASTReader, VASTError> {
        let blanks = source.firstIndex { !$0.isWhiteSpace } ?? source.count
        let bytes = UnsafeBufferPointer(rebasing: source[blanks...])
        let linesBefore = before + source[..<blanks].count { $0 == 0x0A }
        guard let first = bytes.first else { return .failure(VASTError(100, "the document is empty")) }
        if first != UInt8(ascii: "<"), first < 0x80, first != 0 {
            let text = "the document is no XML: it begins with \u{201C}\(bytes.prefix(20).textWithoutControls)\u{201D}"
            return .failure(VASTError(100, text, line: linesBefore + 1))
        }
        guard bytes.contains(UInt8(ascii: ">")) || first >= 0x80 || first == 0 else {
            return .failure(
                VASTError(100, "the document is no XML: it ends within its first tag", line: linesBefore + 1)
            )
        }
        if let line = self.lineOfLongTag(bytes, limits.tag) {
            return .failure(
                VASTError(
                    100,
                    "a tag is longer than \(limits.tag) bytes; look for a missing quotation mark",
                    line: line
                )
            )
        }
        var reader = VASTReader(limits, wanted: wanted, linesBefore: linesBefore)
        if blanks > 0 {
            reader.addIssue("xml.blanks", before + 1, "white space stands before the document; it was passed over")
        }
        let isWellFormed = XMLDriver.parse(bytes, recovers: false, into: &reader)
        if isWellFormed || reader.stop != nil { return self.outcome(of: reader) }

        let fault = reader.fault
        if let cut = XMLRepair.unclosedCDATA(bytes) {
            return self.readBefore(cut, of: bytes, wanted, limits, linesBefore: linesBefore)
        }
        var repaired = VASTReader(limits, wanted: wanted, linesBefore: linesBefore)
        let copy = XMLRepair.escaped(bytes)
        let line = fault?.line ?? 1
        repaired.addIssue(
            "xml.repaired",
            line,
            "the document is not well-formed: \(fault?.words ?? "it does not end"); it was repaired"
        )
        switch XMLRepair.jsonEscapes(bytes) {
        case .none: break
        case .all:
            repaired.addIssue("xml.json", line, self.escapedText)
        case .some:
            repaired.addIssue("xml.json", line, "some of its quotes are escaped as in JSON (\\\"); decode the string")
        }
        _ = copy.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &repaired) }
        if repaired.root == nil {
            return .failure(
                VASTError(100, "the document is no XML: \(fault?.words ?? "nothing in it is an element")", line: line)
            )
        }
        return self.outcome(of: repaired)
    }

    /// Reads what precedes a CDATA section that has no end: after it text and elements cannot be distinguished.
    @inline(never)
    private static func readBefore(
        _ cut: Int,
        of bytes: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int
    ) -> Result<VASTReader, VASTError> {
        let line = linesBefore + bytes[..<cut].count { $0 == 0x0A } + 1
        var reader = VASTReader(limits, wanted: wanted, linesBefore: linesBefore)
        reader.addIssue("xml.cdata.unclosed", line, "\(XMLRepair.unclosedCDATAText); what stands behind it is left out")
        let before = XMLRepair.escaped(UnsafeBufferPointer(rebasing: bytes[..<cut]))
        _ = before.withUnsafeBufferPointer { XMLDriver.parse($0, recovers: true, into: &reader) }
        reader.unclosedCDATA = line
        if reader.stop == nil, reader.document.ads.isEmpty, reader.plan.breaks.isEmpty {
            return .failure(VASTError(100, XMLRepair.unclosedCDATAText, line: line))
        }
        return self.outcome(of: reader)
    }

    private static func outcome(of reader: VASTReader) -> Result<VASTReader, VASTError> {
        if let stop = reader.stop { return .failure(stop) }
        return .success(reader)
    }

    /// The line of a tag that is longer than a bound, its values in quotation marks not counted: the parser compares each
    /// attribute of a tag with all others.
    package static func lineOfLongTag(_ bytes: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int? {
        guard bytes.count > bound, let base = bytes.baseAddress else { return nil }
        var at = 0
        while let open = memchr(base + at, Int32(UInt8(ascii: "<")), bytes.count - at) {
            let start = UnsafeRawPointer(open) - UnsafeRawPointer(base)
            at = start + 1
            // Comments and CDATA have their own ends, and no attributes.
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

    /// Where a tag ends; nil if so much stands outside of quotation marks, or one of these is missing.
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
    /// The bytes as text, with a space for each control character.
    var textWithoutControls: String {
        String(decoding: self.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
