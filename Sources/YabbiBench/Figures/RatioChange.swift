/// How the ratio of a figure to its baseline differs from a recorded one.
struct RatioChange: Equatable, Sendable {
    enum Verdict: Equatable, Sendable { case same, worse, better }

    let recorded: Figure
    let measured: Figure
    let verdict: Verdict

    /// The smallest spread, as a share of the recorded ratio: from run to run most ratios vary by three percent.
    private static let leastSpread = 0.1

    /// Nil for figures of different things, and for those without a ratio.
    init?(recorded: Figure, measured: Figure) {
        guard recorded.benchmark == measured.benchmark, recorded.what == measured.what,
            recorded.amount == measured.amount, recorded.unit == measured.unit,
            let old = recorded.baseline, let new = measured.baseline, old.name == new.name
        else { return nil }
        self.recorded = recorded
        self.measured = measured
        let spread = max(old.ratio.upper - old.ratio.lower, RatioChange.leastSpread * old.ratio.median)
        let growth = new.ratio.median - old.ratio.median
        self.verdict =
            if growth.magnitude <= spread { .same } else {
                (growth > 0) == recorded.unit.isLessBetter ? .worse : .better
            }
    }

    /// The change as a line for the terminal.
    var line: String {
        let size = self.recorded.amount.map { ", \($0.text)" } ?? ""
        let ratios = [self.recorded, self.measured].compactMap { $0.baseline?.ratioText }
        let words: [Verdict: String] = [.same: "", .worse: "  worse", .better: "  better"]
        return "\(self.recorded.benchmark)  \(self.recorded.what)\(size)  \(ratios.joined(separator: " → "))"
            + (words[self.verdict] ?? "")
    }

    /// The changes of all figures that both runs have, in the order of the new one.
    static func all(from old: [Record], to new: [Record]) -> [RatioChange] {
        let recorded = old.compactMap(\.figure)
        return new.compactMap(\.figure).compactMap { figure in
            recorded.lazy.compactMap { RatioChange(recorded: $0, measured: figure) }.first
        }
    }
}

extension Record {
    fileprivate var figure: Figure? { if case .figure(let figure) = self { figure } else { nil } }
}

extension Unit {
    /// Whether a lower value is better: for costs, and not for rates.
    fileprivate var isLessBetter: Bool { self.meaning != .rate }
}
