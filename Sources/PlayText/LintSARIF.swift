package import AdCore
import AdLint
import AdMarkup
import PlayConsole

/// The results of `lint --sarif`: a log in the format SARIF 2.1.0 (OASIS).
package enum LintSARIF {
    package static func log(_ results: [LintResult]) -> AdJSON {
        let order = Dictionary(uniqueKeysWithValues: LintRule.all.enumerated().map { ($0.element, $0.offset) })
        var found: [AdJSON] = []
        var failures: [AdJSON] = []
        for result in results {
            for finding in (result.report?.groups ?? []).flatMap(\.findings) {
                found.append(self.result(finding, in: result.input, order))
            }
            guard let failure = result.failure else { continue }
            failures.append([
                "level": "error", "message": ["text": .string(failure)],
                "locations": [self.location(result.input, nil)],
            ])
        }
        let driver: AdJSON = [
            "name": "yabbi-play", "version": .string(CommandVersion.number),
            "semanticVersion": .string(CommandVersion.number),
            "rules": .array(LintRule.all.map(self.rule)),
        ]
        let run: AdJSON = [
            "tool": ["driver": driver],
            "invocations": [
                ["executionSuccessful": .bool(failures.isEmpty), "toolExecutionNotifications": .array(failures)]
            ],
            "columnKind": "unicodeCodePoints", "results": .array(found),
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }

    private static func rule(_ rule: LintRule) -> AdJSON {
        [
            "id": .string(rule.id), "shortDescription": ["text": .string(rule.title)],
            "fullDescription": ["text": .string(rule.why)],
            "help": ["text": .string(rule.fix)], "defaultConfiguration": ["level": .string(self.level(rule.severity))],
            "properties": .object(rule.specification.map { [.init("specification", .string($0))] } ?? []),
        ]
    }

    private static func result(_ finding: LintFinding, in input: String, _ order: [LintRule: Int]) -> AdJSON {
        [
            "ruleId": .string(finding.rule.id), "ruleIndex": .int(order[finding.rule] ?? -1),
            "level": .string(self.level(finding.rule.severity)),
            "message": ["text": .string("\(finding.summary). \(finding.rule.fix)")],
            "locations": [self.location(input, finding)],
        ]
    }

    private static func level(_ severity: LintRule.Severity) -> String {
        severity == .info ? "note" : severity.rawValue
    }

    private static func location(_ input: String, _ finding: LintFinding?) -> AdJSON {
        let file: AdJSON = ["uri": .string(self.uri(of: input))]
        guard let finding, let line = finding.line else { return ["physicalLocation": ["artifactLocation": file]] }
        var region = [AdJSON.Member("startLine", .int(line))]
        if let column = finding.column { region.append(AdJSON.Member("startColumn", .int(column))) }
        return ["physicalLocation": ["artifactLocation": file, "region": .object(region)]]
    }

    /// The input as a URI; the segments of a path are percent-encoded.
    package static func uri(of input: String) -> String {
        if input == "-" { return "stdin" }
        if input.contains("://") { return HTTPURL(input).map { Redaction.address($0.text) } ?? "unknown" }
        let steps = input.split(separator: "/", omittingEmptySubsequences: false)
        let path = steps.map { PercentEncoding.component(String($0)) }.joined(separator: "/")
        return (input.hasPrefix("/") ? "file://" : "") + path
    }
}
