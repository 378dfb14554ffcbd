import AdMarkup

/// What one rule of the linter has found in a creative: its places together, because one cure is for all of them.
struct LintGroup {
    let rule: LintRule
    /// Those that are listed.
    let findings: [LintFinding]
    /// How many there are in all.
    let count: Int

    /// As many places as are told of each rule.
    static let mostPlaces = 8

    /// The gravest first, and otherwise in the order of the markup.
    static func all(_ report: LintReport) -> [LintGroup] {
        var rules: [LintRule] = []
        for finding in report.findings where !rules.contains(finding.rule) { rules.append(finding.rule) }
        let groups = rules.map { rule in
            let findings = report.findings.filter { $0.rule == rule }
            return LintGroup(rule: rule, findings: findings, count: max(findings.count, report.counts[rule] ?? 0))
        }
        return LintRule.Severity.allCases.flatMap { severity in groups.filter { $0.rule.severity == severity } }
    }
}
