import AdCore
import AdProviders
import SandboxSSP
import Testing
import YabbiAds

@testable import AdRuntime

@Suite("Trackers that hang", .timeLimit(.minutes(5)))
struct HangingTrackerTests {
    @Test("trackers that hang don't use up the connections of loads")
    func loads() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativeCatalogue([CreativeEntry(name: "banner", markup: "<p>Hello</p>")])
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        // Each sandbox is an origin of its own, and its trackers respond after a minute.
        let trackers = try (0..<BeaconScheduler.Limits().onTheWay).map { _ in try Sandbox.start() }
        defer { for tracker in trackers { tracker.stop() } }
        var beacons: [Beacon] = []
        for (number, tracker) in trackers.enumerated() {
            try tracker.setFaults(["/t/": Array(repeating: Sandbox.Fault(.delay(milliseconds: 60_000)), count: 9)])
            for index in 0..<2 {
                let url = TrackingURL(try #require(tracker.url("/t/yabbi/view")))
                let key = BeaconKey(ad: AdID("a\(number)"), event: .view, index: index)
                beacons.append(Beacon(key, BeaconCall(.get, url), of: "test"))
            }
        }
        let services = try AdServices.standard(opener: NoOpener())
        services.beacons.announce()
        _ = await services.beacons.record(beacons)
        services.beacons.deliver()
        var hits = 0
        while hits < BeaconScheduler.Limits().onTheWay {
            await Task.yield()
            hits = trackers.reduce(0) { $0 + $1.hits().count }
        }
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let app = YabbiApp(publisherID: "p", bundle: "com.example.app", name: "Example")
        let loader = AdLoader.yabbi(endpoint, app: app, services: services)
        for _ in 0..<20 { #expect(try await loader.load(.banner(unit: "banner")).isLoaded) }

        // A beacon to a server that responds does not wait until the others time out.
        let start = ContinuousClock.now
        let url = TrackingURL(try #require(sandbox.url("/t/yabbi/view")))
        await services.beacons.recordAndDeliver([
            Beacon(BeaconKey(ad: AdID("b"), event: .view), BeaconCall(.get, url), of: "test")
        ])
        while sandbox.hits().allSatisfy({ $0.path != "/t/yabbi/view" }), ContinuousClock.now - start < .seconds(12) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(sandbox.hits().contains { $0.path == "/t/yabbi/view" }, "the beacon waited for the hanging ones")
    }
}
