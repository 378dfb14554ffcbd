import AdCore
import CLibXML2

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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

    private var allIssues: [Issue] {
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
enum VASTParser {
    /// libxml2's tables are made once, before any two threads could do it at the same time.
    private static let library: Void = xmlInitParser()

    static func read(
        _ source: UnsafeBufferPointer<UInt8>,
        _ wanted: VASTReader.Root,
        _ limits: VASTLimits,
        linesBefore: Int = 0
    ) -> Result<VASTReader, VASTError> {
        self.library
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
        let start = text.firstIndex { !$0.isBlank } ?? text.count
        let lines = linesBefore + text[..<start].count { $0 == 0x0A }
        return text[start...].withUnsafeBufferPointer { bytes in
            guard case .success(var reader) = self.readWhole(bytes, wanted, limits, linesBefore: lines) else {
                return nil
            }
            reader.note("xml.json", lines + 1, self.escapedText)
            return .success(reader)
        }
    }

    private static let escapedText =
        "its quotes are escaped as in JSON (\\\"); they are read as quotes. Decode the string"

    /// Reads a document that something else stands before: a warning of a server's, half a page.
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
        reader.note(
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
        let blanks = source.firstIndex { !$0.isBlank } ?? source.count
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
            reader.note("xml.blanks", before + 1, "white space stands before the document; it was passed over")
        }
        let isWell = self.parse(bytes, recovers: false, &reader)
        if isWell != 0 || reader.stop != nil { return self.outcome(of: reader) }

        let fault = reader.fault
        if let cut = XMLRepair.unclosedCDATA(bytes) {
            return self.readBefore(cut, of: bytes, wanted, limits, linesBefore: linesBefore)
        }
        var repaired = VASTReader(limits, wanted: wanted, linesBefore: linesBefore)
        let copy = XMLRepair.escaped(bytes)
        let line = fault?.line ?? 1
        repaired.note(
            "xml.repaired",
            line,
            "the document is not well-formed: \(fault?.words ?? "it does not end"); it was repaired"
        )
        switch XMLRepair.jsonEscapes(bytes) {
        case .none: break
        case .all:
            repaired.note("xml.json", line, self.escapedText)
        case .some:
            repaired.note("xml.json", line, "some of its quotes are escaped as in JSON (\\\"); decode the string")
        }
        _ = copy.withUnsafeBufferPointer { self.parse($0, recovers: true, &repaired) }
        if repaired.root == nil {
            return .failure(
                VASTError(100, "the document is no XML: \(fault?.words ?? "nothing in it is an element")", line: line)
            )
        }
        return self.outcome(of: repaired)
    }

    /// Reads what stands before a CDATA section that has no end: behind it nobody can tell text from elements.
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
        reader.note("xml.cdata.unclosed", line, "\(XMLRepair.unclosedCDATAText); what stands behind it is left out")
        let before = XMLRepair.escaped(UnsafeBufferPointer(rebasing: bytes[..<cut]))
        _ = before.withUnsafeBufferPointer { self.parse($0, recovers: true, &reader) }
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

    /// Parses, and returns what `markup_xml_parse` returns.
    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, recovers: Bool, _ reader: inout VASTReader) -> Int32
    {
        guard let base = bytes.baseAddress else { return 0 }
        return withUnsafeMutablePointer(to: &reader) { reader in
            var session = markup_xml_session(parser: nil, reader: reader, fault: onFault)
            let chars = UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self)
            let count = Int32(clamping: bytes.count)
            return markup_xml_parse(&session, chars, count, recovers ? 1 : 0, onStart, onEnd, onText)
        }
    }

    /// The line of a tag that is longer than a bound, its values in quotation marks not counted: the parser compares each
    /// attribute of a tag with all others.
    static func lineOfLongTag(_ bytes: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int? {
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

    /// Where a tag ends; nil where so much stands outside of quotation marks, or one of these is missing.
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

/// What a callback gets from C.
private typealias Session = UnsafeMutablePointer<markup_xml_session>

extension Session {
    fileprivate var reader: UnsafeMutablePointer<VASTReader> {
        self.pointee.reader.assumingMemoryBound(to: VASTReader.self)
    }
}

private func onStart(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?,
    _ namespaces: Int32,
    _ declared: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ count: Int32,
    _ defaulted: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let name else { return }
    let length = strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
    session.reader.pointee.start(
        UnsafeBufferPointer(start: name, count: length),
        XMLAttributes(base: attributes, count: Int(count)),
        line: Int(markup_xml_line(session))
    )
    if session.reader.pointee.stop != nil { markup_xml_stop(session) }
}

private func onEnd(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self) else { return }
    session.reader.pointee.end()
}

private func onText(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard let session = context?.assumingMemoryBound(to: markup_xml_session.self), let text else { return }
    guard session.reader.pointee.isCollecting else { return }
    session.reader.pointee.text.append(contentsOf: UnsafeBufferPointer(start: text, count: Int(count)))
}

private func onFault(
    _ session: Session?,
    _ code: Int32,
    _ line: Int32,
    _ isFatal: Int32,
    _ words: UnsafePointer<CChar>?
) {
    guard let session, session.reader.pointee.fault == nil, isFatal != 0 else { return }
    let text = words.map { String(cString: $0) } ?? ""
    let shown = String(text.prefix { $0 != "\n" }.prefix(200))
    session.reader.pointee.fault = (code, Int(line) + session.reader.pointee.linesBefore, shown)
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The bytes as text, with a space for each control character.
    var textWithoutControls: String {
        String(decoding: self.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    }
}
