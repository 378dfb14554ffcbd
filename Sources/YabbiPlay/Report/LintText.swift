import AdCore
import AdMarkup

/// What `lint` prints for people.
enum LintText {
    static func lines(_ result: LintCommand.Result, _ style: Style) -> [String] {
        let input = Style.printable(result.input)
        guard let report = result.report else {
            return ["\(input): \(style.red("can't be read")): \(Style.printable(result.failure ?? ""))"]
        }
        var lines: [String] = []
        // A cure is read once.
        var told: Set<LintRule> = []
        for finding in report.findings {
            let place = finding.line.map { "\(input):\($0)" } ?? input
            let severity = self.coloured(finding.rule.severity, style)
            lines.append(
                "\(place): \(severity) \(style.bold(finding.rule.id)): \(Style.printable(finding.message, upTo: 400))"
            )
            if told.insert(finding.rule).inserted { lines.append(style.dim("    → \(finding.rule.cure)")) }
        }
        if report.unlisted > 0 { lines.append("\(input): \(self.count(report.unlisted, "more finding")) not listed") }
        let counts = LintRule.Severity.allCases.compactMap { severity -> String? in
            let count = report.count(severity)
            return count == 0 ? nil : self.count(count, self.name(severity))
        }
        let verdict = counts.isEmpty ? style.green("nothing to say against it") : counts.joined(separator: ", ")
        lines.append("\(input): \(self.name(report.kind)), \(verdict)")
        return lines
    }

    static func coloured(_ severity: LintRule.Severity, _ style: Style) -> String {
        switch severity {
        case .error: style.red(severity.rawValue)
        case .warning: style.yellow(severity.rawValue)
        case .info: style.dim(severity.rawValue)
        }
    }

    private static func name(_ severity: LintRule.Severity) -> String {
        severity == .info ? "note" : severity.rawValue
    }

    private static func name(_ kind: LintReport.Kind) -> String {
        switch kind {
        case .vast: "VAST"
        case .vmap: "VMAP"
        case .html: "HTML"
        case .answer: "an answer"
        case .unknown: "no ad"
        }
    }

    /// A number and what is counted.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
