import AdCore
import AdRuntime
import SQLiteLedger
import SandboxSSP
import TestSupport
import Testing
import YabbiAds
import YabbiTesting

@Suite("Beacons: a device that was offline for long")
struct OfflineTests {
    /// `YABBI_BEACONS=100000` runs more of them.
    @Test("twenty thousand beacons are kept without a network, and each is delivered once when it is back")
    func manyBeacons() async throws {
        let fixture = try BeaconFixture()
        let others = try (0..<7).map { _ in try Sandbox.start() }
        defer { for other in others { other.stop() } }
        let servers = [fixture.sandbox] + others
        let count = TestSeed.count("YABBI_BEACONS", 20_000)
        fixture.hostSignals.post(.network(.offline))
        for batch in 0..<count / 1_000 {
            let beacons = try (0..<1_000).map { index -> Beacon in
                let url = try #require(servers[index % servers.count].url("/t/yabbi/view?n=\(batch)-\(index)"))
                let key = BeaconKey(ad: AdID("b\(batch)-\(index)"), event: .view)
                return Beacon(key, BeaconCall(.get, TrackingURL(url), isBilling: true), of: "test")
            }
            await fixture.send(beacons)
        }
        await fixture.clock.settle()
        #expect(servers.allSatisfy { $0.hits().isEmpty }, "nothing is sent without a network")
        #expect(try await fixture.ledger.summary().pending == count)

        fixture.hostSignals.post(.network(.wifi))
        await fixture.clock.settle()
        let bills = servers.map { $0.bill() }
        #expect(bills.reduce(0) { $0 + $1.billed } == count)
        #expect(bills.reduce(0) { $0 + $1.counted } == count, "no server received a duplicate")
        let summary = try await fixture.ledger.summary()
        #expect(summary.pending + summary.inFlight + summary.unconfirmed + summary.dead == 0)
    }
}
