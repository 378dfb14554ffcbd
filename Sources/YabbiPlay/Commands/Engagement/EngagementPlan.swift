import AdCore
import SandboxSSP
import YabbiAds

/// What the command line says of a session with Smartico: the app, the user, and what is to come.
struct EngagementPlan: Sendable {
    /// What is to come as soon as the user is known.
    enum Wish: String, CaseIterable, Sendable {
        /// The built-in server pushes a popup.
        case popup
        /// The built-in server pushes a mini-game.
        case game
        /// The app opens the widget.
        case widget
        /// Whatever comes by itself.
        case none
    }

    let app: SmarticoApp
    let user: SmarticoUser
    /// The languages that were given; the first is sent at the beginning.
    let languages: [String]
    /// The push token and status that are sent; nil where none are.
    let push: SmarticoPush?
    let wish: Wish
    let deepLink: String?

    /// Refuses what can't be meant, before anything is asked.
    static func check(_ settings: Settings) throws(UsageError) {
        for (name, _) in Parameters.known[.smartico, default: []] where settings.parameters[name]?.isEmpty ?? false {
            throw UsageError("--set \(name)= says nothing; give it a value, or leave it out")
        }
        _ = try self.number("platform", settings, among: SmarticoPush.Platform.allCases.map(\.rawValue))
        _ = try self.number(self.pushStatus, settings, among: SmarticoPush.Status.allCases.map(\.rawValue))
        if let text = settings.parameters["fp"], Int64(text) == nil {
            throw UsageError("--set fp=… takes a whole number, not \u{201C}\(Style.printable(text))\u{201D}")
        }
        if let text = settings.parameters["services"], HTTPURL(text) == nil {
            let shown = Redaction.address(text)
            throw UsageError("--set services=… takes an http or https address, not \u{201C}\(shown)\u{201D}")
        }
        try EngagementCalls.check(settings.parameters)
        let wish = try self.wish(settings)
        let isServed = settings.socket == nil
        if !isServed, wish == .popup || wish == .game {
            throw UsageError("a server of its own pushes what it likes; leave out --set push=\(wish.rawValue)")
        }
        if settings.parameters["deepLink"] != nil, wish != .widget {
            throw UsageError("--set deepLink=… is for the widget; say --set push=widget as well")
        }
    }

    private static let pushStatus = "pushNotificationUserStatus"

    /// The whole number of a name, one of those that the protocol has; nil where it was not given.
    private static func number(
        _ name: String,
        _ settings: Settings,
        among known: [Int]
    ) throws(UsageError) -> Int? {
        guard let text = settings.parameters[name] else { return nil }
        guard let number = Int(text), known.contains(number) else {
            let range = "\(known.first ?? 0) to \(known.last ?? 0)"
            throw UsageError(
                "--set \(name)=… takes a number from \(range), not \u{201C}\(Style.printable(text))\u{201D}"
            )
        }
        return number
    }

    /// The push token and status, by the document's numbers; nil where the command line names none.
    private static func push(_ settings: Settings) throws(UsageError) -> SmarticoPush? {
        let values = settings.parameters
        let status = try self.number(self.pushStatus, settings, among: SmarticoPush.Status.allCases.map(\.rawValue))
        let platform = try self.number("platform", settings, among: SmarticoPush.Platform.allCases.map(\.rawValue))
        guard values["token"] != nil || status != nil || platform != nil else { return nil }
        let own: SmarticoPush.Platform =
            switch values["os"]?.lowercased() {
            case "ios": .iOS
            case "android": .android
            default: .other
            }
        return SmarticoPush(
            token: values["token"],
            status: status.flatMap(SmarticoPush.Status.init) ?? .allowed,
            platform: platform.flatMap(SmarticoPush.Platform.init) ?? own
        )
    }

    private static func wish(_ settings: Settings) throws(UsageError) -> Wish {
        guard let name = settings.parameters["push"] else { return settings.socket == nil ? .popup : .none }
        guard let wish = Wish(rawValue: name) else {
            let known = Wish.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            throw UsageError(
                "smartico's push is one of \(known.joined(separator: ", ")), not \u{201C}\(Style.printable(name))\u{201D}\(hint)"
            )
        }
        return wish
    }

    /// What the command line says, completed by what the built-in server knows where that is asked.
    init(_ play: Play) throws(PlayError) {
        let settings = play.settings
        do throws(UsageError) {
            self.wish = try EngagementPlan.wish(settings)
            self.push = try EngagementPlan.push(settings)
        } catch {
            throw PlayError(.usage, error.message)
        }
        let label = try play.parameter("label_key", else: Sandbox.TestKeys.smarticoLabelKey)
        let isOwn = label == Sandbox.TestKeys.smarticoLabelKey && play.sandbox != nil
        self.app = SmarticoApp(
            labelKey: label,
            brandKey: settings.parameters["brand_key"] ?? (isOwn ? Sandbox.TestKeys.smarticoBrandKey : nil),
            id: settings.parameters["domain"] ?? settings.bundle,
            version: settings.parameters["version"] ?? Help.version,
            deviceID: settings.parameters["device_id"] ?? "yabbi-play",
            agent: EngagementPlan.agent(settings.parameters),
            page: settings.parameters["page"],
            socket: EngagementPlan.socket(play),
            services: EngagementPlan.services(play)
        )
        self.user = SmarticoUser(
            id: try play.parameter("ext_user_id", else: Sandbox.TestKeys.smarticoUserID),
            hash: settings.parameters["hash"]
        )
        self.languages = settings.parameters.all("language")
        self.deepLink = settings.parameters["deepLink"]
    }

    /// The device, by the members of the protocol's `ua`.
    private static func agent(_ values: Parameters) -> SmarticoAgent {
        SmarticoAgent(
            fingerprint: values["fp"].flatMap { Int64($0) },
            userAgent: values["agent"] ?? Play.userAgent,
            host: values["host"],
            deviceType: values["device_type"] ?? SmarticoAgent.phone,
            browser: values["browser"],
            os: values["os"] ?? "Linux"
        )
    }

    /// Where calls without a socket go.
    private static func services(_ play: Play) -> HTTPURL {
        let chosen = play.settings.parameters["services"].flatMap { HTTPURL($0) }
        return chosen ?? play.sandbox?.url("/services/public") ?? SmarticoApp.services(environment: 2)
    }

    private static func socket(_ play: Play) -> SocketURL {
        if let socket = play.settings.socket { return socket }
        guard let url = play.sandbox?.url(Sandbox.socketPath) else {
            preconditionFailure("Without an endpoint a sandbox runs.")
        }
        return SocketURL(url)
    }

    /// Begins a session: whoever it is logs in, and the widget is opened where that is wished.
    func begin(_ desk: EngagementDesk) {
        if let language = self.languages.first { desk.send(.language(language)) }
        if let push { desk.send(.push(push)) }
        desk.send(.logIn(self.user))
    }

    /// Lets come what is wished; the user is known by now.
    func fulfil(_ desk: EngagementDesk, _ sandbox: Sandbox?) {
        switch self.wish {
        case .popup: sandbox?.push(.popup, to: self.user.id)
        case .game: sandbox?.push(.game, to: self.user.id)
        case .widget: desk.send(.openGamification(deepLink: self.deepLink))
        case .none: break
        }
    }
}
