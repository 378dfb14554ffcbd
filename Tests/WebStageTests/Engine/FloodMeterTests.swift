import Testing

@testable import WebStage

@Suite("Limiting a target's messages")
struct FloodMeterTests {
    private let target = EngineTarget(name: "S")
    private let start = ContinuousClock.now

    private func admit(_ meter: inout FloodMeter, after time: Duration, bytes: Int = 100) -> FloodMeter.Decision {
        meter.admit(self.target, bytes: bytes, at: self.start + time)
    }

    /// Admits a number of messages at once; returns the decisions other than `read`.
    private func send(_ count: Int, _ meter: inout FloodMeter, after time: Duration) -> [FloodMeter.Decision] {
        (0..<count).map { _ in self.admit(&meter, after: time) }.filter { $0 != .read }
    }

    @Test("the messages of a rich creative are read, in a burst and over time")
    func innocent() {
        var meter = FloodMeter()
        #expect(self.send(6_000, &meter, after: .zero).isEmpty)
        for second in 1...20 { #expect(self.send(2_000, &meter, after: .seconds(second)).isEmpty) }
    }

    @Test("a flood is reported when it starts, and as persistent after two seconds")
    func lasting() {
        var meter = FloodMeter()
        let first = self.send(8_000, &meter, after: .zero)
        #expect(first.first == .report(.started) && first.count == 2_000)
        #expect(first.dropFirst().allSatisfy { $0 == .drop })
        // All new tokens are used up, so that the flood never pauses.
        var decisions: [FloodMeter.Decision] = []
        for step in 1...30 { decisions += self.send(1_000, &meter, after: .milliseconds(step * 100)) }
        #expect(decisions.filter { $0 != .drop } == [.report(.persists(dropped: 21_001))])
    }

    @Test(
        "a burst is not a persistent flood, whatever follows it",
        arguments: [60, 600, 1_900]
    )
    func burst(rate: Int) {
        var meter = FloodMeter()
        var decisions = self.send(9_000, &meter, after: .zero)
        for step in 1...500 { decisions += self.send(rate / 100, &meter, after: .milliseconds(10 * step)) }
        #expect(decisions.contains(.report(.started)))
        #expect(!decisions.contains { if case .report(.persists) = $0 { true } else { false } })
    }

    @Test("after a flood the target is read again, and the number of dropped messages is reported")
    func over() {
        var meter = FloodMeter()
        _ = self.send(6_010, &meter, after: .zero)
        #expect(self.admit(&meter, after: .seconds(2)) == .readAfter(.ended(dropped: 10)))
        #expect(self.admit(&meter, after: .seconds(2)) == .read)
    }

    @Test("a long message counts as several")
    func long() {
        var meter = FloodMeter()
        let decisions = (0..<30).map { _ in self.admit(&meter, after: .zero, bytes: 1 << 20) }
        #expect(decisions.firstIndex(of: .report(.started)) == 23)
    }

    @Test("each target has its own bucket, also with thousands of targets")
    func targets() {
        var meter = FloodMeter()
        _ = self.send(7_000, &meter, after: .zero)
        for number in 0..<5_000 {
            let other = EngineTarget(name: "\(number)")
            #expect(meter.admit(other, bytes: 10, at: self.start) == .read)
        }
        #expect(self.admit(&meter, after: .zero) == .drop)
    }
}
