import Testing

@testable import yabbi_bench

@Suite("Changes of ratios")
struct RatioChangeTests {
    /// A figure with quartiles of its ratio, in hundredths.
    private func figure(_ unit: Unit, _ lower: Double, _ median: Double, _ upper: Double, _ count: Int = 1) -> Figure {
        let ratio = Sample.distribution(lower / 100, median / 100, upper / 100)
        let baseline = Figure.Baseline(name: "a GET", distribution: Sample.distribution, ratio: ratio)
        return Figure("load", "a load", unit, Sample.distribution, at: .init(count, "ads"), baseline: baseline)
    }

    private func verdict(_ unit: Unit, _ old: (Double, Double, Double), _ new: Double) -> RatioChange.Verdict? {
        let recorded = self.figure(unit, old.0, old.1, old.2)
        return RatioChange(recorded: recorded, measured: self.figure(unit, new, new, new))?.verdict
    }

    @Test("a cost is worse if its ratio grows by more than its spread, and a rate if it falls")
    func verdicts() {
        #expect(self.verdict(.all("µs"), (80, 100, 140), 129) == .same)
        #expect(self.verdict(.all("µs"), (80, 100, 140), 131) == .worse)
        #expect(self.verdict(.all("µs"), (80, 100, 140), 69) == .better)
        #expect(self.verdict(.rate("ads"), (80, 100, 140), 69) == .worse)
        #expect(self.verdict(.rate("ads"), (80, 100, 140), 131) == .better)
    }

    @Test("the spread is at least a tenth")
    func least() {
        #expect(self.verdict(.each("µs"), (100, 100, 100), 109) == .same)
        #expect(self.verdict(.each("µs"), (100, 100, 100), 111) == .worse)
    }

    @Test("only figures of the same thing are compared")
    func counterparts() throws {
        let old = [self.figure(.all("µs"), 90, 100, 110, 1), self.figure(.all("µs"), 90, 100, 110, 10)]
        let new = [self.figure(.all("µs"), 190, 200, 210, 10), self.figure(.all("µs"), 90, 100, 110, 100)]
        let changes = RatioChange.all(from: old.map(Record.figure) + Sample.records, to: new.map(Record.figure))
        #expect(changes.map(\.line) == ["load  a load, 10 ads  1× → 2×  worse"])
    }
}
