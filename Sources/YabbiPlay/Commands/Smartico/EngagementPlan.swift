import AdCore
import AdProviders
import PlayConsole
import SandboxSSP

/// The configuration of a session with Smartico: the options and the server.
struct EngagementPlan: Sendable {
    let app: SmarticoApp
    let options: EngagementOptions
    private let server: any PushServer

    var user: SmarticoUser { self.options.user }

    init(_ options: EngagementOptions, _ context: RunContext) throws(PlayError) {
        guard let server = context.origin.pushServer else {
            throw PlayError(.usage, "the server does not push; use --endpoint wss://…")
        }
        self.options = options
        self.server = server
        self.app = SmarticoApp(
            labelKey: options.labelKey,
            brandKey: options.brandKey,
            id: options.domain,
            version: options.version ?? CommandVersion.number,
            deviceID: options.deviceID ?? "yabbi-play",
            agent: options.agent,
            page: options.page,
            socket: server.socket,
            services: options.services ?? server.services ?? SmarticoApp.services(environment: 2)
        )
    }

    /// Starts a session by logging the user in.
    func start(_ client: EngagementClient) {
        if let language = self.options.languages.first { client.send(.language(language)) }
        if let token = self.options.token { client.send(.push(token)) }
        client.send(.logIn(self.user))
    }

    /// Performs the push of `--set push`, after the user is identified.
    func requestPush(_ client: EngagementClient) {
        switch self.options.push {
        case .popup: self.server.push(.popup, to: self.user.id)
        case .game: self.server.push(.game, to: self.user.id)
        case .widget: client.send(.openGamification(deepLink: self.options.deepLink))
        case .none: break
        }
    }
}
