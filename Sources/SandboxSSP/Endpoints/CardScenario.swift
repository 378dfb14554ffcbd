import LoopbackServer

/// The scenarios of the card servers: a message that is exactly this text gets a particular response.
enum CardScenario: String, CaseIterable, Sendable {
    case noFill = "nofill"
    case null
    case broken
    case html
    case error
    case notOK = "notok"
    case minimal
    case odd
    case evil

    /// The servers that know these scenarios.
    enum Provider: Hashable, Sendable { case attentionMarket, ceedAds }

    /// The scenario that a message selects; nil for an ordinary message.
    init?(_ message: String, of provider: Provider) {
        self.init(rawValue: message)
        if !self.isAvailable(for: provider) { return nil }
    }

    /// The description on the index page.
    var about: String {
        switch self {
        case .noFill: "no fill: status 204, or null at CeedAds"
        case .null: "no fill: status 200 with {\"ad\": null}"
        case .broken: "truncated JSON"
        case .html: "an HTML page with status 200"
        case .error: "status 500"
        case .notOK: "status 200 with \"ok\": false"
        case .minimal: "a card without teaser and promo_code"
        case .odd: "is_sponsored false, the payout a string, unknown fields"
        case .evil: "HTML in the texts, and a javascript: link"
        }
    }

    /// Whether a server has the scenario.
    func isAvailable(for provider: Provider) -> Bool {
        switch self {
        case .null, .minimal, .odd: provider == .attentionMarket
        case .notOK: provider == .ceedAds
        default: true
        }
    }

    /// The response of a scenario that is the same for both servers; nil for the others.
    var commonResponse: ServerResponse? {
        switch self {
        case .html: .signIn
        case .error: .internalError
        default: nil
        }
    }

    /// A text with an HTML injection attempt.
    static func injected(_ text: String) -> String { "<img src=x onerror=alert(1)><b>\(text)</b>\"'&" }

    /// A link that runs a script when it is opened.
    static let scriptLink = "javascript:alert(1)"
}
