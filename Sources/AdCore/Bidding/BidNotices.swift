/// The notices of a bid to its bidder, each sent once: a bid wins or loses.
///
/// The billing notice (`burl`) is no notice of the auction: it is a beacon of the view.
package struct BidNotices: Hashable, Sendable {
    /// The win notice (`nurl`, OpenRTB 2.6 §4.2.3) and that of a server in between, with their macros.
    package let wins: [URLTemplate]
    /// The loss notice (`lurl`, OpenRTB 2.6 §4.2.3), with its macros.
    package let loss: URLTemplate?
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

    /// The notices of a win; none if the bidder wants none.
    package var winCalls: [BeaconCall] { self.wins.map { self.call($0, self.macros) } }

    /// The notice of a loss; none if the bidder wants none.
    package func lossCalls(_ reason: LossReason, minimumToWin: AdDecimal?) -> [BeaconCall] {
        self.loss.map { [self.call($0, self.macros.lost(reason, minimumToWin: minimumToWin))] } ?? []
    }

    private func call(_ template: URLTemplate, _ macros: PriceMacros) -> BeaconCall {
        let address = BeaconAddress(macros.substituted(in: template.text).text)
        return BeaconCall(.get, address, headers: self.headers, guarantee: self.guarantee)
    }
}

/// A bid whose creative can't be shown, with the reason that its bidder is told.
package struct RejectedBid: Hashable, Sendable {
    package let notices: BidNotices
    package let reason: LossReason
    /// Why it can't be shown.
    package let error: AdError

    package init(_ notices: BidNotices, _ reason: LossReason, _ error: AdError) {
        self.notices = notices
        self.reason = reason
        self.error = error
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.notices) }
}
