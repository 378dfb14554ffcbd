package import AdCore

/// A moment in a conversation at which a card may appear.
///
/// ```swift
/// let here = AttentionMarketPlacement(userMessage: "which fern should I buy?", conversationHistory: history.messages)
/// ```
public struct AttentionMarketPlacement: Hashable, Sendable {
    /// What the user has just written.
    public let userMessage: String
    /// What the user wrote, oldest first, the last message included; of more than ten the last ten are sent.
    public let conversationHistory: [String]
    /// Where the card appears, by the server's name.
    public let placement: String

    /// What is sent where nothing else is said.
    public static let standardPlacement = "sponsored_suggestion"

    /// A moment.
    public init(
        userMessage: String,
        conversationHistory: [String] = [],
        placement: String = AttentionMarketPlacement.standardPlacement
    ) {
        self.userMessage = userMessage
        self.conversationHistory = conversationHistory
        self.placement = placement
    }
}

/// What a user wrote in a conversation, as far back as the server wants to know it.
///
/// ```swift
/// var history = ConversationHistory()
/// history.add("which fern should I buy?")
/// ```
public struct ConversationHistory: Hashable, Sendable {
    /// How many messages are kept.
    public static let window = 10
    /// The last messages, oldest first.
    public private(set) var messages: [String] = []

    /// An empty history.
    public init() {}

    /// Takes a message of the user's; of more than ten the oldest goes.
    public mutating func add(_ message: String) {
        self.messages.append(message)
        if self.messages.count > ConversationHistory.window { self.messages.removeFirst() }
    }
}

/// Whose cards are asked for: the keys from AttentionMarket.
public struct AttentionMarketKeys: Hashable, Sendable {
    /// The API key: it goes out as `Authorization: Bearer` and as `X-API-Key`, and is never written down.
    public let apiKey: String
    /// The agent's id, for `X-Agent-ID`.
    public let agentID: String
    /// The key of the service that hosts the API, for `apikey`.
    public let anonKey: String

    /// Keys.
    public init(apiKey: String, agentID: String, anonKey: String) {
        self.apiKey = apiKey
        self.agentID = agentID
        self.anonKey = anonKey
    }

    /// Refuses keys that are empty, or can't stand in a header.
    package func check() throws(AdError) {
        for (key, name, header) in [
            (self.apiKey, "API key", "Authorization"), (self.agentID, "agent id", "X-Agent-ID"),
            (self.anonKey, "anon key", "apikey"),
        ] {
            guard !key.trimmed.isEmpty else {
                throw AdError(.invalidRequest, "the \(name) for the header \(header) is empty; give yours")
            }
            guard AdHTTPHeaders.Field(header, key) != nil else {
                throw AdError(.invalidRequest, "the \(name) has a character that no header may have: a line break?")
            }
        }
    }
}

/// What the device is, as AttentionMarket asks for it.
public struct AttentionMarketDevice: Hashable, Sendable {
    /// Its kind.
    public let type: String
    /// Its platform.
    public let platform: String

    /// A device.
    public init(type: String = "mobile", platform: String) {
        self.type = type
        self.platform = platform
    }

    /// A phone with iOS.
    public static let ios = AttentionMarketDevice(platform: "ios")
    /// A phone with Android.
    public static let android = AttentionMarketDevice(platform: "android")
}
