import AdCore
import AdProviders
import YabbiAds

/// A value of `--set <name>=<value>`: one of a provider's own fields.
///
/// Parser, help and completions are made from these declarations.
struct ProviderValue: Sendable {
    let name: String
    /// The help, with the default.
    let summary: String
    /// Whether it may be given several times.
    let isRepeatable: Bool
    /// Whether every server requires it, except for the built-in server.
    let isRequired: Bool
    /// Whether it is the text of a chat, which is private and not printed.
    let isPrivate: Bool
    /// `otherwise` is for help: what happens without the value, if that is not a text.
    init(
        _ name: String,
        _ summary: String,
        otherwise: String? = nil,
        isRepeatable: Bool = false,
        isRequired: Bool = false,
        isPrivate: Bool = false
    ) {
        self.name = name
        self.summary = summary + (otherwise.map { " (default: \($0))" } ?? "")
        self.isRepeatable = isRepeatable
        self.isRequired = isRequired
        self.isPrivate = isPrivate
    }
}

/// A value that is never missing: the given one, or its default.
struct DefaultedProviderValue: Sendable {
    let value: ProviderValue
    let standard: String

    init(_ name: String, _ summary: String, default standard: String) {
        self.value = ProviderValue(name, summary, otherwise: standard)
        self.standard = standard
    }
}

extension ProviderChoice {
    /// The provider's values of `--set`, in the order of help.
    var values: [ProviderValue] {
        switch self {
        case .yabbi, .openrtb: []
        case .attentionmarket: AttentionMarketValue.all
        case .ceedads: CeedAdsValue.all
        case .activeads: ActiveAdsValue.all
        case .smartico: SmarticoValue.all
        }
    }
}

enum AttentionMarketValue {
    static let apiKey = ProviderValue("api_key", "The API key.", isRequired: true)
    static let agentID = ProviderValue("agent_id", "The agent's id.", isRequired: true)
    static let anonKey = ProviderValue("anon_key", "The anonymous key of the API's host.", isRequired: true)
    static let userMessage = ProviderValue(
        "user_message",
        "The user's latest message.",
        isRequired: true,
        isPrivate: true
    )
    static let history = ProviderValue(
        "conversation_history",
        "An earlier message, oldest first. Repeatable.",
        isRepeatable: true,
        isPrivate: true
    )
    static let placement = DefaultedProviderValue(
        "placement",
        "The placement.",
        default: AttentionMarketPlacement.standardPlacement
    )
    static let platform = DefaultedProviderValue("platform", "ios or android.", default: "ios")

    static let all = [apiKey, agentID, anonKey, userMessage, history, placement.value, platform.value]
}

enum CeedAdsValue {
    static let appID = ProviderValue("appId", "The app's id.", isRequired: true)
    static let conversationID = ProviderValue("conversationId", "The conversation's id.", isRequired: true)
    static let messageID = ProviderValue("messageId", "The message's id.", isRequired: true)
    static let contextText = ProviderValue(
        "contextText",
        "The text of the conversation.",
        isRequired: true,
        isPrivate: true
    )
    static let language = ProviderValue("language", "The language.", otherwise: "null")
    static let userID = ProviderValue("userId", "The user's id.", otherwise: "null")

    static let all = [appID, conversationID, messageID, contextText, language, userID]
}

enum ActiveAdsValue {
    static let format = DefaultedProviderValue(
        "format",
        "feed, banner or popup.",
        default: ActiveAdsPlacement.feed.rawValue
    )

    static let all = [format.value]
}

enum SmarticoValue {
    static let labelKey = ProviderValue("label_key", "The label's key.", isRequired: true)
    static let brandKey = ProviderValue("brand_key", "The brand's key.", otherwise: "null")
    static let userID = ProviderValue("ext_user_id", "The id of the logged-in user.", isRequired: true)
    static let domain = ProviderValue(
        "domain",
        "The app's id in the socket's URL.",
        otherwise: "the value of \(AppOptions.bundle.name)"
    )
    static let version = ProviderValue("version", "The app's version, for example 1.2.29.")
    static let deviceID = ProviderValue("device_id", "The device's id.")
    static let language = ProviderValue(
        "language",
        "The language, for example EN. Repeatable: watch switches between them with l.",
        isRepeatable: true
    )
    static let hash = ProviderValue("hash", "The hash that authenticates the user, if the label requires it.")
    static let token = ProviderValue("token", "The push token.")
    static let pushStatus = ProviderValue(
        "pushNotificationUserStatus",
        "0 allowed, 1 ask, 2 blocked, 3 suspended, 4 not supported."
    )
    static let platform = ProviderValue(
        "platform",
        "The token's platform, 0 to 11: 6 iOS, 7 Android, 5 other.",
        otherwise: "from os"
    )
    static let os = DefaultedProviderValue("os", "The operating system, for example iOS or Android.", default: "Linux")
    static let deviceType = DefaultedProviderValue("device_type", "The device type.", default: SmarticoAgent.phone)
    static let agent = ProviderValue("agent", "The user agent.")
    static let page = ProviderValue("page", "The screen or page of the app.")
    static let fingerprint = ProviderValue("fp", "The device's fingerprint, a number.")
    static let host = ProviderValue("host", "The domain of the web site.")
    static let browser = ProviderValue("browser", "The browser's name.")
    static let register = ProviderValue("register", "Register the push token over HTTP, by post or get.")
    static let report = ProviderValue(
        "report",
        "Report a push notification as failed, delivered, impression or action. Repeatable.",
        isRepeatable: true
    )
    static let engagementUID = ProviderValue("engagement_uid", "The engagement of the reported notification.")
    static let messageID = ProviderValue("message_id", "The message id of the reported notification, a number.")
    static let action = ProviderValue("action", "The tapped action of the reported notification.")
    static let services = ProviderValue(
        "services",
        "The URL of calls over HTTP.",
        otherwise: "https://papi2.smartico.ai/services/public"
    )
    static let push = ProviderValue(
        "push",
        "popup, game or none: what the built-in server pushes; widget: open the widget.",
        otherwise: "popup"
    )
    static let deepLink = ProviderValue(
        "deepLink",
        "The deep link that opens the widget, for example dp:gf_levels."
    )

    static let all = [
        labelKey, brandKey, userID, domain, version, deviceID, language, hash, token, pushStatus, platform, os.value,
        deviceType.value, agent, page, fingerprint, host, browser, register, report, engagementUID, messageID, action,
        services, push, deepLink,
    ]
    /// The values whose effect comes after the first message of a session.
    static let afterStart = [push, deepLink, register, report]
}
