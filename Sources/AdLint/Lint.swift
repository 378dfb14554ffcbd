public import AdCore
import AdHTML
import AdMarkup

/// Finds mistakes and risks in tags and creatives, each with its place and a fix.
///
/// ```swift
/// let report = Lint.check(bytes)
/// for finding in report.findings { print(finding.line ?? 0, finding.rule.id, finding.message) }
/// ```
///
/// VAST, VMAP, banner HTML and YABBI's ad responses are recognized by how they begin. No request is made and no script
/// runs; time and memory are bounded for any input.
public enum Lint {
    /// Checks the bytes of a tag or a creative.
    ///
    /// `charset` is the one in the response's content type. `source` is the URL of the response, if it is known; it is
    /// needed to find a wrapper that requests itself.
    public static func check(_ bytes: [UInt8], charset: String? = nil, from source: HTTPURL? = nil) -> LintReport {
        var log = self.log(for: source)
        let kind = self.check(bytes, charset, from: source, &log)
        return log.report(kind)
    }

    static func log(for source: HTTPURL?) -> LintLog {
        var log = LintLog()
        // Where a document of a private network was read, its servers can be reached.
        log.isOfPrivateNetwork = source?.isPrivate == true
        return log
    }

    /// Checks the text of a tag or a creative.
    public static func check(_ text: String, from source: HTTPURL? = nil) -> LintReport {
        self.check(Array(text.utf8), charset: "utf-8", from: source)
    }

    static func check(
        _ bytes: [UInt8],
        _ charset: String?,
        from source: HTTPURL?,
        in state: ServingState = .tag,
        _ log: inout LintLog
    ) -> LintReport.Kind {
        let kind = MarkupKind(sniffing: bytes)
        switch kind {
        // Input that begins with a quotation mark but is no JSON string is a document after other text.
        case .vast, .vmap:
            let isQuoted = bytes.first { !$0.isWhiteSpace } == UInt8(ascii: "\"")
            if isQuoted, bytes.withUnsafeBufferPointer({ XMLRepair.jsonString($0) }) == nil {
                return self.checkText(bytes, charset, from: source, in: state, &log)
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
        case .json: return ResponseLint.check(bytes, &log)
        case .xml(let root):
            log.add(
                .rootUnknown,
                XMLLint.placeOfFirstTag(bytes),
                "the root is <\(root.excerpt())>; ad responses have <VAST> or <VMAP>"
            )
            return .unknown
        case .html, .text: return self.checkText(bytes, charset, from: source, in: state, &log)
        case .empty:
            log.add(.documentEmpty, nil)
            return .unknown
        case .binary:
            log.add(.documentBinary, nil)
            return .unknown
        }
    }

    /// Checks a banner, or a VAST document after other text.
    private static func checkText(
        _ bytes: [UInt8],
        _ charset: String?,
        from source: HTTPURL?,
        in state: ServingState,
        _ log: inout LintLog
    ) -> LintReport.Kind {
        guard let start = XMLLint.buriedRoot(bytes) else {
            HTMLLint.check(bytes, charset, from: source, in: state, &log)
            return .html
        }
        let line = bytes[..<start].count { $0 == 0x0A } + 1
        let head = String(decoding: bytes.prefix(60), as: UTF8.self).quoted
        log.add(
            .xmlTextBeforeRoot,
            SourcePlace(line: 1, column: 1),
            "the document begins with \(head), and its root is on line \(line)"
        )
        // Blanks replace the text, so that the places of the rest stay the same.
        let blanks = bytes[..<start].map { $0 == 0x0A ? $0 : 0x20 }
        return self.check(blanks + bytes[start...], charset, from: source, in: state, &log)
    }
}
