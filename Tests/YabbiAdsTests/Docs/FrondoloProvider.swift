import AdCore
import YabbiAds

/// Loads cards from Frondolo's server.
struct FrondoloProvider: AdProvider {
    let name: ProviderName = "frondolo"
    let base: HTTPURL

    func request(for placement: String, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        guard let url = HTTPURL("\(self.base.text)next?place=\(placement)") else {
            throw AdError(.invalidRequest, "the placement is not valid in a URL; use one word")
        }
        return AdHTTPRequest(.get, url, headers: ["Accept": "application/json", "User-Agent": "frondolo"])
    }

    func offers(
        from response: AdHTTPResponse,
        for placement: String,
        in context: AdContext
    ) throws(AdError) -> OfferBatch {
        switch response.status {
        case 204: return .noFill
        case 200: break
        default: throw AdError(.serverStatus, "the server responded with status \(response.status)")
        }
        guard !response.body.isEmpty else { return .noFill }
        guard let json = try? AdJSON(parsing: response.body), case .object = json else {
            throw AdError(.unreadableResponse, "the response is not a JSON object")
        }
        guard let text = json["text"]?.string, !text.isEmpty else {
            if json["ad"] == .null { return .noFill }
            throw AdError(.incompleteOffer, "the ad has no text, so there is nothing to show")
        }
        // Only http(s) links: other schemes need the app's permission.
        let link = json["link"]?.string.flatMap { HTTPURL($0) }.flatMap { ClickThroughURL($0.text) }
        let seen = json["seen"]?.string.map { BeaconAddress($0) }
        let offer = Offer(
            provider: self.name,
            creative: .card(CardCreative(headline: text, callToAction: "See it", link: link, by: json["by"]?.string)),
            rules: ShowRules(.card, closeControl: .host, clickThrough: link),
            size: .adaptive,
            beacons: seen.map { [BeaconTemplate(.view, BeaconCall(.get, $0, isBilling: true))] } ?? []
        )
        return OfferBatch(offers: [offer])
    }
}
