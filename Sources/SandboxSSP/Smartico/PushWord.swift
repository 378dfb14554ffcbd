import AdCore

/// What a user's id may contain, to be sent something as soon as the user is identified.
enum PushWord: String, CaseIterable, Sendable {
    case popup
    case game
    case twice

    /// What is sent, in a line for the index page.
    var about: String {
        switch self {
        case .popup: "one popup (110)"
        case .game: "one mini-game (707)"
        case .twice: "one popup, sent twice under the same engagement_uid"
        }
    }

    /// How many popups the fault `flood` sends.
    static let floodCount = 500

    /// What a user's id asks for; `twice` is about the popup.
    static func acts(asked user: String, _ state: inout SandboxState) -> [SocketAct] {
        let words = Set(self.allCases.filter { user.containsWord($0.rawValue) })
        var acts: [SocketAct] = []
        if words.contains(.popup) || words.contains(.twice) {
            let popup = state.engagement(for: user)
            acts += words.contains(.twice) ? [popup, popup] : [popup]
        }
        if words.contains(.game) { acts.append(state.game()) }
        return acts
    }
}

/// A little popup of an advertiser that nobody knows.
struct PopupTemplate: Hashable, Sendable {
    let title: String
    let text: String
    let button: String
    /// Where the button leads.
    let link: String

    static let pool = [
        PopupTemplate(
            title: "Your fern has grown a leaf",
            text: "Frondolo counted twice. Come and see which level that makes.",
            button: "Show my levels",
            link: "dp:gf_levels"
        ),
        PopupTemplate(
            title: "A berth is free tonight",
            text: "Nattela keeps a pillow for you and asks for forty points.",
            button: "Open the store",
            link: "dp:gf_store"
        ),
        PopupTemplate(
            title: "Soup for eleven missions",
            text: "Zuppidoo has put the kettle on. One mission is still to stir.",
            button: "See the missions",
            link: "dp:gf_missions"
        ),
        PopupTemplate(
            title: "Three socks, one left over",
            text: "Sokketri would like to know at the till what you make of it.",
            button: "Go to the till",
            link: "dp:cashier"
        ),
    ]

    /// The popup: two buttons with deep links, the second of which does nothing.
    var html: String {
        """
        <style>body{margin:0;font:16px/1.4 sans-serif;text-align:center;color:#1d2b22;background:#f4f8f1}\
        button{font:inherit;margin:6px;padding:10px 18px;border:0;border-radius:20px;background:#2f6b45;color:#fff}\
        button+button{background:#dfe9da;color:#1d2b22}</style>\
        <h1>\(self.title)</h1><p>\(self.text)</p>\
        <button data-dp="\(self.link)">\(self.button)</button><button data-dp="dp:ok">Fine</button>
        """
    }
}
