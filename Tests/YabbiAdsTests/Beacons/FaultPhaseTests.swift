import AdCore
import SQLiteLedger
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

/// What can go wrong at a server, and what becomes of a beacon that meets it.
struct Mishap: Sendable, CustomTestStringConvertible {
    enum Fate: Sendable {
        /// It is tried again and arrives.
        case retried
        /// It has arrived, whatever the answer looked like.
        case arrived
        /// It may have arrived.
        case doubtful
        /// It will never arrive.
        case dead
    }

    let fault: Sandbox.Fault.Kind
    let fate: Fate

    var testDescription: String { "\(self.fault)" }

    static let all = [
        Mishap(fault: .status(500), fate: .retried), Mishap(fault: .status(502), fate: .retried),
        Mishap(fault: .status(503), fate: .retried), Mishap(fault: .status(503, retryAfter: 7200), fate: .retried),
        Mishap(fault: .status(429, retryAfter: 2), fate: .retried), Mishap(fault: .status(408), fate: .retried),
        Mishap(fault: .status(204), fate: .arrived), Mishap(fault: .status(400), fate: .dead),
        Mishap(fault: .status(404), fate: .dead), Mishap(fault: .status(410), fate: .dead),
        Mishap(fault: .status(304), fate: .dead), Mishap(fault: .delay(milliseconds: 30), fate: .arrived),
        Mishap(fault: .delay(milliseconds: 60_000), fate: .doubtful), Mishap(fault: .dropBeforeReply, fate: .doubtful),
        Mishap(fault: .truncate, fate: .arrived), Mishap(fault: .garbage, fate: .arrived),
        Mishap(fault: .slow(bytesPerSecond: 400), fate: .arrived), Mishap(fault: .redirectLoop, fate: .doubtful),
    ]
}

@Suite("A beacon that meets each fault of a server at each moment of its way")
struct FaultPhaseTests {
    /// When in its life it meets the fault.
    enum Phase: CaseIterable, Sendable {
        case first, retry, afterRestart, inDoubt
    }

    @Test("is counted once, or listed with the reason", arguments: Mishap.all, Phase.allCases)
    func assumeDelivered(mishap: Mishap, phase: Phase) async throws {
        let (mail, beacon) = try await self.life(mishap, phase, .atMostOnce)
        let entry = try #require(try await mail.ledger.entries().first)
        let counted = mail.counted[beacon.key.text, default: 0]
        // Where nobody knows whether it had been sent, it is not sent again, and meets no fault.
        switch (phase, mishap.fate) {
        case (.inDoubt, _):
            #expect(entry.state.name == "unconfirmed")
            #expect(mail.sandbox.hits().isEmpty)
        case (_, .retried), (_, .arrived):
            #expect(entry.state == .delivered)
            #expect(counted == 1)
        case (_, .doubtful):
            #expect(entry.state.name == "unconfirmed")
            #expect(counted <= 1)
        case (_, .dead):
            #expect(entry.state.name == "dead")
            #expect(counted == 0)
        }
        #expect(try await mail.ledger.nextDue() == nil)
    }

    @Test("is billed once where the server takes each key once", arguments: Mishap.all, Phase.allCases)
    func resend(mishap: Mishap, phase: Phase) async throws {
        let (mail, _) = try await self.life(mishap, phase, .atLeastOnce)
        let entry = try #require(try await mail.ledger.entries().first)
        let bill = mail.sandbox.bill()
        if mishap.fate == .dead {
            #expect(entry.state.name == "dead")
            #expect(bill.billed == 0)
        } else {
            #expect(entry.state == .delivered)
            #expect(bill.billed == 1)
        }
        #expect(bill.unkeyed == 0)
    }

    private func life(_ mishap: Mishap, _ phase: Phase, _ guarantee: DeliveryGuarantee) async throws -> (
        Mail, Beacon
    ) {
        let mail = try Mail(patience: .milliseconds(300))
        let beacon = try mail.beacon("a", guarantee: guarantee)
        let fault = Sandbox.Fault(mishap.fault)
        switch phase {
        case .first:
            try mail.sandbox.setFaults(["/t/": [fault]])
            await mail.send([beacon])
        case .retry:
            try mail.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), fault]])
            await mail.send([beacon])
        case .afterRestart:
            try mail.sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503)), fault]])
            await mail.send([beacon])
            await mail.clock.settle()
            await mail.restart()
        case .inDoubt:
            // Somebody took it, and the process ended before it was written down what became of it.
            try mail.sandbox.setFaults(["/t/": [fault]])
            let now = mail.clock.wallTime
            _ = try await mail.ledger.record([beacon], at: now)
            #expect(try await mail.ledger.claim(ClaimRequest(limit: 1, at: now)).beacons.count == 1)
            await mail.restart()
        }
        await mail.run()
        return (mail, beacon)
    }
}
