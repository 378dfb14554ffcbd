/// The context of a running benchmark: its options, and the recipient of its records.
struct BenchContext: Sendable {
    let benchmark: String
    /// Whether sizes are small, to test that the benchmark runs.
    let isQuick: Bool
    /// The user's documents.
    let files: [String]
    /// Called for each record as soon as it exists.
    let onRecord: @Sendable (Record) -> Void

    /// One of two values, depending on `isQuick`.
    func full<Value>(_ full: Value, quick: Value) -> Value { self.isQuick ? quick : full }

    /// Reports a figure without a baseline.
    func report(
        _ what: String,
        _ values: [Double],
        _ unit: Unit,
        at amount: Figure.Amount? = nil,
        target: Figure.Target? = nil
    ) {
        guard let distribution = Distribution(values) else { return self.skip(what, "no values were measured") }
        self.report(Figure(self.benchmark, what, unit, distribution, at: amount, target: target))
    }

    /// Reports a figure whose values were measured alternately with those of its baseline.
    func report(
        _ what: String,
        _ samples: PairedSamples,
        against baseline: String,
        _ unit: Unit,
        at amount: Figure.Amount? = nil,
        target: Figure.Target? = nil
    ) {
        // The memory of a small baseline may be below one page: there is no ratio then.
        guard let distribution = Distribution(samples.own), let base = Distribution(samples.baseline),
            let ratio = Distribution(samples.ratios)
        else {
            return self.report(what, samples.own, unit, at: amount, target: target)
        }
        let baseline = Figure.Baseline(name: baseline, distribution: base, ratio: ratio)
        self.report(Figure(self.benchmark, what, unit, distribution, at: amount, baseline: baseline, target: target))
    }

    /// Reports that something can't be measured on this computer.
    func skip(_ what: String, _ reason: String) {
        self.onRecord(.gap(Record.Gap(benchmark: self.benchmark, what: what, reason: reason, isFailure: false)))
    }

    private func report(_ figure: Figure) { self.onRecord(.figure(figure)) }
}

/// A whole benchmark can't run on this computer.
struct BenchmarkSkipped: Error {
    let reason: String
}
