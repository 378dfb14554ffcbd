import AdCore

/// The verdicts as JUnit XML: a test case for each creative, which fails if the creative does.
enum ScanJUnit {
    static func write(_ results: ScanResults, to path: String) -> String? {
        let totals = results.totals
        let name = self.escaped("yabbi-play scan, policy \(results.policy.name)")
        let counts = "tests=\"\(totals.total)\" failures=\"\(totals[.fail])\" errors=\"0\" skipped=\"0\""
        return ScanOutput.write(
            results,
            to: path,
            beginning: """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites \(counts)>
                <testsuite name="\(name)" \(counts) timestamp="\(CalendarText.iso8601(results.madeAt))">

                """,
            end: "</testsuite>\n</testsuites>\n",
            self.testCase
        )
    }

    private static func testCase(_ judged: JudgedRecord) -> String {
        let record = judged.record
        let seconds = AdJSON.double(Double(record.time.wholeMilliseconds) / 1000).text()
        let name = "classname=\"\(record.kind?.rawValue ?? "none")\" name=\"\(self.escaped(record.id))\""
        let start = "<testcase \(name) file=\"\(self.escaped(record.source))\" time=\"\(seconds)\">"
        let fresh = judged.verdict.reasons.filter { !$0.isKnown }
        let failed = fresh.filter { $0.level == .fail }
        var body = ""
        if let first = failed.first {
            let all = failed.map(self.line).joined(separator: "\n")
            let message = "message=\"\(self.escaped(first.message))\" type=\"\(self.escaped(first.rule))\""
            body += "<failure \(message)>\(self.escaped(all))</failure>"
        }
        let warnings = fresh.filter { $0.level == .warn }.map(self.line)
        if !warnings.isEmpty { body += "<system-out>\(self.escaped(warnings.joined(separator: "\n")))</system-out>" }
        return "\(start)\(body)</testcase>\n"
    }

    private static func line(_ reason: ScanReason) -> String {
        let place = reason.line.map { " (line \($0))" } ?? ""
        return "\(reason.level.rawValue) \(reason.rule): \(reason.message)\(place)"
    }

    /// A text in XML 1.0, which has no control characters.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(isAllowed ? scalar : " ")
            }
        }
        return result
    }
}
