/// Figures of the same thing with more and more of it, the least first.
struct Curve: Equatable {
    let figures: [Figure]

    /// What one of it costs, and how much more that is than with the amount before.
    struct Point: Equatable {
        let cost: Double
        /// The cost divided by that of the point before; nil for the first.
        let growth: Double?
    }

    /// Figures with amounts of one kind; nil where they make no curve.
    init?(_ figures: [Figure]) {
        guard figures.count > 1, let first = figures[0].amount,
            figures.allSatisfy({ $0.amount?.things == first.things })
        else { return nil }
        self.figures = figures
    }

    /// The things that the amounts count.
    var things: String { self.figures[0].amount?.things ?? "" }

    /// How the cost of one is written.
    var unit: Unit {
        let unit = self.figures[0].unit
        return unit.meaning == .rate ? .each("µs") : .each(unit.symbol)
    }

    /// The cost of one at each amount.
    var points: [Point] {
        var before: Double?
        return self.figures.map { figure in
            let cost = self.cost(figure)
            defer { before = cost }
            return Point(cost: cost, growth: before.flatMap { $0 == 0 ? nil : cost / $0 })
        }
    }

    /// The costs as a row of bars, the highest being the most.
    var bars: String {
        let costs = self.points.map(\.cost)
        let most = costs.max() ?? 0
        guard most > 0 else { return "" }
        return String(costs.map { Array("▁▂▃▄▅▆▇█")[min(7, max(0, Int($0 / most * 8)))] })
    }

    /// Whether one costs more where there are more, in a sentence.
    var verdict: String {
        guard self.points.allSatisfy({ $0.cost > 0 }) else { return "Where it is 0, it was too little to be seen." }
        let steps = zip(self.figures.dropFirst(), self.points.dropFirst())
        guard let worst = steps.max(by: { ($0.1.growth ?? 0) < ($1.1.growth ?? 0) }),
            let growth = worst.1.growth, growth > Curve.noise
        else { return "No step makes one of them cost a quarter more." }
        return "One costs \(Digits.text(growth)) times as much at \(worst.0.amount?.text ?? "") as at the step before."
    }

    /// Steps below this are taken for noise.
    private static let noise = 1.25

    private func cost(_ figure: Figure) -> Double {
        switch figure.unit.meaning {
        case .all: figure.spread.median / Double(max(1, figure.amount?.count ?? 1))
        case .each: figure.spread.median
        case .rate: figure.spread.median > 0 ? 1e6 / figure.spread.median : 0
        }
    }
}
