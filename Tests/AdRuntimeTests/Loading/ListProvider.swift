import AdCore
import SystemSupport
import YabbiTesting

@testable import AdRuntime

/// A provider whose answers are names with commas between them, each a card that tells `t.example` of view and click.
///
/// A name that begins with `!` is a video that can't be read.
struct ListProvider: AdProvider {
    let name: ProviderName = "test"
    var keeping: CachePolicy?
    var retries: RetryPolicy = .once
    /// Whether its ads are known again by their names.
    var isNamed = false
    /// Which of so many are served; nil for all.
    var pick: (@Sendable (Int) -> [Int])?

    func request(for question: String, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.post, url("http://ssp.example/ask"), body: Array(question.utf8))
    }

    func offers(
        from response: AdHTTPResponse,
        for question: String,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard response.status == 200 else {
            throw AdError(.serverStatus, "the server answered with status \(response.status)")
        }
        let names = String(decoding: response.body, as: UTF8.self).split(separator: ",").map(String.init)
        let issue = AdIssue("list.read", at: .whole, "the list has \(names.count) names")
        return OfferBatch(names.map(self.proposal), issues: [issue])
    }

    func cachePolicy(in context: AdContext) -> CachePolicy? { self.keeping }

    func choice(
        among proposals: [Proposal],
        for question: String,
        random: inout some RandomNumberGenerator
    ) -> [Int] { self.pick?(proposals.count) ?? Array(proposals.indices) }

    private func proposal(_ name: String) -> Proposal {
        guard !name.hasPrefix("!") else {
            return .video(
                VideoProposal(provider: self.name, markup: "<VAST version='4", isRewarded: false)
            )
        }
        return .offer(
            Offer(
                provider: self.name,
                creative: .card(CardCreative(headline: name, by: nil)),
                terms: ShowRules(.card, closeControl: .host, clickThrough: landing),
                size: .adaptive,
                beacons: [(BeaconEvent.view, "view"), (.click, "click")].map { event, word in
                    BeaconTemplate(event, BeaconCall(.get, TrackingURL(url("http://t.example/\(word)/\(name)"))))
                },
                identity: self.isNamed ? name : nil
            )
        )
    }
}

extension World {
    /// A world whose server answers with these lists, one after the other, and the last one for ever.
    static func serving(_ lists: String..., loadTimeout: Duration = .seconds(10)) -> World {
        let left = Locked(lists)
        return World(loadTimeout: loadTimeout) { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let list = left.withLock { lists in lists.count > 1 ? lists.removeFirst() : lists.first ?? "" }
            return .response(status: 200, headers: [:], body: Array(list.utf8))
        }
    }

    /// What the server of ads was asked.
    var asked: [String] {
        self.transport.requests.filter { $0.url.host == "ssp.example" }
            .map { String(decoding: $0.body ?? [], as: UTF8.self) }
    }

    func loader(_ provider: ListProvider) -> AdLoader<String> { AdLoader(provider, services: self.services) }
}

extension Ad {
    /// What its card says first.
    var headline: String? {
        guard case .card(let card)? = self.offer?.creative else { return nil }
        return card.headline
    }
}

/// What went wrong; nil where nothing did.
func failure<Value>(_ body: () async throws(AdError) -> Value) async -> AdError? {
    do throws(AdError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
