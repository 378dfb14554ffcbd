import AdCore
import LoopbackServer

/// Parts of a user's id that make the server push engagements as soon as the user is identified.
enum PushScenario: String, CaseIterable, Sendable {
    case popup
    case game
    case twice

    /// The description on the index page.
    var about: String {
        switch self {
        case .popup: "one popup (110)"
        case .game: "one mini-game (707)"
        case .twice: "one popup, sent twice with the same engagement_uid"
        }
    }

    /// The number of popups of the fault `flood`.
    static let floodCount = 500

    /// The engagements for a user's id; `twice` sends the popup twice.
    static func actions(for user: String, _ state: inout SandboxState) -> [SocketAction] {
        let words = Set(self.allCases.filter { user.containsWord($0.rawValue) })
        var actions: [SocketAction] = []
        if words.contains(.popup) || words.contains(.twice) {
            let popup = state.engagement(for: user)
            actions += words.contains(.twice) ? [popup, popup] : [popup]
        }
        if words.contains(.game) { actions.append(state.game()) }
        return actions
    }
}

/// A popup of a fictional advertiser.
struct PopupTemplate: Hashable, Sendable {
    let title: String
    let text: String
    let button: String
    /// The deep link of the button.
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

    /// The popup's HTML: two buttons with deep links, the second without effect.
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
