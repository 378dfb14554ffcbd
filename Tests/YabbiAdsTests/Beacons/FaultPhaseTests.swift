import AdCore
import SQLiteLedger
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

/// A fault of a server, and the outcome of a beacon's attempt that meets it.
struct FaultCase: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// It is retried and delivered.
        case retried
        /// It is delivered, whatever the response looks like.
        case delivered
        /// The server may have received it.
        case unconfirmed
        /// It will never be delivered.
        case dead
    }

    let fault: Sandbox.Fault.Kind
    let outcome: Outcome

    var testDescription: String { "\(self.fault)" }

    static let all = [
        FaultCase(fault: .status(500), outcome: .retried), FaultCase(fault: .status(502), outcome: .retried),
        FaultCase(fault: .status(503), outcome: .retried),
        FaultCase(fault: .status(503, retryAfter: 7200), outcome: .retried),
        FaultCase(fault: .status(429, retryAfter: 2), outcome: .retried),
        FaultCase(fault: .status(408), outcome: .retried),
        FaultCase(fault: .status(204), outcome: .delivered), FaultCase(fault: .status(400), outcome: .dead),
        FaultCase(fault: .status(404), outcome: .dead), FaultCase(fault: .status(410), outcome: .dead),
        FaultCase(fault: .status(304), outcome: .dead), FaultCase(fault: .delay(milliseconds: 30), outcome: .delivered),
        FaultCase(fault: .delay(milliseconds: 60_000), outcome: .unconfirmed),
        FaultCase(fault: .dropBeforeReply, outcome: .unconfirmed),
        FaultCase(fault: .truncate, outcome: .delivered), FaultCase(fault: .garbage, outcome: .delivered),
        FaultCase(fault: .slow(bytesPerSecond: 400), outcome: .delivered),
        FaultCase(fault: .redirectLoop, outcome: .unconfirmed),
    ]
}

@Suite("Beacons: each fault of a server in each phase of delivery")
struct FaultPhaseTests {
    /// The attempt that meets the fault.
    enum Phase: CaseIterable, Sendable {
        case first, retry, afterRestart, inFlight
    }

    @Test("at most once: a beacon is counted once, or listed with the reason", arguments: FaultCase.all, Phase.allCases)
    func assumeDelivered(faultCase: FaultCase, phase: Phase) async throws {
        let (fixture, beacon) = try await self.sendMeeting(faultCase, phase, .atMostOnce)
        let entry = try #require(try await fixture.ledger.entries().first)
        let counted = fixture.counted[beacon.key.text, default: 0]
        // A beacon that was in flight may have been sent; it is not sent again, and meets no fault.
        switch (phase, faultCase.outcome) {
        case (.inFlight, _):
            #expect(entry.state.name == "unconfirmed")
            #expect(fixture.sandbox.hits().isEmpty)
        case (_, .retried), (_, .delivered):
            #expect(entry.state == .delivered)
            #expect(counted == 1)
        case (_, .unconfirmed):
            #expect(entry.state.name == "unconfirmed")
            #expect(counted <= 1)
        case (_, .dead):
            #expect(entry.state.name == "dead")
            #expect(counted == 0)
        }
        #expect(try await fixture.ledger.nextDue() == nil)
    }

    @Test(
        "at least once: a beacon is billed once by a server that counts each key once",
        arguments: FaultCase.all,
        Phase.allCases
    )
    func resend(faultCase: FaultCase, phase: Phase) async throws {
        let (fixture, _) = try await self.sendMeeting(faultCase, phase, .atLeastOnce)
        let entry = try #require(try await fixture.ledger.entries().first)
        let bill = fixture.sandbox.bill()
        if faultCase.outcome == .dead {
            #expect(entry.state.name == "dead")
            #expect(bill.billed == 0)
        } else {
            #expect(entry.state == .delivered)
            #expect(bill.billed == 1)
        }
        #expect(bill.unkeyed == 0)
    }

    private func sendMeeting(_ faultCase: FaultCase, _ phase: Phase, _ guarantee: DeliveryGuarantee) async throws -> (
        BeaconFixture, Beacon
    ) {
        let fixture = try BeaconFixture(timeout: .milliseconds(300))
        let beacon = try fixture.beacon("a", guarantee: guarantee)
        let fault = Sandbox.Fault(faultCase.fault)
        switch phase {
        case .first:
            try fixture.sandbox.setFaults(["/t/": [fault]])
            await fixture.send([beacon])
        case .retry:
            try fixture.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), fault]])
            await fixture.send([beacon])
        case .afterRestart:
            try fixture.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), fault]])
            await fixture.send([beacon])
            await fixture.clock.settle()
            await fixture.restart()
        case .inFlight:
            // The beacon was claimed, and the process ended before its outcome was recorded.
            try fixture.sandbox.setFaults(["/t/": [fault]])
            let now = fixture.clock.wallTime
            _ = try await fixture.ledger.record([beacon], at: now)
            #expect(try await fixture.ledger.claim(ClaimRequest(limit: 1, at: now)).beacons.count == 1)
            await fixture.restart()
        }
        await fixture.run()
        return (fixture, beacon)
    }
}
