import AdCore
import Testing

@testable import WebStage

@Suite("When an MRAID ad may grow")
struct MRAIDGrowthTests {
    private func bench() -> HostBench {
        var bench = HostBench(growth: .afterGesture)
        bench.hear(.loaded(.main))
        return bench
    }

    private func reports(_ actions: [MRAIDAction]) -> [String] {
        actions.compactMap { if case .report(let words) = $0 { words } else { nil } }
    }

    @Test(
        "without a gesture it gets an error and stays as it is, and that is reported once",
        arguments: [
            MRAIDMethod.expand, .resize,
        ]
    )
    func refused(_ method: MRAIDMethod) throws {
        var bench = self.bench()
        try bench.call(.setResizeProperties)
        for _ in 0..<3 { #expect(try bench.call(method) == .refused(MRAIDGrowth.refusal)) }
        #expect(bench.host.state == .default && bench.host.layout == .slot)
        #expect(self.reports(bench.actions) == ["mraid.\(method.rawValue)() \(MRAIDGrowth.refusal)"])
    }

    @Test("a gesture is good for five seconds", arguments: [(5_000, true), (5_001, false)])
    func memory(_ milliseconds: Int, _ isAllowed: Bool) throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .seconds(1)))
        let outcome = try bench.call(.expand, at: .seconds(1) + .milliseconds(milliseconds))
        #expect(outcome == (isAllowed ? .done : .refused(MRAIDGrowth.refusal)))
    }

    @Test("what the user has made small stays small, whatever was tapped before, until the next tap")
    func collapsed() throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        bench.hear(.collapsedByUser)
        #expect(bench.host.state == .default)
        #expect(try bench.call(.expand).isRefused)
        try bench.call(.setResizeProperties)
        #expect(try bench.call(.resize).isRefused)
        bench.hear(.gesture(at: .seconds(1)))
        #expect(try bench.call(.expand, at: .seconds(1)) == .done)
    }

    @Test("what is large may change its size, and what makes itself small may grow again by the same tap")
    func own() throws {
        var bench = self.bench()
        bench.hear(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        #expect(try bench.call(.close) == .done)
        #expect(try bench.call(.expand, at: .seconds(2)) == .done)
    }
}
