import AdCore
import AdRuntime
import SystemSupport

/// Banner slots: the memory of one that is idle and of one with its ad, and the work of a refresh.
enum SlotBench {
    static func run(_ bench: BenchContext) async throws {
        for count in bench.full([100, 1_000], quick: [10]) {
            let size = Figure.Amount(count, "slots")
            // The memory of few slots is less than what the process has left from before.
            if count == bench.full(1_000, quick: 10) { try await self.memory(count, size, bench) }
            try await self.refreshing(count, size, bench)
        }
    }

    /// Idle slots wait to be seen, so they have no ad.
    private static func memory(_ count: Int, _ size: Figure.Amount, _ bench: BenchContext) async throws {
        let loader = try self.loader(SystemClock())
        let presenter = NoOpPresenter()
        ProcessMetrics.releaseFreeMemory()
        // The first slots start the threads with their allocators, and allocate what all slots share. They stay, so that
        // the others reuse no memory of theirs.
        let first = (0..<bench.full(100, quick: 1)).map { _ in self.slot(loader, presenter) }
        for slot in first {
            slot.start()
            try await self.wait { slot.ad != nil }
        }

        let before = ProcessMetrics.residentBytes
        let slots = (0..<count).map { _ in self.slot(loader, presenter) }
        for slot in slots {
            slot.setVisible(0)
            slot.start()
        }
        let idle = ProcessMetrics.residentBytes
        for slot in slots {
            slot.setVisible(1)
            try await self.wait { slot.ad != nil }
        }
        ProcessMetrics.releaseFreeMemory()
        let showing = ProcessMetrics.residentBytes
        for slot in first + slots { slot.close() }
        func kibibytes(_ bytes: Int) -> [Double] { [Double(max(0, bytes - before)) / 1024 / Double(count)] }
        bench.report("memory per idle slot", kibibytes(idle), .each("KiB"), at: size)
        bench.report("memory per slot with its ad", kibibytes(showing), .each("KiB"), at: size)
    }

    /// All slots refresh for ten simulated minutes, one request of each every 30 s.
    private static func refreshing(_ count: Int, _ size: Figure.Amount, _ bench: BenchContext) async throws {
        let refreshes = bench.full(20, quick: 2)
        let requests = Locked(0)
        let clock = VirtualClock()
        let loader = try self.loader(clock, requests)
        let presenter = NoOpPresenter()
        let slots = (0..<count).map { _ in self.slot(loader, presenter) }
        let isOver = OneShot<Void>()
        let passed = await ContinuousClock().measure {
            // Time stands still until all slots have started.
            clock.workStarted()
            _ = clock.schedule(at: clock.now + .seconds(30 * refreshes + 15)) {
                for slot in slots { slot.close() }
                isOver.set(())
            }
            for slot in slots { slot.start() }
            clock.workEnded()
            await isOver.value
        }
        let expected = count * (refreshes + 1)
        let sent = requests.withLock { $0 }
        guard sent == expected else { throw BenchError(message: "\(sent) of \(expected) ads were requested") }
        bench.report("refreshed", [Double(sent) / passed.inSeconds], .rate("ads"), at: size)
    }

    private static func slot(_ loader: AdLoader<String>, _ presenter: NoOpPresenter) -> BannerSlot {
        BannerSlot(loader, "bench", on: presenter, refreshInterval: .seconds(30))
    }

    private static func loader(_ clock: any AdClock, _ requests: Locked<Int> = Locked(0)) throws -> AdLoader<String> {
        guard let endpoint = HTTPURL("http://bench.invalid/") else {
            preconditionFailure("The URL literal is invalid.")
        }
        // As an app sets it up: what is missing would be an issue of each ad.
        let services = AdServices(
            transport: CountingTransport(requests: requests),
            opener: NoOpener(),
            signals: HostSignalSource(),
            context: ContextSource(known: AdContext(userAgent: "Bench/1.0")),
            clock: clock
        )
        return AdLoader(OneOfferProvider(endpoint: endpoint, offer: self.offer), services: services)
    }

    private static func wait(until isReached: () -> Bool) async throws {
        let end = ContinuousClock().now + .seconds(10)
        while !isReached() {
            guard ContinuousClock().now < end else { throw BenchError(message: "a slot has no ad after ten seconds") }
            await Task.yield()
        }
    }

    /// One small offer for all ads, without trackers, because only slots are measured here.
    private static let offer = Offer(
        provider: "bench",
        creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
        rules: ShowRules(.banner),
        size: .adaptive
    )
}

/// Has one offer for all placements.
private struct OneOfferProvider: AdProvider {
    let name: ProviderName = "bench"
    let endpoint: HTTPURL
    let offer: Offer

    func request(for placement: String, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, self.endpoint)
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: String,
        in context: AdContext
    ) throws(AdError) -> OfferBatch { OfferBatch(offers: [self.offer]) }
}

/// Counts the requests, and responds with status 200 and no body.
private struct CountingTransport: Transport {
    let requests: Locked<Int>

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        self.requests.withLock { $0 += 1 }
        return AdHTTPResponse(status: 200, url: request.url)
    }
}
