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
    let language: String?
    let wish: Wish
    let deepLink: String?

    /// Refuses what can't be meant, before anything is asked.
    static func check(_ settings: Settings) throws(UsageError) {
        for (name, _) in Parameters.known[.smartico, default: []] where settings.parameters[name]?.isEmpty ?? false {
            throw UsageError("--set \(name)= says nothing; give it a value, or leave it out")
        }
        let wish = try self.wish(settings)
        let isServed = settings.socket == nil
        if !isServed, wish == .popup || wish == .game {
            throw UsageError("a server of its own pushes what it likes; leave out --set push=\(wish.rawValue)")
        }
        if settings.parameters["deepLink"] != nil, wish != .widget {
            throw UsageError("--set deepLink=… is for the widget; say --set push=widget as well")
        }
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
            agent: SmarticoAgent(userAgent: Play.userAgent, os: "Linux"),
            socket: EngagementPlan.socket(play)
        )
        self.user = SmarticoUser(id: try play.parameter("ext_user_id", else: Sandbox.TestKeys.smarticoUserID))
        self.language = settings.parameters["language"]
        self.deepLink = settings.parameters["deepLink"]
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
        if let language { desk.send(.language(language)) }
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
