import AdCore
import PlayConsole

/// The values of `--set NAME=VALUE`, by the provider's own names.
struct ProviderParameters: Sendable {
    /// The names of each provider, and what they mean.
    static let known: [ProviderChoice: [(name: String, about: String)]] = [
        .attentionmarket: [
            ("api_key", "the API key"), ("agent_id", "the agent's id"), ("anon_key", "the key of the API's host"),
            ("user_message", "what the user has just written"),
            ("conversation_history", "a message of before; once for each, oldest first"),
            ("placement", "sponsored_suggestion by default"), ("platform", "ios by default, or android"),
        ],
        .ceedads: [
            ("appId", "the app's id"), ("conversationId", "the conversation"), ("messageId", "the message"),
            ("contextText", "what the conversation is about"), ("language", "null by default"),
            ("userId", "null by default"),
        ],
        .activeads: [("format", "feed by default, banner or popup")],
        .smartico: [
            ("label_key", "the label's key"), ("brand_key", "the brand's key; null by default"),
            ("ext_user_id", "who is logged in"),
            ("domain", "the app's technical name, as the socket's address tells it; that of --app-bundle by default"),
            ("version", "the app's version, as in 1.2.29"), ("device_id", "this device"),
            ("language", "as in EN; not told by default; watch goes through several by l"),
            ("hash", "what proves that it is the user, where the label wants that"),
            ("token", "the push token; told with the user"),
            ("pushNotificationUserStatus", "0 allowed, 1 ask, 2 blocked, 3 suspended, 4 not supported"),
            ("platform", "of the token: 6 iOS, 7 Android, 5 other, …, 0 to 11; as os says by default"),
            ("os", "as in iOS or Android; Linux by default"),
            ("device_type", "NATIVE_PHONE by default"), ("agent", "the user agent"),
            ("page", "where the user is in the app"),
            ("fp", "the device's fingerprint, a number"), ("host", "the domain that the user is on"),
            ("browser", "the browser's name"),
            ("register", "post or get: registers the token without the socket as well"),
            (
                "report",
                "what became of a push notification: failed, delivered, impression or action; may be given again"
            ),
            ("engagement_uid", "of the notification that is reported"), ("message_id", "of the same, a number"),
            ("action", "what was tapped in it"),
            ("services", "where calls without a socket go; https://papi2.smartico.ai/services/public by default"),
            ("push", "of the built-in server: popup by default, game or none; of any: widget, which is opened here"),
            ("deepLink", "where the widget is opened, as in dp:gf_levels"),
        ],
    ]

    /// The names that every server needs except the built-in one, which has values of its own.
    static let needed: [ProviderChoice: [String]] = [
        .attentionmarket: ["api_key", "agent_id", "anon_key", "user_message"],
        .ceedads: ["appId", "conversationId", "messageId", "contextText"],
        .smartico: ["label_key", "ext_user_id"],
    ]

    /// The names that may be given several times.
    private static let repeatable: Set<String> = ["conversation_history", "language", "report"]

    /// What a user has written to a chat: it is private, and not printed.
    private static let chat: Set<String> = ["user_message", "conversation_history", "contextText"]

    private let values: [(name: String, value: String)]

    /// Refuses names that the provider does not have, and those given twice that take one value.
    init(_ values: [(name: String, value: String)], for provider: ProviderChoice) throws(UsageError) {
        self.values = values
        try self.check(for: provider)
    }

    /// The values that are not printed.
    var secrets: [String] {
        self.values.filter { Redaction.isSecret($0.name) || ProviderParameters.chat.contains($0.name) }.map(\.value)
    }

    /// Reads a `NAME=VALUE`.
    static func pair(_ text: String, _ option: String) throws(UsageError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw UsageError(
                "\(option) takes NAME=VALUE, not \u{201C}\(text)\u{201D}; yabbi-play help providers lists the names"
            )
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private func check(for provider: ProviderChoice) throws(UsageError) {
        let known = ProviderParameters.known[provider, default: []].map(\.name)
        var seen: Set<String> = []
        for (name, _) in self.values {
            guard !known.isEmpty else {
                throw UsageError(
                    "--set is for attentionmarket, ceedads, activeads and smartico, not for \(provider.rawValue)"
                )
            }
            guard known.contains(name) else {
                let hint = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
                let words = hint ?? "it knows \(known.joined(separator: ", "))"
                throw UsageError("\(provider.rawValue) has no \u{201C}\(name)\u{201D}; \(words)")
            }
            guard seen.insert(name).inserted || ProviderParameters.repeatable.contains(name) else {
                throw UsageError("--set \(name)=… was given twice")
            }
        }
    }

    /// The value of a name; nil where it was not given.
    subscript(name: String) -> String? { self.values.last { $0.name == name }?.value }

    /// All values of a name, in order.
    func all(_ name: String) -> [String] { self.values.filter { $0.name == name }.map(\.value) }
}
