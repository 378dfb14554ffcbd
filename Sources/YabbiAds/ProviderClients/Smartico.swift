public import AdCore
public import AdProviders
public import AdRuntime

/// The client of Smartico: popups, mini-games and the gamification widget, which the server pushes.
///
/// Its connection and its ads end with it.
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

    /// Creates a session of an app; it connects at `logIn` or `connect`.
    ///
    /// - Parameters:
    ///   - app: The app, and where the servers are.
    ///   - rules: Limits and timeouts.
    ///   - services: The services that its ads use.
    ///   - sockets: Opens the connections; by default the services' transport, if it can.
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

    /// Popups, games and the widget, each once, loaded and ready to show.
    ///
    /// An ad that is not shown in time expires. A popup and the widget may be on screen at the same time. If there are
    /// several streams, each ad goes to one of them.
    public var ads: AsyncStream<Ad> { self.session.ads }

    /// The other events of the session; each access starts a new stream.
    public var events: AsyncStream<SmarticoEvent> { self.session.events }

    /// Connects without a user.
    public func connect() { self.session.send(.connect) }

    /// Identifies the user, who has logged in.
    public func logIn(userID: String, hash: String? = nil) {
        self.session.send(.logIn(SmarticoUser(id: userID, hash: hash)))
    }

    /// Ends the user's session: its ads are closed, and the socket is opened again.
    public func logOut() { self.session.send(.logOut) }

    /// Sets the user's language, such as `EN`.
    public func changeLanguage(_ language: String) { self.session.send(.language(language)) }

    /// Sets the push token and whether the user accepts push notifications.
    public func changePush(_ push: SmarticoPush) { self.session.send(.push(push)) }

    /// Opens the gamification widget, which arrives in `ads`.
    public func openGamification(deepLink: String? = nil) {
        self.session.send(.openGamification(deepLink: deepLink))
    }

    /// Starts a new logical session; by default one starts after half an hour of inactivity.
    public func startLogicalSession() { self.session.send(.startLogicalSession) }

    /// Ends the session and its ads; a new session needs a new `Smartico`.
    public func end() { self.session.end() }

    /// Registers a push token without a connection.
    ///
    /// It is recorded as a beacon when this returns, and sent until the server has accepted it.
    public func registerPushToken(
        _ token: String,
        platform: SmarticoPush.Platform,
        userID: String,
        by registration: SmarticoApp.Registration = .post
    ) async throws(AdError) {
        await self.record(
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

    /// Reports what happened to a push notification: each report once, however often this is called.
    ///
    /// It is recorded as a beacon when this returns.
    public func report(_ report: SmarticoPushReport, of message: SmarticoPushMessage) async throws(AdError) {
        await self.record(
            try self.app.report(report, of: message, at: self.services.clock.wallTime, uuid: self.uuid())
        )
    }

    private func uuid() -> String {
        var random = SplitMix(seed: self.services.random())
        return RandomUUID.text(&random)
    }

    private func record(_ template: BeaconTemplate) async {
        await self.services.record(template, of: SmarticoSession.provider)
    }
}

/// Reports for every socket that the transport has none.
struct NoSockets: SocketTransport {
    private struct Nothing: SocketConnection {
        func send(_ text: String) {}
        func close() {}
    }

    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let text = "the transport of these services can't open sockets; pass Smartico a SocketTransport"
        Task { report(.closed(SocketEnd(.notOpened(), text))) }
        return Nothing()
    }
}
