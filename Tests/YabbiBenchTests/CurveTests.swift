import Testing

@testable import yabbi_bench

@Suite("Curves")
struct CurveTests {
    private func curve(_ unit: Unit, _ values: [(count: Int, value: Double)]) -> Curve? {
        Curve(values.map { Figure("b", "w", unit, Sample.spread($0.value), at: .init($0.count, "ads")) })
    }

    @Test("the cost of all is shared out, that of each is what it is, and a rate is turned round")
    func costs() {
        let values = [(count: 1, value: 10.0), (count: 10, value: 50)]
        #expect(self.curve(.all("µs"), values)?.points.map(\.cost) == [10, 5])
        #expect(self.curve(.each("KiB"), values)?.points.map(\.cost) == [10, 50])
        #expect(self.curve(.rate("ads"), values)?.points.map(\.cost) == [100_000, 20_000])
        #expect(self.curve(.rate("ads"), values)?.unit == .each("µs"))
    }

    @Test("growth is what one costs against the step before")
    func growth() throws {
        let curve = try #require(self.curve(.each("KiB"), [(1, 4), (10, 2), (100, 8)]))
        #expect(curve.points.map(\.growth) == [nil, 0.5, 4])
        #expect(curve.verdict == "One costs 4 times as much at 100 ads as at the step before.")
        #expect(curve.bars == "▅▃█")
    }

    @Test("steps as small as noise are no growth")
    func noise() {
        let curve = self.curve(.each("KiB"), [(1, 4), (10, 5)])
        #expect(curve?.verdict == "No step makes one of them cost a quarter more.")
    }

    @Test("where nothing could be measured there is no growth, and no bar")
    func nothing() throws {
        let curve = try #require(self.curve(.each("KiB"), [(1, 0), (10, 0)]))
        #expect(curve.points.map(\.growth) == [nil, nil] && curve.bars.isEmpty)
        #expect(self.curve(.each("KiB"), [(1, 0), (10, 4)])?.verdict == "Where it is 0, it was too little to be seen.")
    }

    @Test("one size alone, or none, is no curve")
    func singles() {
        #expect(self.curve(.all("µs"), [(1, 1)]) == nil)
        let figure = Figure("b", "w", .all("µs"), Sample.spread)
        #expect(Curve([figure, figure]) == nil)
    }
}
