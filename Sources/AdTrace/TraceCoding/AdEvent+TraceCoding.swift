package import AdCore

/// The members of an event in `--json`, reports and traces, besides its name; URLs are not redacted here.
extension AdEvent {
    package var members: [AdJSON.Member] {
        switch self {
        case .loadStarted, .loaded, .shown, .click, .skipAvailable, .skipped, .rewarded, .expired: []
        case .loadFailed(let error), .showFailed(let error): error.members
        case .view(let policy): [.init("policy", .string(policy.name))]
        case .linkOpened(let link, let outcome): outcome.members(of: link)
        case .tap(let tap): tap.members
        case .diagnostic(let diagnostic): diagnostic.members
        case .blocked(let attempt):
            [.init("kind", .string(attempt.kind.rawValue)), .init("detail", .string(attempt.detail))]
        case .quartile(let percent, let spot): [.init("q", .int(percent)), .init("spot", .int(spot + 1))]
        case .closeAvailable(let rule): [.init("rule", .string(rule.rawValue))]
        case .closed(let closing):
            [
                .init("reason", .string(closing.reason.rawValue)), .init("rewarded", .bool(closing.rewarded)),
                .init("rule", .string(closing.rule.rawValue)),
            ]
        case .issue(let issue):
            [
                .init("code", .string(issue.code)), .init("place", .string(issue.place.description)),
                .init("message", .string(issue.message)),
            ]
        case .beaconRecorded(let key, let address):
            [.init("key", .string(key.text)), .init("url", .string(address.text))]
        case .beaconDelivered(let key, let attempts):
            [.init("key", .string(key.text)), .init("attempts", .int(attempts))]
        case .beaconUnconfirmed(let key, let reason), .beaconDead(let key, let reason):
            [.init("key", .string(key.text)), .init("reason", .string(reason))]
        }
    }

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

extension AdError {
    fileprivate var members: [AdJSON.Member] {
        [
            .init("code", .string(self.code.description)), .init("message", .string(self.message)),
            .init("url", .text(self.place.url)), .init("line", self.place.line.map { .int($0) } ?? .null),
            .init("vast", self.vastCode.map { .int($0) } ?? .null),
        ]
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
