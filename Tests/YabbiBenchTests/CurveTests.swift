import Testing

@testable import yabbi_bench

@Suite("Curves")
struct CurveTests {
    private func curve(_ unit: Unit, _ values: [(count: Int, value: Double)]) -> Curve? {
        Curve(values.map { Figure("b", "w", unit, Sample.distribution($0.value), at: .init($0.count, "ads")) })
    }

    @Test("the cost of all is divided by the amount, the cost of each is kept, and a rate is inverted")
    func costs() {
        let values = [(count: 1, value: 10.0), (count: 10, value: 50)]
        #expect(self.curve(.all("µs"), values)?.points.map(\.cost) == [10, 5])
        #expect(self.curve(.each("KiB"), values)?.points.map(\.cost) == [10, 50])
        #expect(self.curve(.rate("ads"), values)?.points.map(\.cost) == [100_000, 20_000])
        #expect(self.curve(.rate("ads"), values)?.unit == .each("µs"))
    }

    @Test("growth is the cost per item relative to the previous step")
    func growth() throws {
        let curve = try #require(self.curve(.each("KiB"), [(1, 4), (10, 2), (100, 8)]))
        #expect(curve.points.map(\.growth) == [nil, 0.5, 4])
        #expect(curve.growthText == "The cost per item grows by a factor of 4 at 100 ads.")
        #expect(curve.bars == "▅▃█")
    }

    @Test("growth below the noise is not reported")
    func noise() {
        let curve = self.curve(.each("KiB"), [(1, 4), (10, 5)])
        #expect(curve?.growthText == "The cost per item grows by less than 25 % at every step.")
    }

    @Test("values of 0 have no growth and no bars")
    func nothing() throws {
        let curve = try #require(self.curve(.each("KiB"), [(1, 0), (10, 0)]))
        #expect(curve.points.map(\.growth) == [nil, nil] && curve.bars.isEmpty)
        #expect(self.curve(.each("KiB"), [(1, 0), (10, 4)])?.growthText == "A value of 0 is below the resolution.")
    }

    @Test("a single amount, or figures without amounts, are no curve")
    func singles() {
        #expect(self.curve(.all("µs"), [(1, 1)]) == nil)
        let figure = Figure("b", "w", .all("µs"), Sample.distribution)
        #expect(Curve([figure, figure]) == nil)
    }
}
