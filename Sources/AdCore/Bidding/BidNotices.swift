/// The notices of a bid to its bidder, each sent once: a bid wins or loses.
///
/// The billing notice (`burl`) is no notice of the auction: it is a beacon of the view.
package struct BidNotices: Hashable, Sendable {
    /// The win notice (`nurl`, OpenRTB 2.6 §4.2.3) and that of a server in between, with their macros.
    package private(set) var wins: [URLTemplate]
    /// The loss notice (`lurl`, OpenRTB 2.6 §4.2.3), with its macros.
    package private(set) var loss: URLTemplate?
    /// The values of the macros.
    private let macros: PriceMacros
    private let headers: AdHTTPHeaders
    private let guarantee: DeliveryGuarantee

    /// Creates the notices of a bid.
    package init(
        wins: [URLTemplate],
        loss: URLTemplate?,
        macros: PriceMacros,
        userAgent: String?,
        guarantee: DeliveryGuarantee
    ) {
        self.wins = wins
        self.loss = loss
        self.macros = macros
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = userAgent
        self.headers = headers
        self.guarantee = guarantee
    }

    /// The notices of a bid whose win notice is fetched for its markup: it is not sent again, and as the bidder takes the
    /// call for a win, it is told no loss.
    package var withoutMarkupNotice: BidNotices {
        var notices = self
        notices.wins = Array(self.wins.dropFirst())
        notices.loss = nil
        return notices
    }

    /// The notices of a win at a time; none if the bidder wants none.
    package func winCalls(at time: WallTime) -> [BeaconCall] {
        self.wins.map { self.call($0, self.macros.won(at: time)) }
    }

    /// The notice of a loss; none if the bidder wants none.
    package func lossCalls(_ reason: LossReason, minimumToWin: AdDecimal?) -> [BeaconCall] {
        self.loss.map { [self.call($0, self.macros.lost(reason, minimumToWin: minimumToWin))] } ?? []
    }

    private func call(_ template: URLTemplate, _ macros: PriceMacros) -> BeaconCall {
        let address = BeaconAddress(macros.substituted(in: template.text).text)
        return BeaconCall(.get, address, headers: self.headers, guarantee: self.guarantee)
    }
}

/// A bid that can't be shown, with the reason that its bidder is told.
package struct RejectedBid: Hashable, Sendable {
    package let info: OfferInfo
    package let reason: LossReason
    /// Why it can't be shown.
    package let error: AdError

    package init(_ info: OfferInfo, _ reason: LossReason, _ error: AdError) {
        self.info = info
        self.reason = reason
        self.error = error
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.info) }
}
