package import AdCore

/// A document with its findings, or markup in a string of it.
package struct LintPart: Sendable {
    /// The name of markup in a response, as in `adm of bid 1`; nil for the document itself.
    package let name: String?
    package let bytes: [UInt8]
    package let report: LintReport
}

extension Lint {
    /// Checks a document, and the markup in it as documents of their own: all findings of ``check(_:charset:from:)``,
    /// each with its place in the markup.
    package static func parts(_ bytes: [UInt8], charset: String? = nil, from source: HTTPURL? = nil) -> [LintPart] {
        var log = self.log(for: source)
        log.markup = []
        let kind = self.check(bytes, charset, from: source, &log)
        return [LintPart(name: nil, bytes: bytes, report: log.report(kind))] + (log.markup ?? [])
    }
}
