import AdCore
import SystemSupport
import YabbiTesting

@testable import AdRuntime

/// A provider whose responses are names separated by commas, each a card with view and click trackers on `t.example`.
///
/// A name that begins with `!` is a video with invalid markup.
struct ListProvider: AdProvider {
    let name: ProviderName = "test"
    var cachePolicy: CachePolicy?
    var retries: RetryPolicy = .once
    /// Whether an ad's name is its identity.
    var isNamed = false
    /// Chooses indices of so many proposals; nil for all.
    var pick: (@Sendable (Int) -> [Int])?

    func request(for placement: String, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.post, url("http://ssp.example/ask"), body: Array(placement.utf8))
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: String,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        guard response.status == 200 else {
            throw AdError(.serverStatus, "the server responded with status \(response.status)")
        }
        let names = String(decoding: response.body, as: UTF8.self).split(separator: ",").map(String.init)
        let issue = AdIssue("list.read", at: .whole, "the list has \(names.count) names")
        return OfferBatch(names.map(self.proposal), issues: [issue])
    }

    func placementName(of placement: String) -> String? { placement }

    func cachePolicy(in context: AdContext) -> CachePolicy? { self.cachePolicy }

    func choice(
        among proposals: [Proposal],
        for placement: String,
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
                rules: ShowRules(.card, closeControl: .host, clickThrough: landing),
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
    /// A world whose server answers with these lists, one after the other, and then always with the last.
    static func serving(_ lists: String..., loadTimeout: Duration = .seconds(10)) -> World {
        let left = Locked(lists)
        return World(loadTimeout: loadTimeout) { request in
            guard request.url.host == "ssp.example" else { return .status(200) }
            let list = left.withLock { lists in lists.count > 1 ? lists.removeFirst() : lists.first ?? "" }
            return .response(status: 200, headers: [:], body: Array(list.utf8))
        }
    }

    /// The bodies of all ad requests.
    var adRequests: [String] {
        self.transport.requests.filter { $0.url.host == "ssp.example" }
            .map { String(decoding: $0.body ?? [], as: UTF8.self) }
    }

    func loader(_ provider: ListProvider) -> AdLoader<String> { AdLoader(provider, services: self.services) }
}

extension Ad {
    /// The headline of its card.
    var headline: String? {
        guard case .card(let card)? = self.offer?.creative else { return nil }
        return card.headline
    }
}

/// The error of a load; nil if it succeeds.
func failure<Value>(_ body: () async throws(AdError) -> Value) async -> AdError? {
    do throws(AdError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
