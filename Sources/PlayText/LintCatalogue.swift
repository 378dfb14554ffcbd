package import AdLint
import AdMarkup
package import PlayConsole

/// The rules of `lint` as text and as Markdown.
package enum LintCatalogue {
    /// All rules, one per line.
    package static func list(_ style: Style) -> [String] {
        var lines: [String] = []
        for topic in LintRule.topics {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.bold(topic.name))
            for rule in topic.rules {
                let severity =
                    LintText.colored(rule.severity, style)
                    + String(repeating: " ", count: 8 - rule.severity.rawValue.count)
                let id = rule.id + String(repeating: " ", count: max(1, 34 - rule.id.count))
                lines.append("  \(severity)\(id)\(rule.title)")
            }
        }
        lines.append("")
        lines.append("\(LintRule.all.count) rules; yabbi-play lint --rules ID explains a rule")
        return lines
    }

    /// The explanation of a rule.
    package static func page(_ rule: LintRule, _ style: Style) -> [String] {
        [
            "\(style.bold(rule.id)) (\(LintText.colored(rule.severity, style)))", "  \(rule.title).",
            "  why  \(rule.why)", "  fix  \(rule.fix)",
        ] + (rule.specification.map { ["  see  \($0)"] } ?? [])
    }

    /// The page `docs/LINT.md`.
    package static var markdown: String {
        let counts = LintRule.Severity.allCases.map { severity in
            Quantity.text(LintRule.all.count { $0.severity == severity }, severity.rawValue)
        }
        var lines = [
            "# Rules of `yabbi-play lint`", "",
            "\(LintRule.all.count) rules: \(counts.joined(separator: ", ")). An error makes players reject the ad, or loses impressions or",
            "clicks; a warning fails in some players, or harms the user; an info is worth knowing. `--strict` counts warnings",
            "as errors, `--ignore ID,ID` skips rules. `Scripts/rules.sh` generates this page from the rules.",
            "",
            "Findings are grouped by rule, errors first, in the terminal, in reports and in JSON.",
            "",
            "`--json` prints one line per input: `{file, kind, findings[{rule, severity, line, column, count, title, message,",
            "fix, cure, places[{line, column, message}]}], counts{error, warning, info}, unlisted, error}`. An entry of `findings`",
            "contains all findings of a rule: `count` is their number, `line`, `column` and `message` are those of the first one,",
            "and `cure` is the former name of `fix`. `kind` is vast, vmap, html, answer or unknown, and null if the input can't be",
            "read: then `error` is the reason. `line` is null for a finding about the whole input, `column` if only the line is",
            "known. Columns are counted in Unicode code points from 1. At most 100 places per rule are listed; the others are",
            "counted in `counts` and `unlisted`. `--sarif` prints one SARIF 2.1.0 log of all inputs with a result for each place,",
            "where an info is a note. The exit code is 6 if there are errors, or if an input can't be read.",
        ]
        for topic in LintRule.topics {
            lines += ["", "## \(topic.name)", ""] + self.table(topic.rules)
        }
        return lines.joined(separator: "\n")
    }

    /// Some rules as a Markdown table.
    package static func markdown(of rules: [LintRule]) -> String { self.table(rules).joined(separator: "\n") }

    private static func table(_ rules: [LintRule]) -> [String] {
        ["| rule | severity | issue | why it matters | fix | specification |", "|---|---|---|---|---|---|"]
            + rules.map { rule in
                let cells = [rule.title, rule.why, rule.fix, rule.specification ?? ""].map(self.cell).joined(
                    separator: " | "
                )
                return "| `\(rule.id)` | \(rule.severity.rawValue) | \(cells) |"
            }
    }

    /// A text with Markdown and HTML escaped, for a table cell.
    private static func cell(_ text: String) -> String {
        var cell = ""
        for character in text {
            switch character {
            case "|": cell += "\\|"
            case "<": cell += "&lt;"
            case ">": cell += "&gt;"
            case "&": cell += "&amp;"
            case "*", "_", "[", "]", "`": cell += "\\\(character)"
            default: cell.append(character)
            }
        }
        return cell
    }
}
