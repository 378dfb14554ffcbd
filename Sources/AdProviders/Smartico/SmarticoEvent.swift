public import AdCore

/// What the host may want of a session.
public enum SmarticoCommand: Hashable, Sendable {
    /// Connect, without anybody logged in.
    case connect
    /// Somebody has logged in; connects where that is not so yet.
    case logIn(SmarticoUser)
    /// Nobody is logged in any more: the socket is opened anew.
    case logOut
    /// The push token, or whether the user takes push notifications, has changed.
    case push(SmarticoPush)
    /// The user has chosen another language, as in `EN`.
    case language(String)
    /// Open the gamification widget, at a deep link or at its beginning.
    case openGamification(deepLink: String?)
    /// A logical session begins, whatever the session's own rule says.
    case beginLogicalSession
    /// End everything.
    case end
}

/// What a host hears of a session, besides ads.
public enum SmarticoEvent: Hashable, Sendable {
    /// The server knows the app.
    case initialized(SmarticoSettings)
    /// The server knows the user.
    case identified(SmarticoProfile)
    /// The server refused something: the app and the user are tried again by themselves, later each time, a push token
    /// with the next introduction or when the host gives it again.
    case refused(SmarticoStep, SmarticoVerdict)
    /// The connection is gone; the session connects again after a pause, or, where that is nil, when there is a network.
    case disconnected(SocketEnd, retryIn: Duration?)
    /// The server has taken the push token.
    case pushTaken
    /// A page wants the host to do something, as in `dp:cashier`.
    case deepLink(String)
    /// The user's public properties have changed, as the page tells them.
    case publicProperties(AdJSON)
    /// The user wants to play a game of the host's.
    case gameOpening(SmarticoGame)
    /// The widget can't be opened, and why.
    case gamificationUnavailable(String)
}

/// What the server may refuse.
public enum SmarticoStep: String, Hashable, Sendable {
    /// The app.
    case initialize
    /// The user.
    case identify
    /// The push token.
    case push
}

/// A game that the user wants to play, as a page tells of it.
public struct SmarticoGame: Hashable, Sendable {
    /// The game's id on Smartico's side; nil where the page gives none.
    public let smarticoID: String?
    /// The game's id on the side of whoever provides it; nil where the page gives none.
    public let providerID: String?
    /// Where the user was: in a mission or a tournament; nil where the page does not say.
    public let context: String?
    /// What else is known of it, as it came.
    public let meta: AdJSON

    init(_ json: AdJSON) {
        var fields = LenientFields(json)
        self.smarticoID = fields.identifier("ach_game_id")
        self.providerID = fields.identifier("ext_game_id")
        self.context = fields.text("context")
        self.meta = json["game_public_meta"] ?? .null
    }
}
