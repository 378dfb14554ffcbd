/// The rules by which a gate lets cards appear in a conversation: AttentionMarket's own, or a host's.
///
/// ```swift
/// var rules = PlacementRules.ios
/// rules.messagesBetween = 8
/// let gate = PlacementGate(rules: rules, startedAt: clock.now)
/// ```
public struct PlacementRules: Hashable, Sendable {
    /// What a message needs, besides its place in the conversation.
    public enum Occasion: Hashable, Sendable {
        /// Nothing: each message in the right place gets a card.
        case anyMessage
        /// The user's message holds one of these words, in capitals or small letters; else, where the assistant's answer
        /// was of use, chance decides, from 0 for never to 1 for always.
        case intent(keywords: [String], chance: Float)
    }

    /// At which message the first card may appear.
    public var messagesBeforeFirst: Int
    /// How many messages lie between two cards.
    public var messagesBetween: Int
    /// How long a session goes without a card.
    public var onboarding: Duration
    /// What a message needs, besides its place.
    public var occasion: Occasion

    /// Rules of a host's own.
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

    /// Words of users who want to buy something, as AttentionMarket lists them.
    public static let commercialKeywords = [
        "buy", "purchase", "need", "looking for", "recommend", "best", "compare", "price", "cost", "cheap",
        "affordable",
    ]

    /// The rules for Android, in AttentionMarket's Kotlin listing: three messages, five between two cards, thirty seconds,
    /// and an occasion.
    public static let android = PlacementRules(
        messagesBeforeFirst: 3,
        messagesBetween: 5,
        onboarding: .seconds(30),
        occasion: .intent(keywords: PlacementRules.commercialKeywords, chance: 0.3)
    )

    /// The rules for iOS, in AttentionMarket's Swift listing: three messages, and five between two cards.
    public static let ios = PlacementRules(messagesBeforeFirst: 3, messagesBetween: 5)
}
