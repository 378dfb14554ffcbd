/// The rules that decide when a card may appear in a conversation: AttentionMarket's own, or an app's.
///
/// ```swift
/// var rules = PlacementRules.ios
/// rules.messagesBetween = 8
/// let gate = PlacementGate(rules: rules, startedAt: clock.now)
/// ```
public struct PlacementRules: Hashable, Sendable {
    /// What a message needs, besides its position in the conversation.
    public enum Occasion: Hashable, Sendable {
        /// Nothing.
        case anyMessage
        /// One of the keywords in the user's message, in upper or lower case; or else a useful answer of the assistant
        /// and a random draw with this probability, from 0 to 1.
        case intent(keywords: [String], chance: Float)
    }

    /// The number of the first message that may get a card.
    public var messagesBeforeFirst: Int
    /// The minimum number of messages between two cards.
    public var messagesBetween: Int
    /// How long after its start a session gets no card.
    public var onboarding: Duration
    /// What a message needs, besides its position.
    public var occasion: Occasion

    /// Creates rules.
    public init(
        messagesBeforeFirst: Int,
        messagesBetween: Int,
        onboarding: Duration = .zero,
        occasion: Occasion = .anyMessage
    ) {
        self.messagesBeforeFirst = messagesBeforeFirst
        self.messagesBetween = messagesBetween
        self.onboarding = onboarding
        self.occasion = occasion
    }

    /// Words that show a commercial intent, as AttentionMarket lists them.
    public static let commercialKeywords = [
        "buy", "purchase", "need", "looking for", "recommend", "best", "compare", "price", "cost", "cheap",
        "affordable",
    ]

    /// The rules of AttentionMarket's Kotlin listing for Android: three messages, five between two cards, thirty
    /// seconds, and a commercial intent or a useful answer.
    public static let android = PlacementRules(
        messagesBeforeFirst: 3,
        messagesBetween: 5,
        onboarding: .seconds(30),
        occasion: .intent(keywords: PlacementRules.commercialKeywords, chance: 0.3)
    )

    /// The rules of AttentionMarket's Swift listing for iOS: three messages, and five between two cards.
    public static let ios = PlacementRules(messagesBeforeFirst: 3, messagesBetween: 5)
}
