import AdCore
import AdRuntime

/// Ads on screen with running close timers: what each costs in memory, and what all of them cost in idle time.
enum AdBench {
    static func run(_ bench: Bench) async throws {
        for count in bench.full([1, 10, 100, 1_000, 10_000], quick: [1, 10]) { try await self.run(count, bench) }
    }

    private static func run(_ count: Int, _ bench: Bench) async throws {
        guard let endpoint = HTTPURL("http://bench.invalid/") else { preconditionFailure("A literal is no address.") }
        let services = AdServices(transport: StillTransport())
        let loader = AdLoader(OfferProvider(endpoint: endpoint), services: services)
        let presenter = StillPresenter()
        ProcessFigures.giveMemoryBack()
        // The first ad pays for what all share.
        let first = try await loader.load(self.offer)
        try await first.show(on: presenter)

        let before = ProcessFigures.residentBytes
        var ads: [Ad] = []
        ads.reserveCapacity(count)
        for _ in 0..<count {
            let ad = try await loader.load(self.offer)
            try await ad.show(on: presenter)
            ads.append(ad)
        }
        let after = ProcessFigures.residentBytes
        let processor = ProcessFigures.processorSeconds
        let idle = bench.full(Duration.seconds(3), quick: .milliseconds(20))
        try await ContinuousClock().sleep(for: idle)
        let share = (ProcessFigures.processorSeconds - processor) / idle.inSeconds
        let isAlive = ads.allSatisfy(\.isShowing)
        for ad in ads { ad.destroy() }
        first.destroy()
        guard isAlive else { throw AdError(.stageFailed, "an ad of the benchmark ended by itself") }
        let size = Figure.Amount(count, "ads")
        let memory = Double(max(0, after - before)) / 1024 / Double(count)
        bench.tell("memory of an ad alive", [memory], .each("KiB"), at: size)
        bench.tell("a core's share while they are idle", [share * 100], .all("%"), at: size)
    }

    /// One offer for all: its markup is not what is measured.
    private static let offer = Offer(
        provider: "bench",
        creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
        terms: ShowRules(.interstitial, closeDelay: .seconds(20)),
        size: .adaptive
    )
}

/// Answers every request with 200 and no body.
private struct StillTransport: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        AdHTTPResponse(status: 200, url: request.url)
    }
}
