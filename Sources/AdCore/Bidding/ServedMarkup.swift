/// A bid whose markup is in the response to its win notice (OpenRTB 2.6 §4.3.1).
///
/// The notice is sent when the bid is the best one, because its markup is needed to show it, and only then: it is not
/// sent again when the ad is on screen. Its response is needed, so it is no beacon of the ledger.
public struct ServedMarkup: Hashable, Sendable {
    /// The request that returns the markup.
    package let request: AdHTTPRequest
    /// The price, and who pays it.
    package let info: OfferInfo
    /// How long after the response the bid may be shown; nil if the bidder says nothing.
    package let lifetime: Duration?
    /// Reads the response.
    private let read: @Sendable (String) throws(AdError) -> Proposal

    package init(
        _ request: AdHTTPRequest,
        info: OfferInfo,
        lifetime: Duration?,
        read: @escaping @Sendable (String) throws(AdError) -> Proposal
    ) {
        self.request = request
        self.info = info
        self.lifetime = lifetime
        self.read = read
    }

    /// The longest markup in bytes, and the longest time for it.
    package static let limits = AdHTTPRequest.Limits(
        connecting: .seconds(5),
        total: .seconds(5),
        body: 2 * 1024 * 1024,
        redirects: 5
    )

    /// The same bid, whose proposal is changed after it is read.
    func changed(_ change: @escaping @Sendable (Proposal) -> Proposal) -> ServedMarkup {
        let read = self.read
        return ServedMarkup(self.request, info: self.info, lifetime: self.lifetime) { markup throws(AdError) in
            change(try read(markup))
        }
    }

    /// The bid with the markup of a response.
    package func proposal(from response: AdHTTPResponse) throws(AdError) -> Proposal {
        let address = Redaction.address(self.request.url.text)
        guard (200...299).contains(response.status) else {
            let text = "the win notice that serves the markup responded with status \(response.status)"
            throw AdError(.serverStatus, "\(text); the bid is skipped", at: AdError.Place(url: address))
        }
        let proposal = try self.read(String(decoding: response.body, as: UTF8.self))
        if case .served = proposal {
            throw AdError(.incompleteOffer, "the win notice serves no markup", at: AdError.Place(url: address))
        }
        return proposal
    }

    /// Compares the request and the bid; equal ones are read the same way.
    public static func == (left: ServedMarkup, right: ServedMarkup) -> Bool {
        left.request == right.request && left.info == right.info && left.lifetime == right.lifetime
    }

    /// Hashes the request.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.request) }
}
