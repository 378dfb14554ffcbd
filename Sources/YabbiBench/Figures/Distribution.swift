import AdCore

/// The distribution of measured values: median, quartiles and 99th percentile.
struct Distribution: Equatable, Sendable {
    /// The number of values.
    let count: Int
    /// The median.
    let median: Double
    /// The lower quartile.
    let lower: Double
    /// The upper quartile.
    let upper: Double
    /// The 99th percentile; nil for fewer than 100 values.
    let p99: Double?

    /// Creates the distribution of values in any order; nil when there are none.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        // Linear interpolation between neighboring values.
        func quantile(_ share: Double) -> Double {
            let position = Double(sorted.count - 1) * share
            let below = sorted[Int(position)]
            return below + (sorted[Int(position.rounded(.up))] - below) * (position - position.rounded(.down))
        }
        self.count = sorted.count
        self.median = quantile(0.5)
        self.lower = quantile(0.25)
        self.upper = quantile(0.75)
        self.p99 = sorted.count >= 100 ? quantile(0.99) : nil
    }
}

extension Distribution {
    /// Parses what `json` writes; nil for anything else.
    init?(_ json: AdJSON) {
        guard let count = json["turns"]?.number.flatMap({ Int(exactly: $0) }), let median = json["median"]?.number,
            let lower = json["lower"]?.number, let upper = json["upper"]?.number
        else { return nil }
        self.count = count
        self.median = median
        self.lower = lower
        self.upper = upper
        self.p99 = json["p99"]?.number
    }

    /// The distribution as JSON, rounded to six digits.
    var json: AdJSON {
        let members: [AdJSON.Member] = [
            .init("turns", .int(self.count)), .init("median", .double(NumberFormat.rounded(self.median))),
            .init("lower", .double(NumberFormat.rounded(self.lower))),
            .init("upper", .double(NumberFormat.rounded(self.upper))),
        ]
        return .object(members + (self.p99.map { [.init("p99", .double(NumberFormat.rounded($0)))] } ?? []))
    }
}
