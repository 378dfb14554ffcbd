package import AdCore
package import AdLint
import AdMarkup

/// The results of `lint --json`: one line per input.
package enum LintJSON {
    package static func line(_ result: LintResult) -> AdJSON {
        guard let report = result.report else {
            return [
                "file": .string(LintText.name(of: result.input)), "kind": nil, "findings": [], "counts": nil,
                "unlisted": 0,
                "error": .text(result.failure),
            ]
        }
        let counts: AdJSON = [
            "error": .int(report.count(.error)), "warning": .int(report.count(.warning)),
            "info": .int(report.count(.info)),
        ]
        return [
            "file": .string(LintText.name(of: result.input)), "kind": .string(report.kind.rawValue),
            "findings": .array(report.groups.map(self.group)),
            "counts": counts, "unlisted": .int(report.unlisted), "error": nil,
        ]
    }

    /// The findings of a rule: place and message of the first one, and all listed places.
    private static func group(_ group: LintGroup) -> AdJSON {
        let first = group.first
        let fix = AdJSON.string(group.rule.fix)
        return [
            "rule": .string(group.rule.id), "severity": .string(group.rule.severity.rawValue),
            "line": first.line.map { .int($0) } ?? .null, "column": first.column.map { .int($0) } ?? .null,
            "count": .int(group.count), "title": .string(group.rule.title), "message": .string(first.message),
            "fix": fix,
            // The former name of `fix`.
            "cure": fix,
            "places": .array(group.findings.map(self.place)),
        ]
    }

    private static func place(_ finding: LintFinding) -> AdJSON {
        [
            "line": finding.line.map { .int($0) } ?? .null, "column": finding.column.map { .int($0) } ?? .null,
            "message": .string(finding.message),
        ]
    }

    /// A rule as `lint --rules --json` prints it.
    package static func rule(_ rule: LintRule) -> AdJSON {
        [
            "rule": .string(rule.id), "severity": .string(rule.severity.rawValue), "title": .string(rule.title),
            "why": .string(rule.why),
            "cure": .string(rule.fix), "specification": rule.specification.map { .string($0) } ?? .null,
        ]
    }
}
