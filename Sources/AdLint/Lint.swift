public import AdCore
import AdHTML
import AdMarkup

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
    /// `charset` is what the answer's content type says of them. `source` is the address they came from, where that is
    /// known: a wrapper that leads back to it is found by it.
    public static func check(_ bytes: [UInt8], charset: String? = nil, from source: HTTPURL? = nil) -> LintReport {
        var log = LintLog()
        let kind = self.check(bytes, charset, from: source, &log)
        return log.report(kind)
    }

    /// Looks at a tag or a creative that is text already.
    public static func check(_ text: String, from source: HTTPURL? = nil) -> LintReport {
        self.check(Array(text.utf8), charset: "utf-8", from: source)
    }

    static func check(
        _ bytes: [UInt8],
        _ charset: String?,
        from source: HTTPURL?,
        at stage: LintStage = .tag,
        _ log: inout LintLog
    ) -> LintReport.Kind {
        let kind = MarkupKind(sniffing: bytes)
        switch kind {
        // What begins as a string of JSON and is none is a document behind other text.
        case .vast, .vmap:
            let isQuoted = bytes.first { !$0.isWhiteSpace } == UInt8(ascii: "\"")
            if isQuoted, bytes.withUnsafeBufferPointer({ XMLRepair.jsonString($0) }) == nil {
                return self.checkText(bytes, charset, from: source, at: stage, &log)
            }
        default: break
        }
        switch kind {
        case .vast:
            XMLLint.check(bytes, .vast, from: source, &log)
            return .vast
        case .vmap:
            XMLLint.check(bytes, .vmap, from: source, &log)
            return .vmap
        case .json: return AnswerLint.check(bytes, &log)
        case .xml(let root):
            log.add(
                .rootUnknown,
                XMLLint.placeOfFirstTag(bytes),
                "the root is <\(root.excerpt())>, and only <VAST> and <VMAP> are ads"
            )
            return .unknown
        case .html, .text: return self.checkText(bytes, charset, from: source, at: stage, &log)
        case .empty:
            log.add(.documentEmpty, nil)
            return .unknown
        case .binary:
            log.add(.documentBinary, nil)
            return .unknown
        }
    }

    /// Looks at a banner, or at a document of VAST behind some text.
    private static func checkText(
        _ bytes: [UInt8],
        _ charset: String?,
        from source: HTTPURL?,
        at stage: LintStage,
        _ log: inout LintLog
    ) -> LintReport.Kind {
        guard let start = XMLLint.buriedRoot(bytes) else {
            HTMLLint.check(bytes, charset, from: source, at: stage, &log)
            return .html
        }
        let line = bytes[..<start].count { $0 == 0x0A } + 1
        let head = String(decoding: bytes.prefix(60), as: UTF8.self).quoted
        log.add(
            .xmlTextBeforeRoot,
            SourcePlace(line: 1, column: 1),
            "the document begins with \(head), and its root stands on line \(line)"
        )
        // The rest is looked at as if the text were not there.
        let blanks = bytes[..<start].map { $0 == 0x0A ? $0 : 0x20 }
        return self.check(blanks + bytes[start...], charset, from: source, at: stage, &log)
    }
}
