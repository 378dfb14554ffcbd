public import AdCore

/// Decides at which messages of a conversation a card may appear, by AttentionMarket's rules.
///
/// Not before the third message; five messages after the last card at the earliest; not within the first thirty
/// seconds; then where the user seems to want to buy something, and with a chance of three in ten where the answer was
/// of some use.
///
/// ```swift
/// var random = SystemRandomNumberGenerator()
/// var gate = PlacementGate(startedAt: clock.now)
/// if gate.shouldShowAd(userMessage: message, aiResponse: answer, at: clock.now, random: &random) {
///     let ad = try await market.getAd(userMessage: message)
///     gate.recordAdShown()
/// }
/// ```
public struct PlacementGate: Hashable, Sendable {
    /// What the gate decided, and by which rule.
    public enum Decision: Hashable, Sendable {
        /// Too few messages yet.
        case tooEarly
        /// Too few messages since the last card.
        case tooSoon
        /// The session is too young.
        case onboarding
        /// The user does not want to buy anything, and the answer was of no use, or chance was against it.
        case noOccasion
        /// The user seems to want to buy something.
        case commercialIntent
        /// The answer was of use, and chance was for it.
        case providedValue

        /// Whether a card may appear.
        public var allows: Bool { self == .commercialIntent || self == .providedValue }
    }

    /// How many messages there are before the first card.
    public static let messagesBeforeFirst = 3
    /// How many messages lie between two cards.
    public static let messagesBetween = 5
    /// How long a session goes without a card.
    public static let onboarding = Duration.seconds(30)
    /// How likely a card is where the answer was of use.
    public static let chance: Float = 0.3
    /// Words of users who want to buy something.
    public static let keywords = [
        "buy", "purchase", "need", "looking for", "recommend", "best", "compare", "price", "cost", "cheap",
        "affordable",
    ]

    /// How many messages there were.
    public private(set) var messages = 0
    /// At which message the last card was shown; nil where none was.
    public private(set) var lastShown: Int?
    private let started: Moment

    /// A gate for a session that begins now.
    public init(startedAt started: Moment) { self.started = started }

    /// Counts a message, and says whether a card may appear behind its answer.
    public mutating func shouldShowAd(
        userMessage: String,
        aiResponse: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) -> Bool {
        self.decide(userMessage: userMessage, aiResponse: aiResponse, at: now, random: &random).allows
    }

    /// Counts a message, and says which rule decides; chance is asked only where nothing else does.
    public mutating func decide(
        userMessage: String,
        aiResponse: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) -> Decision {
        self.messages += 1
        guard self.messages >= PlacementGate.messagesBeforeFirst else { return .tooEarly }
        if let lastShown, self.messages - lastShown < PlacementGate.messagesBetween { return .tooSoon }
        guard now - self.started >= PlacementGate.onboarding else { return .onboarding }
        let message = userMessage.lowercased()
        if PlacementGate.keywords.contains(where: { message.contains($0) }) { return .commercialIntent }
        // In characters as people count them.
        let isOfUse = aiResponse.count > 100 || aiResponse.contains("Here") || aiResponse.contains("I found")
        guard isOfUse else { return .noOccasion }
        return Float.random(in: 0..<1, using: &random) < PlacementGate.chance ? .providedValue : .noOccasion
    }

    /// A card was shown behind the last message.
    public mutating func recordAdShown() { self.lastShown = self.messages }
}
