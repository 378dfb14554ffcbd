/// Figures of one quantity with increasing amounts.
struct Curve: Equatable {
    let figures: [Figure]

    /// The cost per thing at an amount.
    struct Point: Equatable {
        let cost: Double
        /// The cost divided by that of the previous point; nil for the first.
        let growth: Double?
    }

    /// Creates a curve; nil unless there are several figures with amounts of the same things.
    init?(_ figures: [Figure]) {
        guard figures.count > 1, let first = figures[0].amount,
            figures.allSatisfy({ $0.amount?.things == first.things })
        else { return nil }
        self.figures = figures
    }

    /// The name of the things that the amounts count.
    var things: String { self.figures[0].amount?.things ?? "" }

    /// The unit of the cost per thing.
    var unit: Unit {
        let unit = self.figures[0].unit
        return unit.meaning == .rate ? .each("µs") : .each(unit.symbol)
    }

    /// The cost per thing at each amount.
    var points: [Point] {
        var before: Double?
        return self.figures.map { figure in
            let cost = self.cost(figure)
            defer { before = cost }
            return Point(cost: cost, growth: before.flatMap { $0 == 0 ? nil : cost / $0 })
        }
    }

    /// The costs as a bar chart in text.
    var bars: String {
        let costs = self.points.map(\.cost)
        let most = costs.max() ?? 0
        guard most > 0 else { return "" }
        return String(costs.map { Array("▁▂▃▄▅▆▇█")[min(7, max(0, Int($0 / most * 8)))] })
    }

    /// Whether the cost per thing grows with the amount, as a sentence.
    var growthText: String {
        guard self.points.allSatisfy({ $0.cost > 0 }) else { return "A value of 0 is below the resolution." }
        let steps = zip(self.figures.dropFirst(), self.points.dropFirst())
        guard let worst = steps.max(by: { ($0.1.growth ?? 0) < ($1.1.growth ?? 0) }),
            let growth = worst.1.growth, growth > Curve.noise
        else { return "The cost per item grows by less than 25 % at every step." }
        return "The cost per item grows by a factor of \(NumberFormat.text(growth)) at \(worst.0.amount?.text ?? "")."
    }

    /// Growth below this factor counts as noise.
    private static let noise = 1.25

    private func cost(_ figure: Figure) -> Double {
        switch figure.unit.meaning {
        case .all: figure.distribution.median / Double(max(1, figure.amount?.count ?? 1))
        case .each: figure.distribution.median
        case .rate: figure.distribution.median > 0 ? 1e6 / figure.distribution.median : 0
        }
    }
}
