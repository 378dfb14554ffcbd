public import AdCore

/// A message in a chat at which a card may appear.
///
/// ```swift
/// let here = CeedAdsPlacement(conversationID: "c1", messageID: "m7", contextText: "I want to learn English")
/// ```
public struct CeedAdsPlacement: Hashable, Sendable {
    /// The conversation's id; the server serves each conversation at most one card per minute.
    public let conversationID: String
    /// The message's id.
    public let messageID: String
    /// The text that describes the current topic of the conversation.
    public let contextText: String
    /// The language of the text; nil lets the server detect it.
    public let language: String?
    /// The app's own id of the user; nil if it is not sent.
    public private(set) var userID: String?

    /// Creates a placement.
    public init(
        conversationID: String,
        messageID: String,
        contextText: String,
        language: String? = nil,
        userID: String? = nil
    ) {
        self.conversationID = conversationID
        self.messageID = messageID
        self.contextText = contextText
        self.language = language
        self.userID = userID
    }

    /// The placement without the user's id, if the privacy table withholds it.
    func permitted(in context: AdContext) -> CeedAdsPlacement {
        var placement = self
        if !context.permits(.userData) { placement.userID = nil }
        return placement
    }
}

/// The app's data in requests to CeedAds.
public struct CeedAdsApp: Hashable, Sendable {
    /// The app's id from CeedAds.
    public let appID: String
    /// The version of the API that the app uses.
    public let sdkVersion: String

    /// Creates an app.
    public init(appID: String, sdkVersion: String = "1.0.0") {
        self.appID = appID
        self.sdkVersion = sdkVersion
    }
}

/// The formats of CeedAds' cards.
public enum CeedAdsFormat: String, Hashable, Sendable, CaseIterable {
    /// A title, a description and a button.
    case actionCard = "action_card"
    /// Asks for contact details; shown as a card whose click-through URL opens the form.
    case leadGen = "lead_gen"
    /// An image; shown as a card with the image.
    case `static`
    /// Follows up on an ad that was seen before; shown as a card.
    case followup
}

/// The conversations that got a card recently, and when their cooldowns end.
public struct CeedAdsCooldown: Hashable, Sendable {
    /// How long a conversation gets no other card.
    public static let length = Duration.seconds(60)
    /// The maximum number of conversations that are tracked here; the server enforces the cooldown for all.
    static let limit = 1_000

    private var ends: [String: Moment] = [:]

    /// Creates a value without cooldowns.
    public init() {}

    /// When a conversation's cooldown ends; nil when there is none.
    public func end(of conversation: String, at now: Moment) -> Moment? {
        self.ends[conversation].flatMap { now < $0 ? $0 : nil }
    }

    /// Starts the cooldown of a conversation that got a card now.
    public mutating func start(for conversation: String, at now: Moment) {
        if self.ends.count >= CeedAdsCooldown.limit { self.ends = self.ends.filter { now < $0.value } }
        if self.ends.count >= CeedAdsCooldown.limit, let first = self.ends.min(by: { $0.value < $1.value }) {
            self.ends[first.key] = nil
        }
        self.ends[conversation] = now + CeedAdsCooldown.length
    }
}
