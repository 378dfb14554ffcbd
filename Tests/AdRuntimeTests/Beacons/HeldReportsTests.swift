import AdCore
import LibC
import SystemSupport
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

    @Test("while the app keeps the event beaconRecorded, its beacon and those of others are sent and settled")
    func blocked() async throws {
        let ledger = TogetherLedger()
        let world = World(ledger: ledger)
        await world.clock.settle()
        let gate = try Gate()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        ad.listen { if $0.name == "beaconRecorded" { gate.wait() } }
        try await ad.show(on: RecordingPresenter())
        await self.wait { gate.isWaiting }
        let beacons = world.services.beacons
        await beacons.recordAndDeliver([self.beacon("other")])
        await self.wait { Set(world.beacons) == ["/view", "/other"] && !beacons.hasClaims }
        #expect(try await ledger.inner.entries().allSatisfy { $0.state == .delivered && $0.attempts == 1 })
        #expect(world.observer.names.filter { $0 == "beaconDelivered" }.count == 1, "the other one's")
        #expect(await beacons.isBusy(), "a wait for the beacons includes the report")
        // These do not wait for the app.
        await beacons.stopSending(within: .seconds(30))
        gate.open()
        await world.clock.settle()
        let events = world.observer.records.filter { $0.ad == ad.id }.map(\.event.name)
        #expect(events.filter { $0.hasPrefix("beacon") } == ["beaconRecorded", "beaconDelivered"])
        #expect(await !beacons.isBusy())
        ad.destroy()
    }

    @Test("the outcome is reported although the ad was released meanwhile, and sending was stopped")
    func released() async throws {
        let world = World(ledger: TogetherLedger())
        await world.clock.settle()
        let gate = try Gate()
        do {
            let ad = try await world.loader.load(.sample(closeDelay: .zero))
            ad.listen { if $0.name == "beaconRecorded" { gate.wait() } }
            try await ad.show(on: RecordingPresenter())
            await self.wait { gate.isWaiting && !world.beacons.isEmpty && !world.services.beacons.hasClaims }
            ad.destroy()
        }
        await world.services.beacons.stopSending(within: .seconds(30))
        gate.open()
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

    private func wait(until isTrue: () -> Bool) async { while !isTrue() { await Task.yield() } }
}

/// Blocks a thread until a test opens it.
private final class Gate: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let waiting = Locked(false)

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (self.reading, self.writing) = (ends[0], ends[1])
    }

    deinit {
        close(self.reading)
        close(self.writing)
    }

    var isWaiting: Bool { self.waiting.withLock { $0 } }

    func wait() {
        self.waiting.withLock { $0 = true }
        var byte: UInt8 = 0
        _ = read(self.reading, &byte, 1)
    }

    func open() {
        var byte: UInt8 = 0
        _ = write(self.writing, &byte, 1)
    }
}
