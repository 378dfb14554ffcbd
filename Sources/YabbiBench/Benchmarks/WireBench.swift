import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import YabbiAds

/// How soon after a view its beacon is on the wire, two durable writes between, against a bare request.
enum WireBench {
    static func run(_ bench: Bench) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let arrival = Stamp()
        let view = Stamp()
        let tracker = try FixedServer(json: Array("{}".utf8)) { arrival.set() }
        defer { tracker.stop() }
        let ledger = SQLiteLedger(file: folder.file("latency"))
        let transport = try CurlTransport()
        let services = AdServices(transport: transport, ledger: ledger, observer: ViewWatch(stamp: view))
        let loader = AdLoader(OfferProvider(endpoint: tracker.url), services: services)
        let offer = Offer(
            provider: "bench",
            creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
            terms: ShowRules(.interstitial, closeDelay: .zero),
            size: .adaptive,
            beacons: [BeaconTemplate(.view, BeaconCall(.get, TrackingURL(tracker.url), isBilling: true))]
        )
        var pairs = Pairs(warmUp: bench.full(100, quick: 1))
        while pairs.own.count < bench.full(1_000, quick: 5) {
            let ad = try await loader.load(offer)
            try await ad.show(on: StillPresenter())
            await services.beacons.settle(within: .seconds(10))
            ad.destroy()
            let passed = arrival.passed(since: view)
            view.set()
            _ = try await transport.send(AdHTTPRequest(.get, tracker.url, repetition: .counted))
            pairs.take(passed * 1e6, floor: arrival.passed(since: view) * 1e6)
        }
        await ledger.close()
        bench.tell("from a view to its beacon's first byte at the server", pairs, against: "a bare request", .all("µs"))
    }
}
