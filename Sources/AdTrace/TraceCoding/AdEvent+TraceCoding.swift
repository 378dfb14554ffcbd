package import AdCore

extension AdEvent {
    /// Decodes an event that no lifecycle emits: a beacon's event or an issue; nil for any other.
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
        default: return nil
        }
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
