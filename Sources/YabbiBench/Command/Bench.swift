/// What a benchmark measures with, and whom it tells.
struct Bench: Sendable {
    let benchmark: String
    /// Whether sizes are small, for a try.
    let isQuick: Bool
    /// Documents of the user's.
    let files: [String]
    /// Who hears what was found, at once.
    let report: @Sendable (Record) -> Void

    /// One value for the long form, and another for a try.
    func full<Value>(_ full: Value, quick: Value) -> Value { self.isQuick ? quick : full }

    /// Tells a figure of values that have no floor.
    func tell(_ what: String, _ values: [Double], _ unit: Unit, at amount: Figure.Amount? = nil) {
        guard let spread = Spread(values) else { return self.leaveOut(what, "nothing was measured") }
        self.tell(Figure(self.benchmark, what, unit, spread, at: amount))
    }

    /// Tells a figure of values that were taken turn by turn with their floor's.
    func tell(
        _ what: String,
        _ pairs: Pairs,
        against floor: String,
        _ unit: Unit,
        at amount: Figure.Amount? = nil,
        aim: Figure.Aim? = nil
    ) {
        // Of memory a floor may be too small to be seen.
        guard let spread = Spread(pairs.own), let bare = Spread(pairs.floor), let ratio = Spread(pairs.ratios) else {
            return self.tell(what, pairs.own, unit, at: amount)
        }
        let floor = Figure.Floor(name: floor, spread: bare, ratio: ratio)
        self.tell(Figure(self.benchmark, what, unit, spread, at: amount, floor: floor, aim: aim))
    }

    /// Says that something can't be measured here.
    func leaveOut(_ what: String, _ reason: String) {
        self.report(.gap(Record.Gap(benchmark: self.benchmark, what: what, reason: reason, isFailure: false)))
    }

    private func tell(_ figure: Figure) { self.report(.figure(figure)) }
}

/// Why a whole benchmark can't run here.
struct LeftOut: Error {
    let reason: String
}
