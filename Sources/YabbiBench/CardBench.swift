import AdCore
import AdProviders
import AdRuntime
import FoundationEssentials
import SandboxSSP
import YabbiAds

/// Cards: reading a feed against a bare `JSONDecoder` pass over the same bytes, and a load of a kept answer.
enum CardBench {
    static func run() async throws -> [JSON] {
        var figures: [JSON] = []
        for cards in [10, 100, 500] { figures.append(try self.reading(cards)) }
        figures.append(try await self.kept())
        return figures
    }

    /// What a bare decoder makes of an answer: the model that the provider's own document prints.
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

    private static func reading(_ cards: Int) throws -> JSON {
        let bytes = self.feed(cards)
        let data = Data(bytes)
        guard let base = HTTPURL("https://x.example/functions/v1") else {
            preconditionFailure("A literal is no address.")
        }
        let provider = ActiveAdsProvider(base: base)
        let response = HTTPResponse(status: 200, body: bytes, url: base)
        let clock = ContinuousClock()
        var own: [Double] = []
        var bare: [Double] = []
        for round in 0..<220 {
            let reading = try clock.measure {
                let batch = try provider.offers(from: response, for: .banner, in: AdContext())
                precondition(batch.offers.count == cards)
            }
            let decoding = try clock.measure {
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                precondition(answer.ads.count == cards)
            }
            guard round >= 20 else { continue }
            own.append(reading.inSeconds * 1e6)
            bare.append(decoding.inSeconds * 1e6)
        }
        let (reading, decoding) = (ProcessFigures.median(own), ProcessFigures.median(bare))
        return [
            "benchmark": "cards", "cards": .int(cards), "answerBytes": .int(bytes.count),
            "readP50Microseconds": ProcessFigures.rounded(reading),
            "jsonDecoderP50Microseconds": ProcessFigures.rounded(decoding),
            "ratio": ProcessFigures.rounded(reading / decoding),
        ]
    }

    /// A load that is answered by what was kept, from the call to the ad.
    private static func kept() async throws -> JSON {
        let server = try FixedServer(json: self.feed(100))
        defer { server.stop() }
        let base = server.url
        let loader = AdLoader(ActiveAdsProvider(base: base), services: AdServices(transport: try CurlTransport()))
        _ = try await loader.load(.feed)
        let clock = ContinuousClock()
        var loads: [Double] = []
        for round in 0..<2_200 {
            let load = try await clock.measure { _ = try await loader.load(.feed) }
            if round >= 200 { loads.append(load.inSeconds * 1e6) }
        }
        return [
            "benchmark": "cachedLoad", "cards": 100, "rounds": .int(loads.count),
            "p50Microseconds": ProcessFigures.rounded(ProcessFigures.median(loads)),
            "p99Microseconds": ProcessFigures.rounded(loads.sorted()[loads.count * 99 / 100]),
        ]
    }

    private static func feed(_ cards: Int) -> [UInt8] {
        (["ads": .array((0..<cards).map { self.campaign($0) })] as JSON).bytes()
    }

    /// A campaign as a server may send it, with something missing here and there.
    private static func campaign(_ number: Int) -> JSON {
        func text(_ text: String, unless step: Int) -> JSON { number % step == 0 ? .null : .string(text) }
        let members: [JSON.Member] = [
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
