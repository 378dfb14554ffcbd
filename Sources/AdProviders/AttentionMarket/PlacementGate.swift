public import AdCore

/// Decides at which messages of a conversation a card may appear.
///
/// It counts messages and cards, and applies `PlacementRules`. The default rules are those for Android: no card before
/// the third message, before five messages after the last card, or within the first thirty seconds. After that a
/// message with a commercial intent gets a card, and one with a useful answer gets a card with a probability of 0.3.
///
/// ```swift
/// var random = SystemRandomNumberGenerator()
/// var gate = PlacementGate(rules: .ios, startedAt: clock.now)
/// if gate.shouldShowAd(userMessage: message, aiResponse: response, at: clock.now, random: &random) {
///     let ad = try await market.getAd(userMessage: message)
///     gate.recordAdShown()
/// }
/// ```
public struct PlacementGate: Hashable, Sendable {
    /// A decision, named after the rule that made it.
    public enum Decision: Hashable, Sendable {
        /// No card: too few messages so far.
        case tooEarly
        /// No card: too few messages since the last card.
        case tooSoon
        /// No card: the session has just started.
        case onboarding
        /// No card: no commercial intent, and the answer was not useful or the random draw failed.
        case noOccasion
        /// A card: the user seems to want to buy something.
        case commercialIntent
        /// A card: the answer was useful, and the random draw succeeded.
        case providedValue
        /// A card: the rules demand nothing but the position in the conversation.
        case anyMessage

        /// Whether a card may appear.
        public var allows: Bool {
            switch self {
            case .commercialIntent, .providedValue, .anyMessage: true
            case .tooEarly, .tooSoon, .onboarding, .noOccasion: false
            }
        }
    }

    /// The rules that the gate applies.
    public let rules: PlacementRules
    /// The number of messages so far.
    public private(set) var messages = 0
    /// The number of the message after which the last card was shown; nil when there was none.
    public private(set) var lastShown: Int?
    private let started: Moment

    /// Creates a gate for a session that starts now.
    public init(rules: PlacementRules = .android, startedAt started: Moment) {
        self.rules = rules
        self.started = started
    }

    /// Counts a message, and returns whether a card may appear after its answer.
    public mutating func shouldShowAd(
        userMessage: String,
        aiResponse: String,
        at now: Moment,
        random: inout some RandomNumberGenerator
    ) -> Bool {
        self.decide(userMessage: userMessage, aiResponse: aiResponse, at: now, random: &random).allows
    }

    /// Counts a message, and returns the decision; a random number is drawn only when all other rules allow a card.
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
            // `count` counts characters (grapheme clusters), as users do.
            let isUseful = aiResponse.count > 100 || aiResponse.contains("Here") || aiResponse.contains("I found")
            guard isUseful else { return .noOccasion }
            return Float.random(in: 0..<1, using: &random) < chance ? .providedValue : .noOccasion
        }
    }

    /// Records that a card was shown after the last message.
    public mutating func recordAdShown() { self.lastShown = self.messages }
}
