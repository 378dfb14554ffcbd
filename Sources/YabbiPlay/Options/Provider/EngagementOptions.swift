import AdCore
import AdProviders
import PlayConsole
import SandboxSSP

/// The options of a session with Smartico.
struct EngagementOptions: Sendable {
    /// What happens after the user is identified.
    enum Push: String, CaseIterable, Sendable {
        /// The built-in server pushes a popup.
        case popup
        /// The built-in server pushes a mini-game.
        case game
        /// The app opens the widget.
        case widget
        /// Nothing is requested; the server may push.
        case none
    }

    static let needsRealTime = "smartico needs real time, because its server pings and pushes; remove --clock virtual"

    let server: ServerChoice<SocketURL>
    let labelKey: String
    let brandKey: String?
    let user: SmarticoUser
    /// The app's id in the socket's URL.
    let domain: String
    let version: String?
    let deviceID: String?
    let agent: SmarticoAgent
    let page: String?
    /// The URL of calls over HTTP; nil for the server's default.
    let services: HTTPURL?
    /// The languages.
    ///
    /// The first is sent at the start.
    let languages: [String]
    /// The push token and status; nil if none are sent.
    let token: SmarticoPush?
    let push: Push
    let deepLink: String?
    let calls: [EngagementCall]
    /// Values that are not printed.
    let secrets: [String]

    init(_ arguments: Arguments, _ options: ProviderOptions, in time: PlayTime) throws(UsageError) {
        guard !time.isVirtual else { throw UsageError(Self.needsRealTime) }
        let values = options.parameters
        self.server = try options.socketServer()
        try values.refuseEmpty(of: .smartico)
        self.token = try SmarticoPush(values)
        self.agent = try SmarticoAgent(values)
        self.services = try values.url("services")
        self.calls = try EngagementCall.all(values, token: self.token)
        let isBuiltIn = self.server.isBuiltIn
        self.push = try Self.push(values, isBuiltIn: isBuiltIn)
        self.deepLink = values["deepLink"]
        if self.deepLink != nil, self.push != .widget {
            throw UsageError("--set deepLink=… requires --set push=widget")
        }
        self.labelKey = try options.value(
            "label_key",
            builtIn: isBuiltIn ? Sandbox.TestKeys.smarticoLabelKey : nil
        )
        let isTesting = isBuiltIn && self.labelKey == Sandbox.TestKeys.smarticoLabelKey
        self.brandKey = values["brand_key"] ?? (isTesting ? Sandbox.TestKeys.smarticoBrandKey : nil)
        let userID = try options.value("ext_user_id", builtIn: isBuiltIn ? Sandbox.TestKeys.smarticoUserID : nil)
        self.user = SmarticoUser(id: userID, hash: values["hash"])
        if values["domain"] != nil {
            try arguments.refuse([AppOptions.bundle], "can't be combined with --set domain=…; remove one of them")
        }
        let bundle = try AppOptions.bundle(arguments)
        self.domain = values["domain"] ?? bundle
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
            throw OptionValue.invalid(
                Style.printable(name),
                for: "--set push",
                expected: "one of \(known.joined(separator: ", "))\(hint)"
            )
        }
        if !isBuiltIn, push == .popup || push == .game {
            throw UsageError("--set push=\(push.rawValue) is for the built-in server; remove it, or --endpoint")
        }
        return push
    }
}

extension ProviderParameters {
    /// Throws for names with an empty value.
    fileprivate func refuseEmpty(of provider: ProviderChoice) throws(UsageError) {
        for (name, _) in ProviderParameters.known[provider, default: []] where self[name]?.isEmpty ?? false {
            throw UsageError("the value of --set \(name)= is empty; give a value, or remove the option")
        }
    }

    /// Throws for values whose effect comes after the first message of a session.
    func refuseUnsent() throws(UsageError) {
        for name in ["push", "deepLink", "register", "report"] where self[name] != nil {
            throw UsageError("--dry-run sends nothing; remove --set \(name)=…")
        }
    }

    /// An integer; nil if it was not given.
    fileprivate func integer(_ name: String) throws(UsageError) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else {
            throw OptionValue.invalid(Style.printable(text), for: "--set \(name)", expected: "an integer")
        }
        return number
    }

    /// One of the protocol's numbers; nil if it was not given.
    fileprivate func number(_ name: String, among known: [Int]) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), known.contains(number) else {
            let range = "\(known.first ?? 0) to \(known.last ?? 0)"
            throw OptionValue.invalid(
                Style.printable(text),
                for: "--set \(name)",
                expected: "an integer from \(range)"
            )
        }
        return number
    }

    fileprivate func url(_ name: String) throws(UsageError) -> HTTPURL? {
        guard let text = self[name] else { return nil }
        guard let url = HTTPURL(text) else {
            let shown = Redaction.address(text)
            throw OptionValue.invalid(shown, for: "--set \(name)", expected: "an http or https URL")
        }
        return url
    }

    /// Whether the operating system is iOS or Android.
    fileprivate var isMobile: Bool { ["ios", "android"].contains(self["os"]?.lowercased()) }
}

extension SmarticoPush {
    /// The push token and status, by the protocol's numbers; nil if none of them was given.
    fileprivate init?(_ values: ProviderParameters) throws(UsageError) {
        let platform = try values.number("platform", among: SmarticoPush.Platform.allCases.map(\.rawValue))
        let statuses = SmarticoPush.Status.allCases.map(\.rawValue)
        let status = try values.number("pushNotificationUserStatus", among: statuses)
        guard values["token"] != nil || status != nil || platform != nil else { return nil }
        let platformOfOS: SmarticoPush.Platform =
            switch values["os"]?.lowercased() {
            case "ios": .iOS
            case "android": .android
            default: .other
            }
        self.init(
            token: values["token"],
            status: status.flatMap(SmarticoPush.Status.init) ?? .allowed,
            platform: platform.flatMap(SmarticoPush.Platform.init) ?? platformOfOS
        )
    }
}

extension SmarticoAgent {
    /// The device, by the members of the protocol's `ua`.
    fileprivate init(_ values: ProviderParameters) throws(UsageError) {
        self.init(
            fingerprint: try values.integer("fp"),
            userAgent: values["agent"] ?? CommandVersion.userAgent,
            host: values["host"],
            deviceType: values["device_type"] ?? SmarticoAgent.phone,
            browser: values["browser"],
            os: values["os"] ?? "Linux"
        )
    }
}

/// A call to Smartico over HTTP.
enum EngagementCall: Sendable {
    /// Registers a push token (source "Registering tokens for push notifications over API").
    case register(token: String, SmarticoPush.Platform, isGet: Bool)
    /// Reports the outcome of a push notification.
    case report(SmarticoPushReport, engagementUID: String, messageID: Int64, action: String?)

    /// The calls of `--set register=…` and `--set report=…`.
    static func all(_ values: ProviderParameters, token: SmarticoPush?) throws(UsageError) -> [EngagementCall] {
        var calls: [EngagementCall] = []
        if let method = values["register"] { calls.append(try self.registration(method, values, token)) }
        return calls + (try self.reports(values))
    }

    /// Over HTTP, tokens can be registered only for iOS and Android.
    private static func registration(
        _ method: String,
        _ values: ProviderParameters,
        _ push: SmarticoPush?
    ) throws(UsageError) -> EngagementCall {
        guard ["post", "get"].contains(method) else {
            throw OptionValue.invalid(Style.printable(method), for: "--set register", expected: "post or get")
        }
        guard let token = values["token"] else {
            throw UsageError("--set register=\(method) requires --set token=…")
        }
        let isApp = ["6", "7"].contains(values["platform"]) || values["platform"] == nil && values.isMobile
        guard isApp else {
            throw UsageError("--set register=\(method) requires --set platform=6 (iOS) or --set platform=7 (Android)")
        }
        return .register(token: token, push?.platform ?? .other, isGet: method == "get")
    }

    private static func reports(_ values: ProviderParameters) throws(UsageError) -> [EngagementCall] {
        var reports: [SmarticoPushReport] = []
        for name in values.all("report") {
            guard let report = SmarticoPushReport(rawValue: name) else {
                let known = SmarticoPushReport.allCases.map(\.rawValue).joined(separator: ", ")
                throw OptionValue.invalid(Style.printable(name), for: "--set report", expected: "one of \(known)")
            }
            reports.append(report)
        }
        for name in ["engagement_uid", "message_id", "action"] where reports.isEmpty && values[name] != nil {
            throw UsageError("--set \(name)=… requires --set report=…")
        }
        for name in ["engagement_uid", "message_id"] where !reports.isEmpty && values[name] == nil {
            throw UsageError("--set report=… requires --set \(name)=…")
        }
        let (uid, action) = (values["engagement_uid"] ?? "", values["action"])
        let message = try values.integer("message_id") ?? 0
        return reports.map { .report($0, engagementUID: uid, messageID: message, action: action) }
    }
}
