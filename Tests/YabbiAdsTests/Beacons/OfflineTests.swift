import AdCore
import AdRuntime
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing
import YabbiAds
import YabbiTesting

@Suite("A device that was offline for long")
struct OfflineTests {
    /// `YABBI_BEACONS=100000` is the long form.
    @Test("keeps all its beacons, twenty thousand of them, and delivers each of them once when the network is back")
    func manyBeacons() async throws {
        let mail = try Mail()
        let others = try (0..<7).map { _ in try Sandbox.start() }
        defer { for other in others { other.stop() } }
        let servers = [mail.sandbox] + others
        let count = TestSeed.count("YABBI_BEACONS", 20_000)
        mail.board.post(.network(.offline))
        for batch in 0..<count / 1_000 {
            let beacons = try (0..<1_000).map { index -> Beacon in
                let url = try #require(servers[index % servers.count].url("/t/yabbi/view?n=\(batch)-\(index)"))
                let key = BeaconKey(ad: AdID("b\(batch)-\(index)"), event: .view)
                return Beacon(key, BeaconCall(.get, TrackingURL(url), isBilling: true), of: "test")
            }
            await mail.send(beacons)
        }
        await mail.clock.settle()
        #expect(servers.allSatisfy { $0.hits().isEmpty }, "nothing is tried without a network")
        #expect(try await mail.ledger.summary().waiting == count)

        mail.board.post(.network(.wifi))
        await mail.clock.settle()
        let bills = servers.map { $0.bill() }
        #expect(bills.reduce(0) { $0 + $1.billed } == count)
        #expect(bills.reduce(0) { $0 + $1.counted } == count, "and no server had to tell a repetition from a beacon")
        let summary = try await mail.ledger.summary()
        #expect(summary.waiting + summary.inFlight + summary.unconfirmed + summary.dead == 0)
    }
}
