import AdCore

/// How measured values lie: the middle, where half of them are, and how far the last ones go.
struct Spread: Equatable, Sendable {
    /// How many values there were.
    let turns: Int
    /// The middle one.
    let median: Double
    /// Half of the values lie between this and `upper`.
    let lower: Double
    /// Half of the values lie between `lower` and this.
    let upper: Double
    /// The value that 99 of a hundred do not exceed; nil where there were fewer than a hundred.
    let p99: Double?

    /// Looks at some values, in any order; nil where there are none.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        // Between two values their distance is shared out.
        func value(at share: Double) -> Double {
            let place = Double(sorted.count - 1) * share
            let below = sorted[Int(place)]
            return below + (sorted[Int(place.rounded(.up))] - below) * (place - place.rounded(.down))
        }
        self.turns = sorted.count
        self.median = value(at: 0.5)
        self.lower = value(at: 0.25)
        self.upper = value(at: 0.75)
        self.p99 = sorted.count >= 100 ? value(at: 0.99) : nil
    }
}

extension Spread {
    /// Reads what `json` has written; nil where that is something else.
    init?(_ json: AdJSON) {
        guard let turns = json["turns"]?.number.flatMap({ Int(exactly: $0) }), let median = json["median"]?.number,
            let lower = json["lower"]?.number, let upper = json["upper"]?.number
        else { return nil }
        self.turns = turns
        self.median = median
        self.lower = lower
        self.upper = upper
        self.p99 = json["p99"]?.number
    }

    /// As a line of `--json` has it: to six digits, which is more than any of it means.
    var json: AdJSON {
        let members: [AdJSON.Member] = [
            .init("turns", .int(self.turns)), .init("median", .double(Digits.rounded(self.median))),
            .init("lower", .double(Digits.rounded(self.lower))), .init("upper", .double(Digits.rounded(self.upper))),
        ]
        return .object(members + (self.p99.map { [.init("p99", .double(Digits.rounded($0)))] } ?? []))
    }
}
