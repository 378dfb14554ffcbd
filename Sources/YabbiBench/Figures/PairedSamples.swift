import AdCore

/// Values and those of the baseline, measured alternately.
struct PairedSamples {
    private(set) var own: [Double] = []
    private(set) var baseline: [Double] = []
    /// The number of pairs that are still to be discarded as warm-up.
    private var warmUp: Int

    init(warmUp: Int = 0) { self.warmUp = warmUp }

    /// The ratio of each value to its baseline, except for baselines of 0.
    var ratios: [Double] { zip(self.own, self.baseline).filter { $0.1 > 0 }.map { $0 / $1 } }

    /// Adds a pair.
    mutating func add(_ own: Double, baseline: Double) {
        if self.warmUp > 0 {
            self.warmUp -= 1
            return
        }
        self.own.append(own)
        self.baseline.append(baseline)
    }
}

extension Duration {
    var inMicroseconds: Double { self.inSeconds * 1e6 }
}
