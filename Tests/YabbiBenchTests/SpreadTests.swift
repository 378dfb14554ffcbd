import Testing

@testable import yabbi_bench

@Suite("How measured values lie")
struct SpreadTests {
    @Test("the middle of an even number of values is half way between two")
    func medians() {
        #expect(Spread([3, 1, 2])?.median == 2)
        #expect(Spread([1, 2])?.median == 1.5)
        #expect(Spread([])?.median == nil)
    }

    @Test("half of the values lie within the quartiles")
    func quartiles() throws {
        let spread = try #require(Spread([5, 1, 4, 2, 3]))
        #expect(spread.lower == 2 && spread.upper == 4 && spread.turns == 5)
    }

    @Test("what 99 of a hundred do not exceed is told where there are as many")
    func tails() {
        #expect(Spread((1...99).map(Double.init))?.p99 == nil)
        #expect(Spread((0...100).map(Double.init))?.p99 == 99)
    }

    @Test("a ratio is taken turn by turn, and what comes first is forgotten")
    func pairs() {
        var pairs = Pairs(warmUp: 1)
        pairs.take(100, floor: 1)
        for (own, floor) in [(2.0, 1.0), (30, 10), (4, 4)] { pairs.take(own, floor: floor) }
        #expect(pairs.own == [2, 30, 4])
        #expect(Spread(pairs.ratios)?.median == 2)
    }

    @Test("a floor of nothing gives no ratio")
    func nothing() {
        var pairs = Pairs()
        pairs.take(1, floor: 0)
        #expect(pairs.ratios.isEmpty)
    }

    @Test(
        "numbers are written to three digits or so, thousands apart",
        arguments: [
            (0.0, "0"), (0.01234, "0.012"), (0.00000123, "0.0000012"), (0.09999, "0.10"), (0.256, "0.26"),
            (1.5, "1.50"), (2, "2"), (12.34, "12.3"), (123.4, "123"),
            (1234.5, "1,235"), (1_234_567, "1,234,567"), (-1.5, "-1.50"),
        ]
    )
    func digits(value: Double, text: String) {
        #expect(Digits.text(value) == text)
    }
}
