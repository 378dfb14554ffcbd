import AdCore
import PlayReport

/// Compares console messages, script errors and failed requests of two ads by their numbers.
struct ConsoleComparison {
    private let pair: ComparedPair

    init(_ pair: ComparedPair) { self.pair = pair }

    var differences: [RunDifference] {
        func lines(_ ad: ComparedAd) -> [[String]] { ad.events.compactMap(self.line) }
        return SideBySide.groups(lines(self.pair.a), lines(self.pair.b)) { $0 }.compactMap { group in
            guard group.a.count != group.b.count else { return nil }
            return self.pair.difference(
                .console,
                group.key.joined(separator: "  "),
                a: Times.text(group.a.count),
                b: Times.text(group.b.count)
            )
        }
    }

    /// The kind of a line and its text, without the place in a script; nil for other events.
    private func line(_ event: AdJSON) -> [String]? {
        func text(_ name: String) -> String { self.pair.normalization.text(event[name]?.string ?? "") }
        let url = event["url"]?.string.map(self.pair.normalization.url)
        switch EventKey.name(of: event) {
        case "console": return ["console \(text("level"))", text("text")]
        case "scriptError": return ["script error", text("message") + (url.map { " (\($0))" } ?? "")]
        case "requestFailed": return ["failed request", "\(url ?? "")  \(text("reason"))"]
        default: return nil
        }
    }
}

/// Compares the lint findings of two ads by rule and message.
struct LintComparison {
    private let pair: ComparedPair

    init(_ pair: ComparedPair) { self.pair = pair }

    var differences: [RunDifference] {
        guard let a = self.pair.a.findings, let b = self.pair.b.findings else { return [] }
        let groups = SideBySide.groups(a, b) { [$0.severity, $0.rule, self.pair.normalization.text($0.message)] }
        return groups.compactMap { group in
            guard LintComparison.count(group.a) != LintComparison.count(group.b) else { return nil }
            return self.pair.difference(
                .lint,
                "\(group.key[0])  \(group.key[1]): \(group.key[2])",
                a: LintComparison.text(group.a),
                b: LintComparison.text(group.b)
            )
        }
    }

    private static func count(_ findings: [RunFinding]) -> Int {
        findings.reduce(0) { min($0, 1 << 50) + min($1.count, 1 << 50) }
    }

    private static func text(_ findings: [RunFinding]) -> String? {
        let line = findings.lazy.compactMap(\.line).min()
        return Times.text(self.count(findings)).map { $0 + (line.map { ", first on line \($0)" } ?? "") }
    }
}
