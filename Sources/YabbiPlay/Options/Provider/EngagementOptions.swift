import AdCore
import AdProviders
import PlayConsole
import SandboxSSP
import YabbiAds

/// The options of a session with Smartico: the app, the user, and what is pushed.
struct EngagementOptions: Sendable {
    /// What is to come as soon as the server knows the user.
    enum Push: String, CaseIterable, Sendable {
        /// The built-in server pushes a popup.
        case popup
        /// The built-in server pushes a mini-game.
        case game
        /// The app opens the widget.
        case widget
        /// What the server pushes by itself.
        case none
    }

    static let needsRealTime =
        "a connection lives in real time: its server asks when it likes whether somebody is there, and pushes when it likes; leave out --clock virtual"

    let server: ServerChoice<SocketURL>
    let labelKey: String
    let brandKey: String?
    let user: SmarticoUser
    let domain: String?
    let version: String?
    let deviceID: String?
    let agent: SmarticoAgent
    let page: String?
    /// Where calls without a socket go; nil for the server's own place.
    let services: HTTPURL?
    /// The languages that were given; the first is sent at the beginning.
    let languages: [String]
    /// The push token and status that are sent; nil where none are.
    let token: SmarticoPush?
    let push: Push
    let deepLink: String?
    let calls: [EngagementCall]
    /// Values that are not printed.
    let secrets: [String]

    init(_ options: ProviderOptions, in time: PlayTime) throws(UsageError) {
        guard !time.isVirtual else { throw UsageError(Self.needsRealTime) }
        let values = options.parameters
        self.server = try options.socketServer()
        try values.refuseEmpty(of: .smartico)
        self.token = try SmarticoPush(values)
        self.agent = try SmarticoAgent(values)
        self.services = try values.address("services")
        self.calls = try EngagementCall.all(values, token: self.token)
        let isBuiltIn = self.server.isBuiltIn
        self.push = try Self.push(values, isBuiltIn: isBuiltIn)
        self.deepLink = values["deepLink"]
        if self.deepLink != nil, self.push != .widget {
            throw UsageError("--set deepLink=… is for the widget; say --set push=widget as well")
        }
        self.labelKey = try options.value(
            "label_key",
            builtIn: isBuiltIn ? Sandbox.TestKeys.smarticoLabelKey : nil
        )
        let isTesting = isBuiltIn && self.labelKey == Sandbox.TestKeys.smarticoLabelKey
        self.brandKey = values["brand_key"] ?? (isTesting ? Sandbox.TestKeys.smarticoBrandKey : nil)
        let userID = try options.value("ext_user_id", builtIn: isBuiltIn ? Sandbox.TestKeys.smarticoUserID : nil)
        self.user = SmarticoUser(id: userID, hash: values["hash"])
        self.domain = values["domain"]
        self.version = values["version"]
        self.deviceID = values["device_id"]
        self.page = values["page"]
        self.languages = values.all("language")
        self.secrets = values.secrets
    }

    private static func push(_ values: ProviderParameters, isBuiltIn: Bool) throws(UsageError) -> Push {
        guard let name = values["push"] else { return isBuiltIn ? .popup : .none }
        guard let push = Push(rawValue: name) else {
            let known = Push.allCases.map(\.rawValue)
            let hint = OptionValue.hint(for: name, among: known)
            throw UsageError(
                "smartico's push is one of \(known.joined(separator: ", ")), not \u{201C}\(Style.printable(name))\u{201D}\(hint)"
            )
        }
        if !isBuiltIn, push == .popup || push == .game {
            throw UsageError("a server of its own pushes what it likes; leave out --set push=\(push.rawValue)")
        }
        return push
    }
}

extension ProviderParameters {
    /// Refuses names without a value.
    fileprivate func refuseEmpty(of provider: ProviderChoice) throws(UsageError) {
        for (name, _) in ProviderParameters.known[provider, default: []] where self[name]?.isEmpty ?? false {
            throw UsageError("--set \(name)= says nothing; give it a value, or leave it out")
        }
    }

    /// A whole number; nil where it was not given.
    fileprivate func whole(_ name: String) throws(UsageError) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else {
            throw UsageError("--set \(name)=… takes a whole number, not \u{201C}\(Style.printable(text))\u{201D}")
        }
        return number
    }

    /// One of the protocol's numbers; nil where it was not given.
    fileprivate func number(_ name: String, among known: [Int]) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), known.contains(number) else {
            let range = "\(known.first ?? 0) to \(known.last ?? 0)"
            throw UsageError(
                "--set \(name)=… takes a number from \(range), not \u{201C}\(Style.printable(text))\u{201D}"
            )
        }
        return number
    }

    fileprivate func address(_ name: String) throws(UsageError) -> HTTPURL? {
        guard let text = self[name] else { return nil }
        guard let url = HTTPURL(text) else {
            let shown = Redaction.address(text)
            throw UsageError("--set \(name)=… takes an http or https address, not \u{201C}\(shown)\u{201D}")
        }
        return url
    }

    /// Whether the operating system is one of phones.
    fileprivate var isOfPhone: Bool { ["ios", "android"].contains(self["os"]?.lowercased()) }
}

extension SmarticoPush {
    /// The push token and status, by the protocol's numbers; nil where none of them was given.
    fileprivate init?(_ values: ProviderParameters) throws(UsageError) {
        let platform = try values.number("platform", among: SmarticoPush.Platform.allCases.map(\.rawValue))
        let statuses = SmarticoPush.Status.allCases.map(\.rawValue)
        let status = try values.number("pushNotificationUserStatus", among: statuses)
        guard values["token"] != nil || status != nil || platform != nil else { return nil }
        let own: SmarticoPush.Platform =
            switch values["os"]?.lowercased() {
            case "ios": .iOS
            case "android": .android
            default: .other
            }
        self.init(
            token: values["token"],
            status: status.flatMap(SmarticoPush.Status.init) ?? .allowed,
            platform: platform.flatMap(SmarticoPush.Platform.init) ?? own
        )
    }
}

extension SmarticoAgent {
    /// The device, by the members of the protocol's `ua`.
    fileprivate init(_ values: ProviderParameters) throws(UsageError) {
        self.init(
            fingerprint: try values.whole("fp"),
            userAgent: values["agent"] ?? CommandVersion.userAgent,
            host: values["host"],
            deviceType: values["device_type"] ?? SmarticoAgent.phone,
            browser: values["browser"],
            os: values["os"] ?? "Linux"
        )
    }
}

/// A call to Smartico without a socket.
enum EngagementCall: Sendable {
    /// Registers a push token (source "Registering tokens for push notifications over API").
    case register(token: String, SmarticoPush.Platform, isGet: Bool)
    /// Reports what became of a push notification.
    case report(SmarticoPushReport, engagementUID: String, messageID: Int64, action: String?)

    /// The calls that `--set register=…` and `--set report=…` ask for.
    static func all(_ values: ProviderParameters, token: SmarticoPush?) throws(UsageError) -> [EngagementCall] {
        var calls: [EngagementCall] = []
        if let way = values["register"] { calls.append(try self.registration(way, values, token)) }
        return calls + (try self.reports(values))
    }

    /// Tokens are registered over HTTP for iOS and Android alone.
    private static func registration(
        _ way: String,
        _ values: ProviderParameters,
        _ push: SmarticoPush?
    ) throws(UsageError) -> EngagementCall {
        guard ["post", "get"].contains(way) else {
            throw UsageError("smartico's register is post or get, not \u{201C}\(Style.printable(way))\u{201D}")
        }
        guard let token = values["token"] else {
            throw UsageError("--set register=\(way) registers a token; say --set token=…")
        }
        let isApp = ["6", "7"].contains(values["platform"]) || values["platform"] == nil && values.isOfPhone
        guard isApp else {
            throw UsageError("--set register=\(way) is for apps; say --set platform=6 for iOS or 7 for Android")
        }
        return .register(token: token, push?.platform ?? .other, isGet: way == "get")
    }

    private static func reports(_ values: ProviderParameters) throws(UsageError) -> [EngagementCall] {
        var reports: [SmarticoPushReport] = []
        for name in values.all("report") {
            guard let report = SmarticoPushReport(rawValue: name) else {
                let known = SmarticoPushReport.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("smartico's report is one of \(known), not \u{201C}\(Style.printable(name))\u{201D}")
            }
            reports.append(report)
        }
        for name in ["engagement_uid", "message_id"] where !reports.isEmpty && values[name] == nil {
            throw UsageError("--set report=… tells of a notification; say --set \(name)=… as well")
        }
        let (uid, action) = (values["engagement_uid"] ?? "", values["action"])
        let message = try values.whole("message_id") ?? 0
        return reports.map { .report($0, engagementUID: uid, messageID: message, action: action) }
    }
}
