public import AdCore

/// Says what is wrong or risky in a tag or a creative, with lines and cures.
///
/// ```swift
/// let report = Lint.check(bytes)
/// for finding in report.findings { print(finding.line ?? 0, finding.rule.id, finding.message) }
/// ```
///
/// VAST, VMAP, banner HTML and YABBI's answers are told apart by how they begin. Nothing is fetched and nothing is run;
/// whatever comes in, it takes bounded time and memory.
public enum Lint {
    /// Looks at the bytes of a tag or a creative.
    ///
    /// `source` is the address they came from, where that is known: a wrapper that leads back to it is found by it.
    public static func check(_ bytes: [UInt8], from source: HTTPURL? = nil) -> LintReport {
        var log = LintLog()
        let kind = self.check(bytes, from: source, &log)
        return log.report(kind)
    }

    /// Looks at a tag or a creative that is text already.
    public static func check(_ text: String, from source: HTTPURL? = nil) -> LintReport {
        self.check(Array(text.utf8), from: source)
    }

    static func check(_ bytes: [UInt8], from source: HTTPURL?, _ log: inout LintLog) -> LintReport.Kind {
        switch MarkupKind(sniffing: bytes) {
        case .vast:
            XMLLint.check(bytes, .vast, from: source, &log)
            return .vast
        case .vmap:
            XMLLint.check(bytes, .vmap, from: source, &log)
            return .vmap
        case .html:
            HTMLLint.check(bytes, from: source, &log)
            return .html
        case .json: return AnswerLint.check(bytes, &log)
        case .xml(let root):
            log.add(
                .rootUnknown,
                XMLLint.lineOfFirstTag(bytes),
                "the root is <\(root.excerpt())>, and only <VAST> and <VMAP> are ads"
            )
            return .unknown
        case .text:
            if let line = XMLLint.lineOfBuriedRoot(bytes) {
                log.add(
                    .xmlTextBeforeRoot,
                    1,
                    "the document begins with \(String(decoding: bytes.prefix(40), as: UTF8.self).quoted), and <VAST> stands on line \(line)"
                )
                return .vast
            }
            HTMLLint.check(bytes, from: source, &log)
            return .html
        case .empty:
            log.add(.documentEmpty, nil, "there is nothing to look at")
            return .unknown
        case .binary:
            log.add(.documentBinary, nil, "the bytes are no text; a creative or a tag was to be here")
            return .unknown
        }
    }
}
