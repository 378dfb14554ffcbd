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
        self.services = try values.url(SmarticoValue.services)
        self.calls = try EngagementCall.all(values, token: self.token)
        self.push = try Self.push(options)
        self.deepLink = values[SmarticoValue.deepLink]
        if self.deepLink != nil, self.push != .widget {
            throw UsageError("--set deepLink=… requires --set push=widget")
        }
        self.labelKey = try options.value(SmarticoValue.labelKey, builtIn: Sandbox.TestKeys.smarticoLabelKey)
        let isTesting = options.isBuiltIn && self.labelKey == Sandbox.TestKeys.smarticoLabelKey
        self.brandKey = values[SmarticoValue.brandKey] ?? (isTesting ? Sandbox.TestKeys.smarticoBrandKey : nil)
        let userID = try options.value(SmarticoValue.userID, builtIn: Sandbox.TestKeys.smarticoUserID)
        self.user = SmarticoUser(id: userID, hash: values[SmarticoValue.hash])
        if values[SmarticoValue.domain] != nil {
            try arguments.refuse([AppOptions.bundle], "can't be combined with --set domain=…; remove one of them")
        }
        let bundle = try arguments.value(AppOptions.bundle)
        self.domain = values[SmarticoValue.domain] ?? bundle
        self.version = values[SmarticoValue.version]
        self.deviceID = values[SmarticoValue.deviceID]
        self.page = values[SmarticoValue.page]
        self.languages = values.all(SmarticoValue.language)
        self.secrets = values.secrets
    }

    private static func push(_ options: ProviderOptions) throws(UsageError) -> Push {
        guard let name = options.parameters[SmarticoValue.push] else { return options.isBuiltIn ? .popup : .none }
        guard let push = Push(rawValue: name) else {
            let known = Push.allCases.map(\.rawValue)
            let hint = OptionValue.hint(for: name, among: known)
            throw OptionValue.invalid(
                Style.printable(name),
                for: "--set push",
                expected: "one of \(known.joined(separator: ", "))\(hint)"
            )
        }
        if !options.isBuiltIn, push == .popup || push == .game {
            throw UsageError("--set push=\(push.rawValue) is for the built-in server; remove it, or --endpoint")
        }
        return push
    }
}

extension ProviderParameters {
    /// Throws for names with an empty value.
    fileprivate func refuseEmpty(of provider: ProviderChoice) throws(UsageError) {
        for value in provider.values where self[value]?.isEmpty ?? false {
            throw UsageError("the value of --set \(value.name)= is empty; give a value, or remove the option")
        }
    }

    /// Throws for values whose effect comes after the first message of a session.
    func refuseUnsent() throws(UsageError) {
        for value in SmarticoValue.afterStart where self[value] != nil {
            throw UsageError("--dry-run sends nothing; remove --set \(value.name)=…")
        }
    }

    /// An integer; nil if it was not given.
    fileprivate func integer(_ value: ProviderValue) throws(UsageError) -> Int64? {
        guard let text = self[value] else { return nil }
        guard let number = Int64(text) else {
            throw OptionValue.invalid(Style.printable(text), for: "--set \(value.name)", expected: "an integer")
        }
        return number
    }

    /// One of the protocol's numbers; nil if it was not given.
    fileprivate func number(_ value: ProviderValue, among known: [Int]) throws(UsageError) -> Int? {
        guard let text = self[value] else { return nil }
        guard let number = Int(text), known.contains(number) else {
            let range = "\(known.first ?? 0) to \(known.last ?? 0)"
            throw OptionValue.invalid(
                Style.printable(text),
                for: "--set \(value.name)",
                expected: "an integer from \(range)"
            )
        }
        return number
    }

    fileprivate func url(_ value: ProviderValue) throws(UsageError) -> HTTPURL? {
        guard let text = self[value] else { return nil }
        guard let url = HTTPURL(text) else {
            let shown = Redaction.address(text)
            throw OptionValue.invalid(shown, for: "--set \(value.name)", expected: "an http or https URL")
        }
        return url
    }

    /// Whether the operating system is iOS or Android.
    fileprivate var isMobile: Bool { ["ios", "android"].contains(self[SmarticoValue.os].lowercased()) }
}

extension SmarticoPush {
    /// The push token and status, by the protocol's numbers; nil if none of them was given.
    fileprivate init?(_ values: ProviderParameters) throws(UsageError) {
        let platform = try values.number(SmarticoValue.platform, among: SmarticoPush.Platform.allCases.map(\.rawValue))
        let statuses = SmarticoPush.Status.allCases.map(\.rawValue)
        let status = try values.number(SmarticoValue.pushStatus, among: statuses)
        guard values[SmarticoValue.token] != nil || status != nil || platform != nil else { return nil }
        let platformOfOS: SmarticoPush.Platform =
            switch values[SmarticoValue.os].lowercased() {
            case "ios": .iOS
            case "android": .android
            default: .other
            }
        self.init(
            token: values[SmarticoValue.token],
            status: status.flatMap(SmarticoPush.Status.init) ?? .allowed,
            platform: platform.flatMap(SmarticoPush.Platform.init) ?? platformOfOS
        )
    }
}

extension SmarticoAgent {
    /// The device, by the members of the protocol's `ua`.
    fileprivate init(_ values: ProviderParameters) throws(UsageError) {
        self.init(
            fingerprint: try values.integer(SmarticoValue.fingerprint),
            userAgent: values[SmarticoValue.agent] ?? CommandVersion.userAgent,
            host: values[SmarticoValue.host],
            deviceType: values[SmarticoValue.deviceType],
            browser: values[SmarticoValue.browser],
            os: values[SmarticoValue.os]
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
        if let method = values[SmarticoValue.register] { calls.append(try self.registration(method, values, token)) }
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
        guard let token = values[SmarticoValue.token] else {
            throw UsageError("--set register=\(method) requires --set token=…")
        }
        let isApp =
            ["6", "7"].contains(values[SmarticoValue.platform])
            || values[SmarticoValue.platform] == nil && values.isMobile
        guard isApp else {
            throw UsageError("--set register=\(method) requires --set platform=6 (iOS) or --set platform=7 (Android)")
        }
        return .register(token: token, push?.platform ?? .other, isGet: method == "get")
    }

    private static func reports(_ values: ProviderParameters) throws(UsageError) -> [EngagementCall] {
        var reports: [SmarticoPushReport] = []
        for name in values.all(SmarticoValue.report) {
            guard let report = SmarticoPushReport(rawValue: name) else {
                let known = SmarticoPushReport.allCases.map(\.rawValue).joined(separator: ", ")
                throw OptionValue.invalid(Style.printable(name), for: "--set report", expected: "one of \(known)")
            }
            reports.append(report)
        }
        let required = [SmarticoValue.engagementUID, SmarticoValue.messageID]
        for value in required + [SmarticoValue.action] where reports.isEmpty && values[value] != nil {
            throw UsageError("--set \(value.name)=… requires --set report=…")
        }
        for value in required where !reports.isEmpty && values[value] == nil {
            throw UsageError("--set report=… requires --set \(value.name)=…")
        }
        let (uid, action) = (values[SmarticoValue.engagementUID] ?? "", values[SmarticoValue.action])
        let message = try values.integer(SmarticoValue.messageID) ?? 0
        return reports.map { .report($0, engagementUID: uid, messageID: message, action: action) }
    }
}
