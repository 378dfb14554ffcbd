import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import FoundationEssentials
import SandboxSSP
import YabbiAds

/// Cards: parsing a feed, compared with `JSONDecoder` for the same bytes, and a load from the offer cache, compared
/// with a request for the feed.
enum CardBench {
    static func run(_ bench: BenchContext) async throws {
        for cards in bench.full([1, 10, 100, 500], quick: [1, 10]) { try self.parsing(cards, bench) }
        try await self.cached(bench)
    }

    /// The model of ActiveAds' documentation, for `JSONDecoder`.
    private struct Answer: Decodable {
        struct Campaign: Decodable {
            let id: String
            let format: String
            let title: String
            let description: String?
            let image_url: String?
            let cta_text: String?
            let cta_url: String?
            let daily_bid: Double?
        }

        let ads: [Campaign]
    }

    private static func parsing(_ cards: Int, _ bench: BenchContext) throws {
        let bytes = self.feed(cards)
        let data = Data(bytes)
        guard let base = HTTPURL("https://x.example/functions/v1") else {
            preconditionFailure("The URL literal is invalid.")
        }
        let provider = ActiveAdsProvider(base: base)
        let response = AdHTTPResponse(status: 200, body: bytes, url: base)
        let clock = ContinuousClock()
        var pairs = PairedSamples(warmUp: bench.full(20, quick: 1))
        while pairs.own.count < bench.full(200, quick: 3) {
            let parsing = try clock.measure {
                let batch = try provider.offers(from: response, for: .banner, in: AdContext())
                try self.check(batch.offers.count, of: cards)
            }
            let decoding = try clock.measure {
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                try self.check(answer.ads.count, of: cards)
            }
            pairs.add(parsing.inMicroseconds, baseline: decoding.inMicroseconds)
        }
        let size = Figure.Amount(cards, "cards")
        bench.report("feed parsed", pairs, against: "JSONDecoder", .all("µs"), at: size)
    }

    private static func check(_ count: Int, of cards: Int) throws(BenchError) {
        guard count == cards else { throw BenchError(message: "\(count) of \(cards) cards were parsed") }
    }

    /// A load from the offer cache, from the call to the ad, compared with a request for the feed.
    private static func cached(_ bench: BenchContext) async throws {
        let server = try FixedServer(json: self.feed(100))
        defer { server.stop() }
        let base = server.url
        let transport = try CurlTransport()
        let loader = AdLoader(
            ActiveAdsProvider(base: base),
            services: AdServices(transport: transport, opener: NoOpener())
        )
        _ = try await loader.load(.feed)
        let clock = ContinuousClock()
        var pairs = PairedSamples(warmUp: bench.full(200, quick: 1))
        while pairs.own.count < bench.full(2_000, quick: 5) {
            let get = try await clock.measure { _ = try await transport.send(AdHTTPRequest(.get, base)) }
            let load = try await clock.measure { _ = try await loader.load(.feed) }
            pairs.add(load.inMicroseconds, baseline: get.inMicroseconds)
        }
        let size = Figure.Amount(100, "cards in the feed")
        bench.report("load from the cache", pairs, against: "a GET", .all("µs"), at: size)
    }

    private static func feed(_ cards: Int) -> [UInt8] {
        (["ads": .array((0..<cards).map { self.campaign($0) })] as AdJSON).bytes()
    }

    /// A realistic campaign; some have missing values.
    private static func campaign(_ number: Int) -> AdJSON {
        func text(_ text: String, unless step: Int) -> AdJSON { number % step == 0 ? .null : .string(text) }
        let members: [AdJSON.Member] = [
            .init("id", .string("0b9f6a1e-0000-4000-8000-\(100_000_000_000 + number)")),
            .init("format", "banner"),
            .init("title", .string("Campaign number \(number): pots for ferns")),
            .init("description", text("A line about it, not too long, with \u{E5}\u{E4}\u{F6} in it.", unless: 3)),
            .init("image_url", text("https://images.example/campaign/\(number).png", unless: 4)),
            .init("cta_text", text("Read more", unless: 5)),
            .init("cta_url", .string("https://shop.example/c/\(number)?from=feed")),
            .init("daily_bid", number % 7 == 0 ? .null : .double(Double(number) + 0.5)),
        ]
        return .object(members)
    }
}
