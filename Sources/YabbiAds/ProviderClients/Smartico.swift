public import AdCore
public import AdProviders
public import AdRuntime

/// Smartico in its own words: popups, mini-games and the gamification widget, as the server pushes them.
///
/// It owns its connection and its pages, which end with it.
///
/// ```swift
/// let smartico = Smartico(game, services: services)
/// smartico.logIn(userID: "u-7")
/// for await ad in smartico.ads { try? await ad.show(on: presenter) }
/// ```
public final class Smartico: Sendable {
    private let app: SmarticoApp
    private let services: AdServices
    let session: EngagementSession<SmarticoSession>

    /// A session of an app; nothing is connected until somebody logs in, or `connect` is called.
    ///
    /// - Parameters:
    ///   - app: The app, and where the servers are.
    ///   - rules: What is allowed, and how long things last.
    ///   - services: What ads share.
    ///   - sockets: Opens the connections; without one the services' own transport does, if it can.
    public init(
        _ app: SmarticoApp,
        rules: SmarticoSession.Rules = SmarticoSession.Rules(),
        services: AdServices,
        sockets: (any SocketTransport)? = nil
    ) {
        self.app = app
        self.services = services
        self.session = EngagementSession(
            SmarticoSession(app, rules: rules),
            services: services,
            sockets: sockets ?? services.transport as? any SocketTransport ?? NoSockets(),
            minutesBehindUTC: LocalTime.minutesBehindUTC
        )
    }

    /// Popups, games and the widget, each once and loaded, to whoever asks first.
    ///
    /// What is not shown in time expires. A popup and the widget may be shown at the same time, each on a stage of its own.
    public var ads: AsyncStream<Ad> { self.session.ads }

    /// What happens besides; each call gives a stream of its own.
    public var news: AsyncStream<SmarticoEvent> { self.session.news }

    /// Connects without a user.
    public func connect() { self.session.send(.connect) }

    /// Somebody has logged in.
    public func logIn(userID: String, hash: String? = nil) {
        self.session.send(.logIn(SmarticoUser(id: userID, hash: hash)))
    }

    /// Nobody is logged in any more: what is shown goes, and the socket is opened anew.
    public func logOut() { self.session.send(.logOut) }

    /// The user has chosen another language, as in `EN`.
    public func changeLanguage(_ language: String) { self.session.send(.language(language)) }

    /// The push token, or whether the user takes push notifications, has changed.
    public func changePush(_ push: SmarticoPush) { self.session.send(.push(push)) }

    /// Opens the gamification widget: it comes as an ad.
    public func openGamification(deepLink: String? = nil) {
        self.session.send(.openGamification(deepLink: deepLink))
    }

    /// Says that a logical session begins, where the app knows better than half an hour of inactivity.
    public func beginLogicalSession() { self.session.send(.beginLogicalSession) }

    /// Ends everything, also what is on screen; a new session needs a new `Smartico`.
    public func end() { self.session.end() }

    /// Registers a push token without a connection.
    ///
    /// It is written down before this returns, and told until the server has taken it.
    public func registerPushToken(
        _ token: String,
        platform: SmarticoPush.Platform,
        userID: String,
        by registration: SmarticoApp.Registration = .post
    ) async throws(AdError) {
        await self.tell(
            try self.app.register(
                token: token,
                platform,
                for: userID,
                by: registration,
                at: self.services.clock.wallTime,
                uuid: self.uuid()
            )
        )
    }

    /// Tells what became of a push notification: each of it once, however often this is called.
    ///
    /// It is written down before this returns.
    public func report(_ report: SmarticoPushReport, of message: SmarticoPushMessage) async throws(AdError) {
        await self.tell(
            try self.app.report(report, of: message, at: self.services.clock.wallTime, uuid: self.uuid())
        )
    }

    private func uuid() -> String {
        var random = SplitMix(seed: self.services.random())
        return RandomUUID.text(&random)
    }

    private func tell(_ template: BeaconTemplate) async {
        await self.services.tell(template, of: SmarticoSession.provider)
    }
}

/// Sockets of a transport that has none: it says so.
struct NoSockets: SocketTransport {
    private struct Nothing: SocketConnection {
        func send(_ text: String) {}
        func close() {}
    }

    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let text = "the transport of these services opens no sockets; give Smartico one that does"
        Task { report(.closed(SocketEnd(.notOpened(), text))) }
        return Nothing()
    }
}
