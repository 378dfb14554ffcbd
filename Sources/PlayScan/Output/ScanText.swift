import AdCore
package import PlayConsole

/// A scan as text.
package enum ScanText {
    /// The lines about a creative that does not pass; with `isVerbose`, all reasons, and creatives that pass.
    package static func lines(_ judged: JudgedRecord, _ style: Style, isVerbose: Bool) -> [String] {
        let (level, record) = (judged.verdict.newLevel, judged.record)
        let fresh = judged.verdict.reasons.filter { !$0.isKnown }
        guard level != .pass || isVerbose else { return [] }
        var name = Style.printable(record.id, upTo: 120)
        if let size = record.measures[.size], case .word(let text) = size { name += "  \(text)" }
        // Where it is in a list, if its name does not tell.
        let source = record.source == record.id ? "" : "  " + style.dim(Style.printable(record.source, upTo: 120))
        let head = "\(self.colored(level, style))  \(style.bold(name))\(source)"
        let shown = isVerbose ? fresh : Array(fresh.filter { $0.level == level }.prefix(3))
        let lines = shown.map { reason in
            let place = reason.line.map { " (line \($0))" } ?? ""
            let text = Style.printable(reason.message, upTo: 300)
            return "      \(style.dim(reason.rule))  \(text)\(place)"
        }
        let rest = fresh.count - shown.count
        return [head] + lines + (rest > 0 ? [style.dim("      and \(rest) more")] : [])
    }

    private static func colored(_ level: ScanLevel, _ style: Style) -> String {
        switch level {
        case .pass: style.green("pass")
        case .warn: style.yellow("warn")
        case .fail: style.red("fail")
        }
    }

    /// The lines at the end.
    package static func summary(
        _ totals: ScanTotals,
        _ policy: ScanPolicy,
        used: (time: Duration, processor: Duration)?,
        _ style: Style
    ) -> [String] {
        var lines = [
            "", style.bold("\(Quantity.text(totals.total, "creative")): \(totals.text)") + "  policy \(policy.name)",
        ]
        if totals.resumed > 0 { lines.append("  \(totals.resumed) were scanned before, and judged again") }
        if totals.known > 0 { lines.append("  \(totals.known) would fail or warn without the baseline") }
        if let used, let rate = ScanTotals.rate(totals.scanned, in: used.processor) {
            lines.append("  \(Quantity.seconds(used.time)), \(Int(rate)) creatives for an hour of one processor")
        }
        for (rule, count) in totals.commonRules {
            lines.append("  \(String(repeating: " ", count: max(0, 6 - String(count).count)))\(count)  \(rule)")
        }
        return lines
    }

    package enum MeasureFormat: Hashable, Sendable {
        case text, json, markdown
    }

    /// The measures, one a line.
    package static func measures(_ format: MeasureFormat, _ style: Style) -> [String] {
        switch format {
        case .json:
            Measure.all.map { measure in
                let line: AdJSON = [
                    "measure": .string(measure.name), "unit": .string(measure.unit.rawValue),
                    "title": .string(measure.title), "summary": .string(measure.summary),
                ]
                return line.text()
            }
        case .text:
            Measure.all.map { measure in
                let name = measure.name + String(repeating: " ", count: max(1, 24 - measure.name.count))
                let unit =
                    measure.unit.rawValue + String(repeating: " ", count: max(1, 14 - measure.unit.rawValue.count))
                return "\(style.bold(name))\(style.dim(unit))\(measure.summary)"
            }
        case .markdown:
            ["| measure | values | what is measured |", "|---|---|---|"]
                + Measure.all.map { "| `\($0.name)` | \($0.unit.rawValue) | \($0.summary) |" }
        }
    }
}

extension Measure {
    fileprivate static let size = Measure.named("size") ?? Measure.all[0]
}
