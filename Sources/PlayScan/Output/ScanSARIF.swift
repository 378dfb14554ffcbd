import AdCore
import AdLint
import PlayConsole
import PlayText

/// The verdicts as a log in the format SARIF 2.1.0 (OASIS): a result for each reason.
enum ScanSARIF {
    static func write(_ results: ScanResults, to path: String) -> String? {
        let driver: AdJSON = [
            "name": "yabbi-play scan", "version": .string(CommandVersion.number),
            "semanticVersion": .string(CommandVersion.number), "rules": .array(self.rules),
        ]
        let tool: AdJSON = ["driver": driver]
        var isFirst = true
        return ScanOutput.write(
            results,
            to: path,
            beginning: """
                {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": \
                \(tool.text()), "columnKind": "unicodeCodePoints", "results": [
                """,
            end: "\n]}]}\n"
        ) { judged in
            judged.verdict.reasons.map { reason in
                defer { isFirst = false }
                let result = self.result(reason, judged.record, isCompared: results.hasBaseline)
                return (isFirst ? "\n" : ",\n") + result.text()
            }.joined()
        }
    }

    private static var rules: [AdJSON] {
        Measure.all.map { measure in
            [
                "id": .string(measure.name), "shortDescription": ["text": .string(measure.title)],
                "fullDescription": ["text": .string(measure.summary)],
            ]
        }
            + LintRule.all.map { rule in
                [
                    "id": .string("lint/\(rule.id)"), "shortDescription": ["text": .string(rule.title)],
                    "fullDescription": ["text": .string(rule.why)], "help": ["text": .string(rule.fix)],
                ]
            }
    }

    private static func result(_ reason: ScanReason, _ record: ScanRecord, isCompared: Bool) -> AdJSON {
        let file: AdJSON = ["uri": .string(LintSARIF.uri(of: record.source))]
        let place: AdJSON =
            reason.line.map { ["artifactLocation": file, "region": ["startLine": .int($0)]] } ?? [
                "artifactLocation": file
            ]
        let result: AdJSON = [
            "ruleId": .string(reason.rule), "level": .string(reason.level == .fail ? "error" : "warning"),
            "message": ["text": .string("\(record.id): \(reason.message)")],
            "locations": [["physicalLocation": place]],
            "partialFingerprints": ["creative/rule": .string("\(record.id)/\(reason.rule)")],
        ]
        // Without an earlier run to compare with, there is no such state (SARIF 2.1.0, 3.27.24).
        guard isCompared, case .object(let members) = result else { return result }
        return .object(members + [.init("baselineState", .string(reason.isKnown ? "unchanged" : "new"))])
    }
}
