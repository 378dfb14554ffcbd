import AdCore
package import AdLint
import AdMarkup
package import PlayConsole

/// The results of `lint` as text.
package enum LintText {
    package static func lines(_ result: LintResult, _ style: Style) -> [String] {
        let input = Style.printable(self.name(of: result.input))
        guard let report = result.report else {
            let reason = Style.printable(result.failure ?? "")
            return ["\(input): \(style.red("can't be read")): \(self.reason(reason, of: input))"]
        }
        var lines: [String] = []
        for group in report.groups {
            let place = ([input] + self.place(of: group.first)).joined(separator: ":")
            let severity = self.colored(group.rule.severity, style)
            let count = group.count > 1 ? " ×\(group.count)" : ""
            lines.append(
                "\(place): \(severity) \(style.bold(group.rule.id))\(count): "
                    + Style.printable(group.first.summary, upTo: 400)
            )
            if let others = self.others(in: group) { lines.append(style.dim("    \(others)")) }
            lines.append(style.dim("    → \(group.rule.fix)"))
        }
        if report.unlisted > 0 {
            lines.append(
                "\(input): \(Quantity.text(report.unlisted, "more finding")) not listed (at most 100 per rule, and "
                    + "identical ones on a line once)"
            )
        }
        let counts = LintRule.Severity.allCases.compactMap { severity -> String? in
            let count = report.count(severity)
            return count == 0 ? nil : Quantity.text(count, severity.rawValue)
        }
        let summary = counts.isEmpty ? style.green("no issues found") : counts.joined(separator: ", ")
        lines.append("\(input): \(self.name(report.kind)), \(summary)")
        return lines
    }

    /// The line and the column, if they are known.
    package static func place(of finding: LintFinding) -> [String] {
        finding.line.map { line in ["\(line)"] + (finding.column.map { ["\($0)"] } ?? []) } ?? []
    }

    /// The places of a group's other findings; nil if there are none.
    private static func others(in group: LintGroup) -> String? {
        let others = group.findings.dropFirst().map { self.place(of: $0).joined(separator: ":") }.filter { !$0.isEmpty }
        guard !others.isEmpty else { return nil }
        let shown = others.prefix(LintText.maxPlaces)
        let more = group.count - 1 - shown.count
        return "also at \(shown.joined(separator: ", "))" + (more > 0 ? " and \(more) more" : "")
    }

    /// How many other places of a rule are listed.
    private static let maxPlaces = 10

    static func colored(_ severity: LintRule.Severity, _ style: Style) -> String {
        switch severity {
        case .error: style.red(severity.rawValue)
        case .warning: style.yellow(severity.rawValue)
        case .info: style.dim(severity.rawValue)
        }
    }

    /// The name of the input; URLs are redacted.
    static func name(of input: String) -> String {
        guard let separator = input.firstRange(of: "://") else { return input }
        // The part before "@" may contain a password (RFC 3986 §3.2.1).
        if HTTPURL(input) == nil, input.utf8.contains(UInt8(ascii: "@")) { return input[..<separator.upperBound] + "…" }
        return Redaction.address(input)
    }

    /// Why an input can't be read, without its name and the introduction, which the line already has.
    private static func reason(_ failure: String, of input: String) -> String {
        guard failure.hasPrefix(input + " ") else { return failure }
        let rest = failure.dropFirst(input.count + 1)
        for introduction in ["can't be read: ", "can't be fetched: "] where rest.hasPrefix(introduction) {
            return String(rest.dropFirst(introduction.count))
        }
        return "it \(rest)"
    }

    private static func name(_ kind: LintReport.Kind) -> String {
        switch kind {
        case .vast: "VAST"
        case .vmap: "VMAP"
        case .html: "HTML"
        case .answer: "ad response"
        case .unknown: "not an ad"
        }
    }
}
