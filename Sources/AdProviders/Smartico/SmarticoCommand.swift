public import AdCore

/// A command of the host to a session.
public enum SmarticoCommand: Hashable, Sendable {
    /// Connect without a user.
    case connect
    /// Log a user in; connects if necessary.
    case logIn(SmarticoUser)
    /// Log the user out; the socket is closed and opened again.
    case logOut
    /// Set the push token and whether the user allows push notifications.
    case push(SmarticoPush)
    /// Set the user's language, as in `EN`.
    case language(String)
    /// Open the gamification widget, at a deep link or at its start page.
    case openGamification(deepLink: String?)
    /// Begin a new logical session now.
    case startLogicalSession
    /// End the session.
    case end
}

/// What a session reports to the host, besides ads.
public enum SmarticoEvent: Hashable, Sendable {
    /// The server accepted the app.
    case initialized(SmarticoSettings)
    /// The server accepted the user.
    case identified(SmarticoProfile)
    /// The server refused something.
    ///
    /// The app and the user are tried again automatically, with growing delays; a push token with the next IDENTIFY, or
    /// when the host sets it again.
    case refused(SmarticoStep, SmarticoResult)
    /// The connection was closed; the session reconnects after the delay, or, when it is nil, once there is a network.
    case disconnected(SocketEnd, retryIn: Duration?)
    /// The server accepted the push token.
    case pushTokenAccepted
    /// A page opened a deep link that the host must handle, as in `dp:cashier`.
    case deepLink(String)
    /// A page reported new public properties of the user.
    case publicProperties(AdJSON)
    /// A page requests that the host opens one of its games.
    case gameOpening(SmarticoGame)
    /// The widget can't be opened, with the reason.
    case gamificationUnavailable(String)
}

/// The steps that the server may refuse.
public enum SmarticoStep: String, Hashable, Sendable {
    /// INIT: the app.
    case initialize
    /// IDENTIFY: the user.
    case identify
    /// The push token.
    case push
}

/// A game that a page requests the host to open.
public struct SmarticoGame: Hashable, Sendable {
    /// Smartico's id of the game; nil if there is none.
    public let smarticoID: String?
    /// The game provider's id of the game; nil if there is none.
    public let providerID: String?
    /// Where the user started it, as in a mission or a tournament; nil if unknown.
    public let context: String?
    /// More data about the game, unchanged.
    public let meta: AdJSON

    init(_ json: AdJSON) {
        var fields = LenientFields(json)
        self.smarticoID = fields.identifier("ach_game_id")
        self.providerID = fields.identifier("ext_game_id")
        self.context = fields.text("context")
        self.meta = json["game_public_meta"] ?? .null
    }
}
