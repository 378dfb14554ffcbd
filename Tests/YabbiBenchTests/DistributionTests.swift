import Testing

@testable import yabbi_bench

@Suite("Distributions of values")
struct DistributionTests {
    @Test("the median of an even number of values is interpolated")
    func medians() {
        #expect(Distribution([3, 1, 2])?.median == 2)
        #expect(Distribution([1, 2])?.median == 1.5)
        #expect(Distribution([])?.median == nil)
    }

    @Test("half of the values are between the quartiles")
    func quartiles() throws {
        let distribution = try #require(Distribution([5, 1, 4, 2, 3]))
        #expect(distribution.lower == 2 && distribution.upper == 4 && distribution.count == 5)
    }

    @Test("the 99th percentile needs at least 100 values")
    func tails() {
        #expect(Distribution((1...99).map(Double.init))?.p99 == nil)
        #expect(Distribution((0...100).map(Double.init))?.p99 == 99)
    }

    @Test("ratios are taken per pair, and warm-up pairs are discarded")
    func pairs() {
        var pairs = PairedSamples(warmUp: 1)
        pairs.add(100, baseline: 1)
        for (own, baseline) in [(2.0, 1.0), (30, 10), (4, 4)] { pairs.add(own, baseline: baseline) }
        #expect(pairs.own == [2, 30, 4])
        #expect(Distribution(pairs.ratios)?.median == 2)
    }

    @Test("a baseline of 0 gives no ratio")
    func nothing() {
        var pairs = PairedSamples()
        pairs.add(1, baseline: 0)
        #expect(pairs.ratios.isEmpty)
    }

    @Test(
        "numbers have about three digits and thousands separators",
        arguments: [
            (0.0, "0"), (0.01234, "0.012"), (0.00000123, "0.0000012"), (0.09999, "0.10"), (0.256, "0.26"),
            (1.5, "1.50"), (2, "2"), (12.34, "12.3"), (123.4, "123"),
            (1234.5, "1,235"), (1_234_567, "1,234,567"), (-1.5, "-1.50"),
        ]
    )
    func digits(value: Double, text: String) {
        #expect(NumberFormat.text(value) == text)
    }
}
