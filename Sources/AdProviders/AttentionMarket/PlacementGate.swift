public import AdCore

/// Decides at which messages of a conversation a card may appear.
///
/// It counts messages and cards; what that means stands in its `PlacementRules`, which are those for Android where the
/// host chooses no others: not before the third message; five messages after the last card at the earliest; not within
/// the first thirty seconds; then where the user seems to want to buy something, and with a chance of three in ten where
/// the answer was of some use.
///
/// ```swift
/// var random = SystemRandomNumberGenerator()
/// var gate = PlacementGate(rules: .ios, startedAt: clock.now)
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
        /// The rules ask for no occasion, and the message is in the right place.
        case anyMessage

        /// Whether a card may appear.
        public var allows: Bool {
            switch self {
            case .commercialIntent, .providedValue, .anyMessage: true
            case .tooEarly, .tooSoon, .onboarding, .noOccasion: false
            }
        }
    }

    /// The rules.
    public let rules: PlacementRules
    /// How many messages there were.
    public private(set) var messages = 0
    /// At which message the last card was shown; nil where none was.
    public private(set) var lastShown: Int?
    private let started: Moment

    /// A gate for a session that begins now.
    public init(rules: PlacementRules = .android, startedAt started: Moment) {
        self.rules = rules
        self.started = started
    }

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
        guard self.messages >= self.rules.messagesBeforeFirst else { return .tooEarly }
        if let lastShown, self.messages - lastShown < self.rules.messagesBetween { return .tooSoon }
        guard now - self.started >= self.rules.onboarding else { return .onboarding }
        switch self.rules.occasion {
        case .anyMessage: return .anyMessage
        case .intent(let keywords, let chance):
            let message = userMessage.lowercased()
            if keywords.contains(where: { !$0.isEmpty && message.contains($0.lowercased()) }) {
                return .commercialIntent
            }
            // In characters as people count them.
            let isOfUse = aiResponse.count > 100 || aiResponse.contains("Here") || aiResponse.contains("I found")
            guard isOfUse else { return .noOccasion }
            return Float.random(in: 0..<1, using: &random) < chance ? .providedValue : .noOccasion
        }
    }

    /// A card was shown behind the last message.
    public mutating func recordAdShown() { self.lastShown = self.messages }
}
