package import AdCore

/// A moment in a conversation at which a card may appear.
///
/// ```swift
/// let here = AttentionMarketPlacement(userMessage: "which fern should I buy?", conversationHistory: history.messages)
/// ```
public struct AttentionMarketPlacement: Hashable, Sendable {
    /// The user's latest message.
    public let userMessage: String
    /// The user's messages, oldest first, including the latest; only the last ten are sent.
    public let conversationHistory: [String]
    /// The server's name for where the card appears.
    public let placement: String

    /// The default name.
    public static let standardPlacement = "sponsored_suggestion"

    /// Creates a placement.
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

/// The last ten messages that a user wrote in a conversation.
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

    /// Appends a message of the user; when there are more than ten the oldest is removed.
    public mutating func add(_ message: String) {
        self.messages.append(message)
        if self.messages.count > ConversationHistory.window { self.messages.removeFirst() }
    }
}

/// The API credentials from AttentionMarket.
public struct AttentionMarketKeys: Hashable, Sendable {
    /// The API key, sent as `Authorization: Bearer` and as `X-API-Key`; never logged or stored.
    public let apiKey: String
    /// The agent's id, sent as `X-Agent-ID`.
    public let agentID: String
    /// The key for the service that hosts the API, sent as `apikey`.
    public let anonKey: String

    /// Creates the credentials.
    public init(apiKey: String, agentID: String, anonKey: String) {
        self.apiKey = apiKey
        self.agentID = agentID
        self.anonKey = anonKey
    }

    /// Throws an error for a key that is empty or not allowed in a header field.
    package func check() throws(AdError) {
        for (key, name, header) in [
            (self.apiKey, "API key", "Authorization"), (self.agentID, "agent id", "X-Agent-ID"),
            (self.anonKey, "anon key", "apikey"),
        ] {
            guard !key.trimmed.isEmpty else {
                throw AdError(.invalidRequest, "the \(name) for the header \(header) is empty; set it")
            }
            guard AdHTTPHeaders.Field(header, key) != nil else {
                throw AdError(
                    .invalidRequest,
                    "the \(name) has a character that no header can have: a line break?"
                )
            }
        }
    }
}

/// The device as a request describes it.
public struct AttentionMarketDevice: Hashable, Sendable {
    /// The kind of device, as in `mobile`.
    public let type: String
    /// The platform, as in `ios`.
    public let platform: String

    /// Creates a description of a device.
    public init(type: String = "mobile", platform: String) {
        self.type = type
        self.platform = platform
    }

    /// A phone with iOS.
    public static let ios = AttentionMarketDevice(platform: "ios")
    /// A phone with Android.
    public static let android = AttentionMarketDevice(platform: "android")
}
