package import AdLint
import AdMarkup
package import PlayConsole

/// The rules of `lint` as lists and pages.
package enum LintCatalogue {
    /// Every rule in a line.
    package static func list(_ style: Style) -> [String] {
        var lines: [String] = []
        for topic in LintRule.topics {
            if !lines.isEmpty { lines.append("") }
            lines.append(style.bold(topic.name))
            for rule in topic.rules {
                let severity =
                    LintText.coloured(rule.severity, style)
                    + String(repeating: " ", count: 8 - rule.severity.rawValue.count)
                let id = rule.id + String(repeating: " ", count: max(1, 34 - rule.id.count))
                lines.append("  \(severity)\(id)\(rule.title)")
            }
        }
        lines.append("")
        lines.append("\(LintRule.all.count) rules; yabbi-play lint --rules ID explains one")
        return lines
    }

    /// All about one rule.
    package static func page(_ rule: LintRule, _ style: Style) -> [String] {
        [
            "\(style.bold(rule.id)) (\(LintText.coloured(rule.severity, style)))", "  \(rule.title).",
            "  why   \(rule.why)", "  cure  \(rule.fix)",
        ]
    }

    /// The page of the documentation.
    package static var markdown: String {
        let counts = LintRule.Severity.allCases.map { severity in
            Quantity.text(LintRule.all.count { $0.severity == severity }, severity.rawValue)
        }
        var lines = [
            "# What `yabbi-play lint` looks for", "",
            "\(LintRule.all.count) rules: \(counts.joined(separator: ", ")). An error makes players refuse the ad, or costs somebody money; a",
            "warning works here and there, or hurts whoever sees it; an info is worth knowing. `--strict` counts warnings as",
            "errors, `--ignore ID,ID` passes rules over. `Scripts/rules.sh` writes this page from the rules themselves.",
            "",
            "Findings are grouped by rule, errors first: in the terminal, in reports and in JSON alike.",
            "",
            "`--json` prints a line for each input: `{file, kind, findings[{rule, severity, line, column, count, title, message,",
            "fix, cure, places[{line, column, message}]}], counts{error, warning, info}, unlisted, error}`. An entry of `findings`",
            "is everything that one rule has found: `count` says how often, `line`, `column` and `message` are the first one's,",
            "and `cure` is the older name of `fix`. `kind` is vast, vmap, html, answer or unknown, and null where `error` says",
            "why the input can't be read; `line` is null for what is about the whole input, `column` where only the line is",
            "known. Columns are counted in Unicode code points from 1. Of one rule at most 100 places are listed; the rest is",
            "counted in `counts` and `unlisted`. `--sarif` prints one SARIF 2.1.0 log of all inputs with a result for each",
            "place; an info is a note there. The exit code is 6 where there are errors, or an input that can't be read.",
        ]
        for topic in LintRule.topics {
            lines += [
                "", "## \(topic.name)", "", "| rule | | what is wrong | why it hurts | what to do |",
                "|---|---|---|---|---|",
            ]
            for rule in topic.rules {
                let cells = [rule.title, rule.why, rule.fix].map(self.cell).joined(separator: " | ")
                lines.append("| `\(rule.id)` | \(rule.severity.rawValue) | \(cells) |")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// A text in a table: markup in it is shown, not read.
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
