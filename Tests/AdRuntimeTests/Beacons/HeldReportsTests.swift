import AdCore
import TestSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Reports that wait until a beacon is reported as recorded", .timeLimit(.minutes(5)))
struct HeldReportsTests {
    private func beacon(_ name: String) -> Beacon {
        let url = TrackingURL(url("http://t.example/\(name)"))
        return Beacon(BeaconKey(ad: AdID(name), event: .view), BeaconCall(.get, url), of: "test")
    }

    private func report(_ name: String, _ event: (BeaconKey) -> AdEvent) -> HeldReports.Report {
        let beacon = self.beacon(name)
        return HeldReports.Report(beacon: beacon, event: event(beacon.key))
    }

    @Test("a report waits for its own beacon, and for each of its records")
    func keys() {
        var held = HeldReports()
        let (one, two) = (self.beacon("1").key, self.beacon("2").key)
        let delivered = { (key: BeaconKey) in AdEvent.beaconDelivered(key, attempts: 1) }
        held.hold([one])
        held.hold([one])
        #expect(held.add(self.report("2", delivered))?.beacon.key == two, "it is not held")
        #expect(!held.hasReports)
        #expect(held.add(self.report("1", delivered)) == nil)
        #expect(held.hasReports)
        #expect(held.release([one]).isEmpty, "another record is not reported")
        #expect(held.release([two, one]).map(\.event) == [delivered(one)])
        #expect(!held.hasReports)
        #expect(held.release([one]).isEmpty)
        #expect(held.add(self.report("1", delivered)) != nil)
    }

    @Test("of many reports the newest stay")
    func limit() {
        var held = HeldReports()
        let key = self.beacon("1").key
        held.hold([key])
        let events = (1...10).map { AdEvent.beaconDelivered(key, attempts: $0) }
        for event in events { #expect(held.add(self.report("1") { _ in event }) == nil) }
        #expect(held.release([key]).map(\.event) == events.suffix(HeldReports.limit))
    }

    @Test("until a beacon is reported as recorded it is sent and settled, and only its report waits")
    func heldUntilReported() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        let beacons = world.services.beacons
        let own = self.beacon("own")
        beacons.announce()
        _ = await beacons.recordHoldingReports([own])
        await beacons.recordAndDeliver([self.beacon("other")])
        await world.clock.settle()
        #expect(Set(world.beacons) == ["/own", "/other"] && !beacons.hasClaims)
        #expect(try await ledger.inner.entries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
        #expect(world.observer.names.filter { $0 == "beaconDelivered" }.count == 1, "the other one's")
        #expect(await beacons.isBusy(), "a wait for the beacons includes the report")
        // The end of sending does not wait for the app.
        await beacons.stopSending(within: .seconds(30))
        beacons.releaseReports(of: [own.key])
        #expect(world.observer.records.filter { $0.ad == own.key.ad }.map(\.event.name) == ["beaconDelivered"])
        #expect(await !beacons.isBusy())
    }

    @Test("an ad reports its beacon as recorded, then as delivered, although it was destroyed meanwhile")
    func destroyed() async throws {
        let world = World(ledger: TogetherLedger())
        await world.clock.settle()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        ad.listen { [weak ad] in if $0.name == "beaconRecorded" { ad?.destroy() } }
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        #expect(world.observer.names.filter { $0.hasPrefix("beacon") } == ["beaconRecorded", "beaconDelivered"])
        #expect(await !world.services.beacons.isBusy())
    }

    @Test("a beacon that is recorded twice is reported as recorded and delivered once")
    func duplicate() async throws {
        let world = World(ledger: TogetherLedger())
        await world.clock.settle()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        for _ in 0..<3 { ad.record([self.beacon("1")], as: .notices) }
        ad.record([], as: .notices)
        await world.clock.settle()
        #expect(world.beacons == ["/1"])
        #expect(world.observer.names.filter { $0.hasPrefix("beacon") } == ["beaconRecorded", "beaconDelivered"])
        #expect(await !world.services.beacons.isBusy())
        ad.destroy()
    }
}
