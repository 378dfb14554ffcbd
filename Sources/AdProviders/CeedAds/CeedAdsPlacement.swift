public import AdCore

/// A message in a chat at which a card may appear.
///
/// ```swift
/// let here = CeedAdsPlacement(conversationID: "c1", messageID: "m7", contextText: "I want to learn English")
/// ```
public struct CeedAdsPlacement: Hashable, Sendable {
    /// The conversation; the server gives each a card once a minute at most.
    public let conversationID: String
    /// The message.
    public let messageID: String
    /// What the conversation is about now.
    public let contextText: String
    /// The language of the context; nil lets the server find out.
    public let language: String?
    /// The user, by the app's own name; nil where the app does not say.
    public let userID: String?

    /// A message.
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
}

/// The app that asks, as CeedAds knows it.
public struct CeedAdsApp: Hashable, Sendable {
    /// The app's id, from CeedAds.
    public let appID: String
    /// The version of the interface that the app speaks.
    public let sdkVersion: String

    /// An app.
    public init(appID: String, sdkVersion: String = "1.0.0") {
        self.appID = appID
        self.sdkVersion = sdkVersion
    }
}

/// The formats of CeedAds' cards.
public enum CeedAdsFormat: String, Hashable, Sendable, CaseIterable {
    /// A title, a description and a button.
    case actionCard = "action_card"
    /// Asks for an address or a number; shown as a card that leads there.
    case leadGen = "lead_gen"
    /// A picture; shown as a card with it.
    case `static`
    /// Goes on from an ad that was seen before; shown as a card.
    case followup
}

/// Which conversations have had a card, and until when they get no other.
public struct CeedAdsCooldown: Hashable, Sendable {
    /// How long a conversation waits for the next card.
    public static let length = Duration.seconds(60)
    /// More conversations than these are not remembered; the server remembers them all.
    static let most = 1_000

    private var ends: [String: Moment] = [:]

    /// Nobody waits.
    public init() {}

    /// Until when a conversation gets no card; nil where it may have one.
    public func end(of conversation: String, at now: Moment) -> Moment? {
        self.ends[conversation].flatMap { now < $0 ? $0 : nil }
    }

    /// A conversation has got a card.
    public mutating func begin(for conversation: String, at now: Moment) {
        if self.ends.count >= CeedAdsCooldown.most { self.ends = self.ends.filter { now < $0.value } }
        if self.ends.count >= CeedAdsCooldown.most, let first = self.ends.min(by: { $0.value < $1.value }) {
            self.ends[first.key] = nil
        }
        self.ends[conversation] = now + CeedAdsCooldown.length
    }
}
