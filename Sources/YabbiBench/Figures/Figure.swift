/// One thing that was measured, and what it was held against in the same run.
struct Figure: Equatable, Sendable {
    /// The name of its benchmark.
    let benchmark: String
    /// What was measured; figures of one benchmark with the same words and several sizes are a curve.
    let what: String
    /// What its values are.
    let unit: Unit
    /// How much it was measured with, where that varies.
    let amount: Amount?
    /// The values.
    let spread: Spread
    /// What it was held against.
    let floor: Floor?
    /// What it is to reach.
    let aim: Aim?

    init(
        _ benchmark: String,
        _ what: String,
        _ unit: Unit,
        _ spread: Spread,
        at amount: Amount? = nil,
        floor: Floor? = nil,
        aim: Aim? = nil
    ) {
        self.benchmark = benchmark
        self.what = what
        self.unit = unit
        self.amount = amount
        self.spread = spread
        self.floor = floor
        self.aim = aim
    }

    /// So many of something.
    struct Amount: Equatable, Sendable {
        /// How many.
        let count: Int
        /// Of what, in the plural.
        let things: String

        init(_ count: Int, _ things: String) {
            self.count = count
            self.things = things
        }
    }

    /// The least that has to be done in any case, measured turn by turn with the figure.
    struct Floor: Equatable, Sendable {
        /// What it is.
        let name: String
        /// Its values, in the figure's unit.
        let spread: Spread
        /// The figure's value of each turn divided by the floor's of the same turn.
        let ratio: Spread
    }

    /// A bound for the ratio to the floor.
    enum Aim: Equatable, Sendable {
        case atMost(Double)
        case atLeast(Double)

        /// Whether a ratio reaches it.
        func isMet(by ratio: Double) -> Bool {
            switch self {
            case .atMost(let bound): ratio <= bound
            case .atLeast(let bound): ratio >= bound
            }
        }
    }

    /// Whether the aim is reached; nil without an aim, or without a floor.
    var isMet: Bool? {
        guard let aim, let floor else { return nil }
        return aim.isMet(by: floor.ratio.median)
    }
}

/// What values are, and what they count.
struct Unit: Equatable, Sendable {
    /// How one value relates to how much was measured with.
    enum Meaning: String, Sendable {
        /// It is the cost of all of it.
        case all
        /// It is the cost of each of it.
        case each
        /// It is how many of them there are in a second.
        case rate
    }

    /// How it is written behind a value.
    let symbol: String
    /// What a value counts.
    let meaning: Meaning

    /// The cost of everything that was measured with.
    static func all(_ symbol: String) -> Unit { Unit(symbol: symbol, meaning: .all) }

    /// The cost of each of the things that were measured with.
    static func each(_ symbol: String) -> Unit { Unit(symbol: symbol, meaning: .each) }

    /// How many things there are in a second.
    static func rate(_ things: String) -> Unit { Unit(symbol: "\(things)/s", meaning: .rate) }
}
