import AdCore
import AdRuntime

/// Handing out an ad that a pool holds, compared with loading one without a network.
enum PoolBench {
    static func run(_ bench: BenchContext) async throws {
        guard let endpoint = HTTPURL("http://bench.invalid/") else {
            preconditionFailure("The URL literal is invalid.")
        }
        let services = AdServices(transport: EmptyTransport(), opener: NoOpener())
        let loader = AdLoader(OfferProvider(endpoint: endpoint), services: services)
        let pool = AdPool(loader, for: self.offer, size: 10)
        defer { pool.stop() }
        let clock = ContinuousClock()
        let warmUp = bench.full(200, quick: 2)
        var pairs = PairedSamples(warmUp: warmUp)
        for _ in 0..<warmUp + bench.full(5_000, quick: 10) {
            try await self.fill(pool)
            var ad: Ad?
            let next = clock.measure { ad = pool.next() }
            guard let ad, ad.isLoaded else { throw AdError(.notLoaded, "a full pool handed out no ad") }
            let load = try await clock.measure { _ = try await loader.load(self.offer) }
            pairs.add(next.inMicroseconds, baseline: load.inMicroseconds)
        }
        bench.report("ad handed out", pairs, against: "a load", .each("µs"), at: Figure.Amount(10, "ads in the pool"))
    }

    /// Waits until the pool is full, so that no load of it runs during the measurement.
    private static func fill(_ pool: AdPool) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while pool.readyCount < 10 {
            guard ContinuousClock.now < deadline else { throw AdError(.timedOut, "the pool was not filled in time") }
            await Task.yield()
        }
    }

    /// One small offer for all ads, because markup is not measured here.
    private static let offer = Offer(
        provider: "bench",
        creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
        rules: ShowRules(.interstitial),
        size: .adaptive
    )
}
