import AdCore
import Testing

@testable import WebStage

@Suite("When an MRAID ad may expand or resize")
struct MRAIDExpansionPolicyTests {
    private func bench() -> HostBench {
        var bench = HostBench(expansionPolicy: .afterGesture)
        bench.handle(.loaded(.main))
        return bench
    }

    private func reports(_ actions: [MRAIDAction]) -> [String] {
        actions.compactMap { if case .report(let text) = $0 { text } else { nil } }
    }

    @Test(
        "expand and resize without a gesture are refused and reported once",
        arguments: [
            MRAIDMethod.expand, .resize,
        ]
    )
    func refused(_ method: MRAIDMethod) throws {
        var bench = self.bench()
        try bench.call(.setResizeProperties)
        for _ in 0..<3 { #expect(try bench.call(method) == .refused(MRAIDExpansionPolicy.refusal)) }
        #expect(bench.host.state == .default && bench.host.layout == .defaultPosition)
        #expect(self.reports(bench.actions) == ["mraid.\(method.rawValue)() \(MRAIDExpansionPolicy.refusal)"])
    }

    @Test("a gesture allows expand for five seconds", arguments: [(5_000, true), (5_001, false)])
    func memory(_ milliseconds: Int, _ isAllowed: Bool) throws {
        var bench = self.bench()
        bench.handle(.gesture(at: .seconds(1)))
        let outcome = try bench.call(.expand, at: .seconds(1) + .milliseconds(milliseconds))
        #expect(outcome == (isAllowed ? .done : .refused(MRAIDExpansionPolicy.refusal)))
    }

    @Test("an ad that the user has collapsed stays small until the next tap")
    func collapsed() throws {
        var bench = self.bench()
        bench.handle(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        bench.handle(.collapsedByUser)
        #expect(bench.host.state == .default)
        #expect(try bench.call(.expand).isRefused)
        try bench.call(.setResizeProperties)
        #expect(try bench.call(.resize).isRefused)
        bench.handle(.gesture(at: .seconds(1)))
        #expect(try bench.call(.expand, at: .seconds(1)) == .done)
    }

    @Test("an ad that closes its expanded state may expand again by the same tap")
    func own() throws {
        var bench = self.bench()
        bench.handle(.gesture(at: .zero))
        #expect(try bench.call(.expand) == .done)
        #expect(try bench.call(.close) == .done)
        #expect(try bench.call(.expand, at: .seconds(2)) == .done)
    }
}
