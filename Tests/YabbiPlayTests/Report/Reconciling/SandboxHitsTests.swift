import AdCore
import CurlTransport
import PlaySupport
import SandboxSSP
import Testing

@testable import PlayConsole
@testable import PlayReconcile
@testable import YabbiPlay

@Suite("A ledger and the hits of a real server")
struct SandboxHitsTests {
    /// Sends a beacon with a key several times, and ignores errors.
    private func send(_ sandbox: Sandbox, _ key: String, times: Int) async throws {
        let transport: any Transport = try CurlTransport.forCommand()
        let url = try #require(sandbox.url("/t/yabbi/view?ad=1"))
        for _ in 0..<times {
            let limits = AdHTTPRequest.Limits(total: .seconds(5), body: 4096, excess: .discard, redirects: 3)
            let request = AdHTTPRequest(
                .get,
                url,
                headers: ["Idempotency-Key": key],
                limits: limits,
                repetition: .counted
            )
            _ = try? await transport.send(request)
        }
    }

    /// A fault, whether the server counts the hit, and the description of the hit.
    static let faults: [(Sandbox.Fault.Kind, Bool, String)] = [
        (.delay(milliseconds: 1), true, "hit 1 was counted, with a delayed response (delay)"),
        (.dropBeforeReply, true, "hit 1 was counted, without a response (dropBeforeReply)"),
        (.truncate, true, "hit 1 was counted, with a truncated response (truncate)"),
        (.garbage, true, "hit 1 was counted, with a garbled response (garbage)"),
        (.slow(bytesPerSecond: 1000), true, "hit 1 was counted, with a slow response (slow)"),
        (.status(204), true, "hit 1 was counted, with another 2xx status (status)"),
        (.status(404), false, "hit 1 was rejected (status)"), (.status(503), false, "hit 1 was rejected (status)"),
    ]

    @Test(
        "each fault is described, and a beacon that is sent again is a duplicate only if it was counted",
        arguments: faults
    )
    func eachFault(kind: Sandbox.Fault.Kind, isCounted: Bool, handling: String) async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(kind)]])
        let url = try #require(sandbox.url("/t/yabbi/view?ad=1")).text
        let line = LedgerLine.sample("k", .unconfirmed(reason: "no answer"), attempts: 2, url: url)
        try await self.send(sandbox, "k", times: 1)
        let once = Reconciliation([line], against: HitList(sandbox), lateAfter: .seconds(60))
        #expect(once.outcomes.map(\.verdict) == [.unconfirmed])
        #expect(once.outcomes.map(\.cause) == ["no answer; \(isCounted ? "the server received it: " : "")\(handling)"])
        #expect(once.duplicates == 0 && sandbox.bill().billed == (isCounted ? 1 : 0))

        try await self.send(sandbox, "k", times: 1)
        let twice = Reconciliation([line], against: HitList(sandbox), lateAfter: nil)
        #expect(twice.outcomes.map(\.verdict) == [isCounted ? .doubled : .unconfirmed])
        #expect(twice.duplicates == sandbox.bill().repeats)
        #expect(sandbox.bill().billed == 1)
    }

    @Test("an endless redirect is described with each hit, and counts nothing")
    func redirectLoop() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.redirectLoop)]])
        let url = try #require(sandbox.url("/t/yabbi/view?ad=1")).text
        try await self.send(sandbox, "k", times: 1)
        let line = LedgerLine.sample("k", .dead(reason: "too many redirects"), url: url)
        let result = Reconciliation([line], against: HitList(sandbox), lateAfter: nil)
        let cause = try #require(result.outcomes.first?.cause)
        let expected = "too many redirects; hit 1 was redirected in a loop (redirectLoop); hit 2 was redirected again"
        #expect(cause == expected, "the transport follows no URL twice")
        #expect(result.unknown == 0 && result.duplicates == 0 && sandbox.bill().billed == 0)
    }

    @Test("hits have their host, and whether they were counted")
    func hits() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), Sandbox.Fault(.dropBeforeReply)]])
        try await self.send(sandbox, "k", times: 3)
        let hits = HitList(sandbox)
        #expect(hits.arrivals.map(\.isCounted) == [false, true, true])
        #expect(hits.arrivals.map(\.host) == Array(repeating: "127.0.0.1:\(sandbox.port)", count: 3))
    }
}
