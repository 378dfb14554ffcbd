/// What to say instead of a message, to ask a server of cards for a particular answer, most of them a bad one.
enum SpecialWord: String, CaseIterable, Sendable {
    case noFill = "nofill"
    case null
    case broken
    case html
    case error
    case notOK = "notok"
    case minimal
    case odd
    case evil

    /// Who listens to such words.
    enum Server: Hashable, Sendable { case attentionMarket, ceedAds }

    /// The word that a message consists of; nil where it is a message like any other.
    init?(_ message: String, of server: Server) {
        self.init(rawValue: message)
        if !self.isKnown(to: server) { return nil }
    }

    /// What it answers, in a line for the index page.
    var about: String {
        switch self {
        case .noFill: "no ad: status 204, or a null at CeedAds"
        case .null: "no ad: status 200 with {\"ad\": null}"
        case .broken: "JSON that breaks off"
        case .html: "an HTML page with status 200"
        case .error: "status 500"
        case .notOK: "status 200 with \"ok\": false"
        case .minimal: "a card without teaser and promo_code"
        case .odd: "is_sponsored false, the payout a text, fields that nobody knows"
        case .evil: "markup in the texts, and a link that is a script"
        }
    }

    /// Whether a server knows the word.
    func isKnown(to server: Server) -> Bool {
        switch self {
        case .null, .minimal, .odd: server == .attentionMarket
        case .notOK: server == .ceedAds
        default: true
        }
    }

    /// An answer that is the same whoever was asked; nil where the server makes it.
    var commonReply: SandboxReply? {
        switch self {
        case .html: .signIn
        case .error: .internalError
        default: nil
        }
    }

    /// The text of an ad that would like to be markup.
    static func evil(_ text: String) -> String { "<img src=x onerror=alert(1)><b>\(text)</b>\"'&" }

    /// A link that would like to be a script.
    static let evilLink = "javascript:alert(1)"
}
