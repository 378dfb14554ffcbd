import AdCore
import AdRuntime
import CurlTransport
import SQLiteLedger
import SandboxSSP
import YabbiAds

/// The time from a view to the first byte of its beacon, which is recorded durably before, compared with a request.
enum WireBench {
    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let arrival = SharedInstant()
        let view = SharedInstant()
        let tracker = try FixedServer(json: Array("{}".utf8)) { arrival.set() }
        defer { tracker.stop() }
        let ledger = SQLiteLedger(file: folder.file("latency"))
        let transport = try CurlTransport()
        let services = AdServices(
            transport: transport,
            opener: NoOpener(),
            ledger: ledger,
            observer: ViewObserver(instant: view)
        )
        let loader = AdLoader(OfferProvider(endpoint: tracker.url), services: services)
        let offer = Offer(
            provider: "bench",
            creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
            rules: ShowRules(.interstitial, closeDelay: .zero),
            size: .adaptive,
            beacons: [BeaconTemplate(.view, BeaconCall(.get, TrackingURL(tracker.url), isBilling: true))]
        )
        var pairs = PairedSamples(warmUp: bench.full(100, quick: 1))
        while pairs.own.count < bench.full(1_000, quick: 5) {
            let ad = try await loader.load(offer)
            try await ad.show(on: NoOpPresenter())
            await services.beacons.waitUntilDelivered(within: .seconds(10))
            ad.destroy()
            let passed = arrival.passed(since: view)
            view.set()
            _ = try await transport.send(AdHTTPRequest(.get, tracker.url, repetition: .counted))
            pairs.add(passed * 1e6, baseline: arrival.passed(since: view) * 1e6)
        }
        await ledger.close()
        bench.report(
            "from the view to the beacon's first byte",
            pairs,
            against: "a request",
            .all("µs"),
            target: .atMost(3)
        )
    }
}
