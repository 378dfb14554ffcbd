import AdCore
import AdMarkup

/// What `lint --json` prints: one line for each input.
enum LintJSON {
    static func line(_ result: LintCommand.Result) -> JSON {
        guard let report = result.report else {
            return [
                "file": .string(LintText.name(of: result.input)), "kind": nil, "findings": [], "counts": nil,
                "unlisted": 0,
                "error": .text(result.failure),
            ]
        }
        let counts: JSON = [
            "error": .int(report.count(.error)), "warning": .int(report.count(.warning)),
            "info": .int(report.count(.info)),
        ]
        return [
            "file": .string(LintText.name(of: result.input)), "kind": .string(report.kind.rawValue),
            "findings": .array(report.findings.map(self.finding)),
            "counts": counts, "unlisted": .int(report.unlisted), "error": nil,
        ]
    }

    private static func finding(_ finding: LintFinding) -> JSON {
        [
            "rule": .string(finding.rule.id), "severity": .string(finding.rule.severity.rawValue),
            "line": finding.line.map { .int($0) } ?? .null, "message": .string(finding.message),
            "cure": .string(finding.rule.cure),
        ]
    }

    /// A rule as `lint --rules --json` prints it.
    static func rule(_ rule: LintRule) -> JSON {
        [
            "rule": .string(rule.id), "severity": .string(rule.severity.rawValue), "title": .string(rule.title),
            "why": .string(rule.why),
            "cure": .string(rule.cure),
        ]
    }
}
