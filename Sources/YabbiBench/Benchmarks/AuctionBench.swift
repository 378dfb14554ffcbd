import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import LibC
import SandboxSSP
import SystemSupport
import YabbiAds

/// Auctions: their time compared with the slowest bidder alone, and what they leave behind.
enum AuctionBench {
    static func run(_ bench: BenchContext) async throws {
        try await self.time(bench)
        try await self.remains(bench)
    }

    /// Five bidders that take 4 to 20 ms, as servers do that are not in the same process.
    private static func time(_ bench: BenchContext) async throws {
        var servers: [FixedServer] = []
        defer { for server in servers { server.stop() } }
        for number in 1...5 {
            servers.append(try FixedServer(json: self.answer(price: number), delay: .milliseconds(4 * number)))
        }
        let transport = try CurlTransport()
        let services = AdServices(transport: transport, opener: NoOpener())
        let app = YabbiApp(publisherID: "bench", bundle: "com.example.bench", name: "Bench")
        let bidders = servers.map { AdLoader.openRTB($0.url, app: app, services: services) }
        let auction = AdAuction(bidders.map { .bidder($0, .banner(unit: "bench")) })
        let loader = AdLoader<AdAuction>.auction(services: services)
        guard let slowest = bidders.last else { return }
        let request = try await slowest.request(for: .banner(unit: "bench"))

        let warmUp = bench.full(50, quick: 2)
        var pairs = PairedSamples(warmUp: warmUp)
        let clock = ContinuousClock()
        for _ in 0..<warmUp + bench.full(500, quick: 5) {
            let bare = try await clock.measure { _ = try await transport.send(request) }
            var ad: Ad?
            let whole = try await clock.measure { ad = try await loader.load(auction) }
            guard ad?.offer?.info.price == AdPrice(5) else { throw BenchError(message: "the highest bid has not won") }
            ad?.destroy()
            pairs.add(whole.inMicroseconds, baseline: bare.inMicroseconds)
        }
        bench.report(
            "an auction",
            pairs,
            against: "the slowest bidder's request",
            .each("µs"),
            at: Figure.Amount(5, "bidders"),
            target: .atMost(1.15)
        )
    }

    /// Auctions whose ads are shown, abandoned or cancelled, without a network.
    private static func remains(_ bench: BenchContext) async throws {
        let count = bench.full(10_000, quick: 30)
        let services = AdServices(transport: BidTransport(), opener: NoOpener())
        let app = YabbiApp(publisherID: "bench", bundle: "com.example.bench", name: "Bench")
        let bidders = (1...5).compactMap { HTTPURL("http://bidder-\($0).invalid/") }.map {
            AdLoader.openRTB($0, app: app, services: services)
        }
        let auction = AdAuction(bidders.map { .bidder($0, .banner(unit: "bench")) })
        let loader = AdLoader<AdAuction>.auction(services: services)
        let presenter = NoOpPresenter()
        func hold(_ number: Int) async throws {
            let loading = Task { try await loader.load(auction) }
            if number % 3 == 2 { loading.cancel() }
            let ad = try? await loading.value
            if number % 3 == 0 { try await ad?.show(on: presenter) }
            ad?.destroy()
            if number % 100 == 99 { await services.beacons.waitUntilDelivered(within: .seconds(10)) }
        }
        // The ledger in memory keeps the last beacons that were delivered, and the allocator's pools grow: as many
        // auctions as are measured come first.
        for number in 0..<bench.full(count, quick: 3) { try await hold(number) }
        await services.beacons.waitUntilDelivered(within: .seconds(10))
        ProcessMetrics.releaseFreeMemory()
        let (memory, files) = (ProcessMetrics.residentBytes, ProcessMetrics.openFiles)
        let passed = try await ContinuousClock().measure { for number in 0..<count { try await hold(number) } }
        await services.beacons.waitUntilDelivered(within: .seconds(10))
        ProcessMetrics.releaseFreeMemory()
        let left = Double(max(0, ProcessMetrics.residentBytes - memory))
        let size = Figure.Amount(count, "auctions")
        bench.report("auctions held", [Double(count) / passed.inSeconds], .rate("auctions"), at: size)
        bench.report("memory left by an auction", [left / Double(count)], .each("bytes"), at: size)
        bench.report("descriptors left", [Double(ProcessMetrics.openFiles - files)], .all("descriptors"), at: size)
    }

    fileprivate static func answer(price: Int) -> [UInt8] {
        let tracker = "http://tracker.invalid"
        let bid: AdJSON = [
            "id": "b", "impid": "1", "price": .int(price), "mtype": 1, "adm": "<a href='https://shop.example/'>Buy</a>",
            "nurl": .string("\(tracker)/win?p=${AUCTION_PRICE}"), "lurl": .string("\(tracker)/loss?r=${AUCTION_LOSS}"),
            "burl": .string("\(tracker)/bill?p=${AUCTION_PRICE}"),
        ]
        let answer: AdJSON = ["id": "r", "cur": "USD", "seatbid": [["seat": "s", "bid": [bid]]]]
        return answer.bytes()
    }
}

/// Answers requests for bids with a price by the bidder's number, and trackers with status 200.
private struct BidTransport: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        guard request.url.host.hasPrefix("bidder-") else { return AdHTTPResponse(status: 200, url: request.url) }
        let number = request.url.host.utf8.compactMap { $0.isDigit ? Int($0) - 48 : nil }.first ?? 1
        let headers: AdHTTPHeaders = ["Content-Type": "application/json"]
        return AdHTTPResponse(
            status: 200,
            headers: headers,
            body: AuctionBench.answer(price: number),
            url: request.url
        )
    }
}
