import AdCore
import PlayConsole

/// The values of `--set <name>=<value>`, by the provider's own field names.
struct ProviderParameters: Sendable {
    /// The names of each provider, with their help.
    static let known: [ProviderChoice: [(name: String, summary: String)]] = [
        .attentionmarket: [
            ("api_key", "The API key."), ("agent_id", "The agent's id."),
            ("anon_key", "The anonymous key of the API's host."), ("user_message", "The user's latest message."),
            ("conversation_history", "An earlier message, oldest first. Repeatable."),
            ("placement", "The placement. (default: sponsored_suggestion)"),
            ("platform", "ios or android. (default: ios)"),
        ],
        .ceedads: [
            ("appId", "The app's id."), ("conversationId", "The conversation's id."),
            ("messageId", "The message's id."), ("contextText", "The text of the conversation."),
            ("language", "The language. (default: null)"), ("userId", "The user's id. (default: null)"),
        ],
        .activeads: [("format", "feed, banner or popup. (default: feed)")],
        .smartico: [
            ("label_key", "The label's key."), ("brand_key", "The brand's key. (default: null)"),
            ("ext_user_id", "The id of the logged-in user."),
            ("domain", "The app's id in the socket's URL. (default: the value of --app-bundle)"),
            ("version", "The app's version, for example 1.2.29."), ("device_id", "The device's id."),
            ("language", "The language, for example EN. Repeatable: watch switches between them with l."),
            ("hash", "The hash that authenticates the user, if the label requires it."),
            ("token", "The push token."),
            ("pushNotificationUserStatus", "0 allowed, 1 ask, 2 blocked, 3 suspended, 4 not supported."),
            ("platform", "The token's platform, 0 to 11: 6 iOS, 7 Android, 5 other. (default: from os)"),
            ("os", "The operating system, for example iOS or Android. (default: Linux)"),
            ("device_type", "The device type. (default: NATIVE_PHONE)"), ("agent", "The user agent."),
            ("page", "The screen or page of the app."), ("fp", "The device's fingerprint, a number."),
            ("host", "The domain of the web site."), ("browser", "The browser's name."),
            ("register", "Register the push token over HTTP, by post or get."),
            ("report", "Report a push notification as failed, delivered, impression or action. Repeatable."),
            ("engagement_uid", "The engagement of the reported notification."),
            ("message_id", "The message id of the reported notification, a number."),
            ("action", "The tapped action of the reported notification."),
            ("services", "The URL of calls over HTTP. (default: https://papi2.smartico.ai/services/public)"),
            ("push", "popup, game or none: what the built-in server pushes; widget: open the widget. (default: popup)"),
            ("deepLink", "The deep link that opens the widget, for example dp:gf_levels."),
        ],
    ]

    /// The names that every server requires, except for the built-in server.
    static let required: [ProviderChoice: [String]] = [
        .attentionmarket: ["api_key", "agent_id", "anon_key", "user_message"],
        .ceedads: ["appId", "conversationId", "messageId", "contextText"],
        .smartico: ["label_key", "ext_user_id"],
    ]

    /// The names that may be given several times.
    private static let repeatable: Set<String> = ["conversation_history", "language", "report"]

    /// The texts of a chat, which are private and not printed.
    private static let chat: Set<String> = ["user_message", "conversation_history", "contextText"]

    private let values: [(name: String, value: String)]

    /// Throws for unknown names, and for repeated names that take one value.
    init(_ values: [(name: String, value: String)], for provider: ProviderChoice) throws(UsageError) {
        self.values = values
        try self.check(for: provider)
    }

    /// The values that are not printed.
    var secrets: [String] {
        self.values.filter { Redaction.isSecret($0.name) || ProviderParameters.chat.contains($0.name) }.map(\.value)
    }

    /// Parses `<name>=<value>`.
    static func pair(_ text: String, _ option: String) throws(UsageError) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw OptionValue.invalid(
                text,
                for: option,
                expected: "<name>=<value>; see yabbi-play help providers"
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
                    "--set is not for --provider \(provider.rawValue); use --unit, --format and the --app-… options"
                )
            }
            guard known.contains(name) else {
                let hint = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
                let fix = hint ?? "known names: \(known.joined(separator: ", "))"
                throw UsageError("unknown name \u{201C}\(name)\u{201D} in --set for \(provider.rawValue); \(fix)")
            }
            guard seen.insert(name).inserted || ProviderParameters.repeatable.contains(name) else {
                throw UsageError("--set \(name)=… was given twice; give it once")
            }
        }
    }

    /// The value of a name; nil if it was not given.
    subscript(name: String) -> String? { self.values.last { $0.name == name }?.value }

    /// All values of a name, in order.
    func all(_ name: String) -> [String] { self.values.filter { $0.name == name }.map(\.value) }
}
