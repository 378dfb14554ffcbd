import AdCore
import AdRuntime

/// Showing ads with running close timers: the memory per ad, and the CPU use while all of them are idle.
enum AdBench {
    static func run(_ bench: BenchContext) async throws {
        for count in bench.full([1, 10, 100, 1_000, 10_000], quick: [1, 10]) { try await self.run(count, bench) }
    }

    /// Ads that are showing, and what they cost.
    struct Showing {
        let ads: [Ad]
        /// The memory per ad, in KiB.
        let memory: Double
        /// The time to load and show an ad, in microseconds.
        let time: Double
    }

    /// Shows ads whose close timers run.
    static func show(_ count: Int) async throws -> Showing {
        guard let endpoint = HTTPURL("http://bench.invalid/") else {
            preconditionFailure("The URL literal is invalid.")
        }
        let services = AdServices(transport: EmptyTransport(), opener: NoOpener())
        let loader = AdLoader(OfferProvider(endpoint: endpoint), services: services)
        let presenter = NoOpPresenter()
        ProcessMetrics.releaseFreeMemory()
        // The first ad allocates what all ads share.
        let first = try await loader.load(self.offer)
        try await first.show(on: presenter)

        let before = ProcessMetrics.residentBytes
        var ads: [Ad] = []
        ads.reserveCapacity(count)
        let start = ContinuousClock.now
        for _ in 0..<count {
            let ad = try await loader.load(self.offer)
            try await ad.show(on: presenter)
            ads.append(ad)
        }
        let passed = start.duration(to: .now).inMicroseconds
        let memory = Double(max(0, ProcessMetrics.residentBytes - before)) / 1024 / Double(count)
        return Showing(ads: ads + [first], memory: memory, time: passed / Double(count))
    }

    private static func run(_ count: Int, _ bench: BenchContext) async throws {
        let showing = try await self.show(count)
        let processor = ProcessMetrics.processorSeconds
        let idle = bench.full(Duration.seconds(3), quick: .milliseconds(20))
        try await ContinuousClock().sleep(for: idle)
        let share = (ProcessMetrics.processorSeconds - processor) / idle.inSeconds
        let isAlive = showing.ads.allSatisfy(\.isShowing)
        for ad in showing.ads { ad.destroy() }
        guard isAlive else { throw AdError(.stageFailed, "an ad of the benchmark ended early") }
        let size = Figure.Amount(count, "ads")
        // Few ads are less than the resolution, which is a page.
        let target = count >= 10_000 ? Figure.Target.valueAtMost(2) : nil
        bench.report("memory per showing ad", [showing.memory], .each("KiB"), at: size, target: target)
        bench.report("CPU use while idle", [share * 100], .all("%"), at: size)
    }

    /// One small offer for all ads, because markup is not measured here.
    private static let offer = Offer(
        provider: "bench",
        creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
        rules: ShowRules(.interstitial, closeDelay: .seconds(20)),
        size: .adaptive
    )
}

/// Responds to every request with status 200 and no body.
struct EmptyTransport: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        AdHTTPResponse(status: 200, url: request.url)
    }
}
