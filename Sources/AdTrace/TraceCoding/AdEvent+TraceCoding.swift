package import AdCore

extension AdEvent {
    /// Decodes an event that no lifecycle emits: one of a beacon or an auction, or an issue; nil for any other.
    package init?(traced name: String, of ad: AdID, _ json: AdJSON) {
        switch name {
        case "issue":
            guard let code = json["code"]?.string, let place = json["place"]?.string,
                let message = json["message"]?.string
            else { return nil }
            self = .issue(AdIssue(code, at: AdIssue.Place(described: place), message))
        case "beaconRecorded":
            guard let key = BeaconKey(traced: json, of: ad), let url = json["url"]?.string else { return nil }
            self = .beaconRecorded(key, BeaconAddress(url))
        case "beaconDelivered":
            guard let key = BeaconKey(traced: json, of: ad), let attempts = json["attempts"]?.whole(Int.self) else {
                return nil
            }
            self = .beaconDelivered(key, attempts: attempts)
        case "beaconUnconfirmed", "beaconDead":
            guard let key = BeaconKey(traced: json, of: ad), let reason = json["reason"]?.string else { return nil }
            self = name == "beaconDead" ? .beaconDead(key, reason: reason) : .beaconUnconfirmed(key, reason: reason)
        case "auctionStarted": self = .auctionStarted
        case "bid":
            guard let bid = AuctionBid(traced: json) else { return nil }
            self = .bid(bid)
        case "auctionEnded":
            guard let result = AuctionResult(traced: json) else { return nil }
            self = .auctionEnded(result)
        default: return nil
        }
    }
}

extension AdPrice {
    /// Decodes the price of an event; nil inside for none.
    fileprivate static func traced(_ json: AdJSON) -> AdPrice?? {
        guard let amount = json.optional("price", \.decimal),
            let currency = json.optional("currency", { $0.string.flatMap(AdCurrency.init) })
        else { return nil }
        switch (amount, currency) {
        case (let amount?, let currency?): return .some(AdPrice(amount, currency))
        case (nil, nil): return .some(nil)
        default: return nil
        }
    }
}

extension AuctionBid {
    fileprivate init?(traced json: AdJSON) {
        guard let participant = json["bidder"]?.string, let price = AdPrice.traced(json),
            let outcome = json["outcome"]?.string.flatMap(Outcome.init),
            let reason = json.optional("reason", \.string), let time = json.optional("ms", { $0.whole(Int64.self) })
        else { return nil }
        let duration = time.map { Duration.milliseconds($0) }
        self.init(participant: participant, price: price, outcome: outcome, reason: reason, time: duration)
    }
}

extension AuctionResult {
    /// Decodes a result: of its bids the event has the winner only, which the events before it have all of.
    fileprivate init?(traced json: AdJSON) {
        guard let winner = json.optional("winner", \.string), let price = AdPrice.traced(json),
            let time = json["ms"]?.whole(Int64.self)
        else { return nil }
        let bids = winner.map { AuctionBid(participant: $0, price: price, outcome: .won, reason: nil, time: nil) }
        self.init(bids.map { [$0] } ?? [], in: .milliseconds(time))
    }
}

extension BeaconKey {
    fileprivate init?(traced json: AdJSON, of ad: AdID) {
        guard let text = json["key"]?.string, let event = json["tells"]?.string else { return nil }
        self.init(ad: ad, event: BeaconEvent(event), providerKey: text)
    }
}

extension AdIssue.Place {
    fileprivate init(described text: String) {
        if text == AdIssue.Place.whole.description {
            self = .whole
        } else if text.hasPrefix("line "), let line = Int(text.dropFirst(5)) {
            self = .line(line)
        } else {
            self = .field(text)
        }
    }
}
