import AdCore

/// The verdicts as CSV (RFC 4180): a line for each creative, with a column for each measure.
enum ScanCSV {
    static func write(_ results: ScanResults, to path: String) -> String? {
        let names = ["id", "source", "kind", "title", "verdict", "reasons", "ms"] + Measure.all.map(\.name)
        return ScanOutput.write(results, to: path, beginning: names.joined(separator: ",") + "\r\n", end: "", self.line)
    }

    private static func line(_ judged: JudgedRecord) -> String {
        let record = judged.record
        let reasons = judged.verdict.reasons.map { reason in
            "\(reason.level.rawValue) \(reason.rule): \(reason.message)" + (reason.isKnown ? " (known)" : "")
        }
        let own = [
            record.id, record.source, record.kind?.rawValue ?? "", record.title ?? "", judged.verdict.newLevel.rawValue,
            reasons.joined(separator: "\n"), String(record.time.wholeMilliseconds),
        ]
        let values = Measure.all.map { measure -> String in
            switch record.measures[measure] {
            case .number(let number): AdJSON.double((number * 1_000).rounded() / 1_000).text()
            case .flag(let flag): flag ? "true" : "false"
            case .list(let texts): texts.joined(separator: "\n")
            case .word(let word): word
            case nil: ""
            }
        }
        return (own + values).map(self.cell).joined(separator: ",") + "\r\n"
    }

    /// A cell; a text that a spreadsheet would run as a formula begins with an apostrophe.
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first), Double(text) == nil { text = "'" + text }
        guard text.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", by: "\"\"") + "\""
    }
}
