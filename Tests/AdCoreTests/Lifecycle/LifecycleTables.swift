import LifecycleSupport

@testable import AdCore

/// The results of every input in every state, ten minutes after the state was reached, so that every timer is due.
struct LifecycleTable {
    let scenes: [Scene]
    let rules: ShowRules

    /// The result of an input in a scene.
    struct Step {
        let input: String
        let result: AdInputResult
        let from: AdLifecycle.Phase
        let to: AdLifecycle.Phase
    }

    /// One row for each input, with its steps in the order of the scenes.
    var rows: [[Step]] {
        everyInput.map { row, input in
            self.scenes.map { scene in
                var machine = AdLifecycle(at: scene, self.rules)
                let from = machine.phase
                let result = machine.handle(input, at: Moment(.seconds(600))).result
                return Step(input: row, result: result, from: from, to: machine.phase)
            }
        }
    }

    /// The table as text.
    ///
    /// `+` is accepted without a transition, `>xx` is a transition to the state that begins with xx, `.` is ignored,
    /// `!` is refused.
    var text: String {
        let heads = self.scenes.map(\.rawValue)
        let lines = [self.line("", heads)] + self.rows.map { row in self.line(row[0].input, row.map(self.cell)) }
        return self.fence(lines)
    }

    /// The transitions of several tables: from, to, and by which inputs.
    static func moves(_ tables: [LifecycleTable]) -> String {
        var causes: [[AdLifecycle.Phase]: [String]] = [:]
        for step in tables.flatMap(\.rows).joined() where step.from != step.to {
            if causes[[step.from, step.to]]?.contains(step.input) ?? false { continue }
            causes[[step.from, step.to], default: []].append(step.input)
        }
        let order = AdLifecycle.Phase.allCases
        var lines = ["| From | To | By |", "|---|---|---|"]
        for from in order {
            for to in order {
                guard let inputs = causes[[from, to]] else { continue }
                lines.append("| \(from.rawValue) | \(to.rawValue) | \(inputs.joined(separator: ", ")) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The deadlines that no provider sets, as a table.
    static var deadlines: String {
        let timing = AdTiming()
        let rows: [(String, Duration)] = [
            ("a load takes at most", timing.loading),
            ("a stage shows a creative within", timing.presenting),
            ("a banner may be shown after loading for", ShowRules(.banner).effectiveLifetime),
            (
                "any other ad, unless its provider sets a lifetime, for",
                ShowRules(.interstitial).effectiveLifetime
            ),
            ("the watchdog adds to the close delay", timing.watchdog),
            ("a close delay is at most", ClosePlan.maximumCloseDelay),
            ("a rewarded video's watchdog adds to its duration", timing.rewardedGrace),
            ("a rewarded video's duration counts up to", ClosePlan.maximumMediaDuration),
            ("a link waits for its click to be recorded for", timing.recording),
            ("an ad that is over waits for pending records and links for", timing.settling),
        ]
        let lines = rows.map { name, time in "| \(name) | \(AdJSON.double(time.inSeconds).text()) s |" }
        return (["| What | How long |", "|---|---|"] + lines).joined(separator: "\n") + "\n"
    }

    private func cell(_ step: Step) -> String {
        let move = step.from == step.to ? "" : ">" + step.to.rawValue.prefix(2)
        switch step.result {
        case .accepted: return move.isEmpty ? "+" : move
        case .ignored: return "." + move
        case .refused: return "!" + move
        }
    }

    private func line(_ head: String, _ cells: [String]) -> String {
        var line = self.padded(head, 22)
        for (scene, cell) in zip(self.scenes, cells) { line += self.padded(cell, scene.rawValue.count) }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count) + 1)
    }

    private func fence(_ lines: [String]) -> String { "```text\n" + lines.joined(separator: "\n") + "\n```\n" }
}
