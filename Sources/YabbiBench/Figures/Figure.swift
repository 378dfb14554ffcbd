/// A measured quantity, with the baseline that was measured in the same run.
struct Figure: Equatable, Sendable {
    /// The name of the benchmark.
    let benchmark: String
    /// What was measured; figures of one benchmark with the same text and several amounts form a curve.
    let what: String
    /// The unit of the values.
    let unit: Unit
    /// The size of the measurement, when it varies.
    let amount: Amount?
    /// The distribution of the values.
    let distribution: Distribution
    /// The baseline.
    let baseline: Baseline?
    /// The target for the ratio or the value.
    let target: Target?

    init(
        _ benchmark: String,
        _ what: String,
        _ unit: Unit,
        _ distribution: Distribution,
        at amount: Amount? = nil,
        baseline: Baseline? = nil,
        target: Target? = nil
    ) {
        self.benchmark = benchmark
        self.what = what
        self.unit = unit
        self.amount = amount
        self.distribution = distribution
        self.baseline = baseline
        self.target = target
    }

    /// A number of things.
    struct Amount: Equatable, Sendable {
        /// The number.
        let count: Int
        /// The name of the things, in the plural.
        let things: String

        init(_ count: Int, _ things: String) {
            self.count = count
            self.things = things
        }
    }

    /// A simpler way to do the same, measured alternately with the figure.
    struct Baseline: Equatable, Sendable {
        /// The name of the baseline.
        let name: String
        /// Its values, in the figure's unit.
        let distribution: Distribution
        /// The ratios of each value to the baseline's value measured next to it.
        let ratio: Distribution
    }

    /// A bound for the ratio to the baseline, or for a value that is the same on every computer, as memory is.
    enum Target: Equatable, Sendable {
        case atMost(Double)
        case atLeast(Double)
        case valueAtMost(Double)
    }

    /// Whether the target is met; nil without a target, or without the baseline that it needs.
    var isMet: Bool? {
        switch self.target {
        case .atMost(let bound): self.baseline.map { $0.ratio.median <= bound }
        case .atLeast(let bound): self.baseline.map { $0.ratio.median >= bound }
        case .valueAtMost(let bound): self.distribution.median <= bound
        case nil: nil
        }
    }
}

/// A unit of measurement.
struct Unit: Equatable, Sendable {
    /// How a value relates to the amount.
    enum Meaning: String, Sendable {
        /// The cost of all things.
        case all
        /// The cost of one thing.
        case each
        /// The number of things per second.
        case rate
    }

    /// The symbol after a value.
    let symbol: String
    /// How a value relates to the amount.
    let meaning: Meaning

    /// A unit for the cost of all things.
    static func all(_ symbol: String) -> Unit { Unit(symbol: symbol, meaning: .all) }

    /// A unit for the cost of one thing.
    static func each(_ symbol: String) -> Unit { Unit(symbol: symbol, meaning: .each) }

    /// A unit for the number of things per second.
    static func rate(_ things: String) -> Unit { Unit(symbol: "\(things)/s", meaning: .rate) }
}
