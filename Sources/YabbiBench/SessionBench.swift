import AdCore
import AdRuntime

/// Ads on screen with running close timers: what each costs in memory, and what all of them cost in idle time.
enum SessionBench {
    static func run() async throws -> [JSON] {
        var figures: [JSON] = []
        for count in [1, 10, 100, 1_000, 10_000] { figures.append(try await self.run(count)) }
        return figures
    }

    private static func run(_ count: Int) async throws -> JSON {
        guard let endpoint = HTTPURL("http://bench.invalid/") else { return .null }
        let services = AdServices(transport: StillTransport())
        let loader = AdLoader(OfferProvider(endpoint: endpoint), services: services)
        let presenter = StillPresenter()
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
        let idle = Duration.seconds(3)
        try await ContinuousClock().sleep(for: idle)
        let share = (ProcessFigures.processorSeconds - processor) / idle.inSeconds
        let isAlive = ads.allSatisfy(\.isShowing)
        for ad in ads { ad.destroy() }
        first.destroy()
        guard isAlive else { throw AdError(.notShowing, "an ad of the benchmark ended by itself") }
        return [
            "benchmark": "sessions",
            "ads": .int(count),
            "kibPerAd": ProcessFigures.rounded(Double(after - before) / 1024 / Double(count)),
            "idleProcessorPercent": ProcessFigures.rounded(share * 100),
        ]
    }

    /// One offer for all: its markup is not what is measured.
    private static let offer = Offer(
        provider: "bench",
        creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
        terms: ShowTerms(.interstitial, closeTimeout: .seconds(20)),
        size: .adaptive
    )
}

/// Answers every request with 200 and no body.
private struct StillTransport: Transport {
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(status: 200, url: request.url)
    }
}
