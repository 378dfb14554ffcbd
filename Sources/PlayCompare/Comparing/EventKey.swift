import AdCore

/// An event as it is compared: its name, and the fields that decide something.
///
/// Times, places, ids and messages are left out.
struct EventKey: Hashable {
    /// How events of a name are compared.
    enum Role: Hashable {
        /// In their order.
        case inOrder
        /// By their number.
        case counted
        /// As lines of the console.
        case console
        /// As requests.
        case request
        /// As trackers, which are compared with their outcomes.
        case tracker
        /// Not at all: they follow from the size of the screen, from its use, or from how busy a computer is.
        case ignored
    }

    let name: String
    /// The deciding fields, as in `reason=user rule=closeTimeout`.
    let fields: String

    init(_ event: AdJSON, _ normalization: Normalization) {
        let name = EventKey.name(of: event)
        self.name = name
        let fields = EventKey.deciding[name, default: []].compactMap { field -> String? in
            guard let value = event[field], value != .null else { return nil }
            let text = value.string ?? value.text()
            return "\(field)=\(field == "url" ? normalization.url(text) : normalization.text(text))"
        }
        self.fields = fields.joined(separator: " ")
    }

    /// The event as one text; equal events have the same.
    var text: String { self.fields.isEmpty ? self.name : "\(self.name) \(self.fields)" }

    static func name(of event: AdJSON) -> String { event["event"]?.string ?? "" }

    static func role(of name: String) -> Role {
        switch name {
        case "beaconRecorded", "beaconDelivered", "beaconUnconfirmed", "beaconDead", "beaconWithheld": .tracker
        case "console", "scriptError", "requestFailed": .console
        case "fetch": .request
        case "layout", "scroll", "visible", "longTask", "mediaStall", "omitted", "painted", "use": .ignored
        case "issue", "captions", "scriptCall", "mediaStart", "mraid", "omid", "simid", "vpaid": .counted
        default: .inOrder
        }
    }

    /// The deciding fields by event; of an event that is not listed, only the name is compared.
    private static let deciding: [String: [String]] = [
        "loaded": [
            "kind", "size", "closeTimeout", "lifetime", "spots", "standIns", "duration", "skipOffset", "endCard",
        ],
        "loadFailed": ["code", "vast"], "showFailed": ["code", "vast"], "offerFailed": ["code", "vast"],
        "shown": ["requested", "resolved", "rendered"], "view": ["policy"],
        "paid": ["price", "currency", "precision"],
        "bid": ["bidder", "outcome", "price", "currency"], "auctionEnded": ["winner", "price", "currency"],
        "linkOpened": ["url", "opened"], "tap": ["outcome"], "blocked": ["kind"], "closeAvailable": ["rule"],
        "quartile": ["q", "spot"], "rewarded": ["amount", "type"], "closed": ["reason", "rewarded", "rule"],
        "scriptCall": ["purpose", "name"], "mediaStart": ["element", "audible", "afterGesture"],
        "issue": ["code", "message"], "mraid": ["direction", "type"], "omid": ["direction", "type"],
        "simid": ["direction", "type"], "vpaid": ["direction", "type"],
    ]
}
