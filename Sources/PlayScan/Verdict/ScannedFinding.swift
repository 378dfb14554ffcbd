import AdCore
package import AdLint

/// What the linter has found in a creative: one rule, with its first place.
package struct ScannedFinding: Hashable, Sendable {
    package let rule: String
    package let severity: LintRule.Severity
    package let count: Int
    /// Nil if it is about the whole markup.
    package let line: Int?
    package let message: String

    package init(_ rule: String, _ severity: LintRule.Severity, count: Int, line: Int?, _ message: String) {
        self.rule = rule
        self.severity = severity
        self.count = count
        self.line = line
        self.message = message
    }

    /// The findings of a report, one for each rule.
    package static func all(in report: LintReport?) -> [ScannedFinding] {
        (report?.groups ?? []).map { group in
            let message = group.first.summary.excerpt(300)
            return ScannedFinding(
                group.rule.id,
                group.rule.severity,
                count: group.count,
                line: group.first.line,
                message
            )
        }
    }

    var json: AdJSON {
        [
            "rule": .string(self.rule), "severity": .string(self.severity.rawValue), "count": .int(self.count),
            "line": self.line.map { .int($0) } ?? .null, "message": .string(self.message),
        ]
    }

    /// Reads what `json` has written; nil if it is something else.
    init?(_ json: AdJSON) {
        guard let rule = json["rule"]?.string,
            let severity = json["severity"]?.string.flatMap(LintRule.Severity.init(rawValue:)),
            let message = json["message"]?.string
        else { return nil }
        self.init(
            rule,
            severity,
            count: json["count"]?.number.flatMap { Int(exactly: $0) } ?? 1,
            line: json["line"]?.number.flatMap { Int(exactly: $0) },
            message
        )
    }
}
