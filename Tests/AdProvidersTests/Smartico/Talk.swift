import AdCore
import TestSupport
import Testing

@testable import AdProviders

/// A session of a test: it remembers what the session does, and says what the server says.
struct Talk {
    static let app = SmarticoApp(
        labelKey: "label-1",
        brandKey: nil,
        id: "com.example.game",
        version: "1.2.29",
        deviceID: "device-1",
        page: "app://lobby",
        socket: SocketURL("wss://live.example/websocket/services") ?? SmarticoApp.standardSocket
    )
    static let user = SmarticoUser(id: "u-7")

    var session: SmarticoSession
    var now = Moment.origin
    var offset = -180
    var random = TestRandom(seed: 1)
    private(set) var actions: [EngagementAction<SmarticoEvent>] = []

    init(_ app: SmarticoApp = Talk.app, _ change: (inout SmarticoSession.Rules) -> Void = { _ in }) {
        var rules = SmarticoSession.Rules()
        change(&rules)
        self.session = SmarticoSession(app, rules: rules)
    }

    /// The calendar's present: a whole number of seconds behind some morning.
    var time: EngagementTime {
        let wall = WallTime(milliseconds: 1_700_000_000_000) + (self.now - .origin)
        return EngagementTime(now: self.now, wall: wall, minutesBehindUTC: self.offset)
    }

    /// Takes something in; what the session does is remembered, and given.
    @discardableResult
    mutating func take(_ input: EngagementInput<SmarticoCommand>) -> [EngagementAction<SmarticoEvent>] {
        let actions = self.session.handle(input, at: self.time, random: &self.random)
        self.actions += actions
        return actions
    }

    @discardableResult
    mutating func say(_ command: SmarticoCommand) -> [EngagementAction<SmarticoEvent>] { self.take(.command(command)) }

    @discardableResult
    mutating func hear(_ text: String) -> [EngagementAction<SmarticoEvent>] { self.take(.socket(.text(text))) }

    @discardableResult
    mutating func page(_ id: Int, _ message: String) -> [EngagementAction<SmarticoEvent>] {
        self.take(.page(PageID(id), .message(message)))
    }

    mutating func wait(_ duration: Duration) { self.now = self.now + duration }

    /// Forgets what the session did so far.
    mutating func forget() { self.actions = [] }

    static let initialized =
        #"{"cid":4,"errCode":0,"errMsg":null,"ts":1,"uuid":"s-1","products":[100,0],"settings":{"FCM_SENDER_ID":"77","DYNAMIC_IMAGE_DOMAIN":"https://img.example/"}}"#
    static let identified =
        #"{"cid":6,"errCode":0,"public_username":"Fern","avatar_id":"31","props":{"points":5,"core_is_test_account":true},"native_app_gf_url":"https://live.example/gf?user=u-7","native_app_popup_url":"https://live.example/popup?user=u-7","ts":2,"uuid":"s-2"}"#

    static func popup(_ uid: String) -> String {
        #"{"cid":110,"engagement_uid":"\#(uid)","template_html":"<b>hi</b>","n":18446744073709551615,"ts":3,"uuid":"s-\#(uid)"}"#
    }

    /// Logs in, up to the point where the server knows the user.
    mutating func live() {
        self.say(.logIn(Talk.user))
        self.take(.socket(.opened))
        self.hear(Talk.initialized)
        self.hear(Talk.identified)
        self.forget()
    }

    /// What was sent, as JSON.
    var sent: [AdJSON] {
        self.actions.compactMap { action in
            guard case .send(let text) = action else { return nil }
            return try? AdJSON(parsing: text)
        }
    }

    /// The classes of what was sent.
    var classes: [Int] { self.sent.map { Int($0["cid"]?.number ?? -1) } }

    var connects: Int {
        self.actions.count { if case .connect = $0 { true } else { false } }
    }

    var offers: [(id: Int, offer: Offer)] {
        self.actions.compactMap { if case .offer(let id, let offer) = $0 { (id.number, offer) } else { nil } }
    }

    var posts: [String] { self.actions.compactMap { if case .post(_, let text) = $0 { text } else { nil } } }

    var news: [SmarticoEvent] { self.actions.compactMap { if case .news(let news) = $0 { news } else { nil } } }

    var issues: [String] { self.actions.compactMap { if case .issue(let issue) = $0 { issue.code } else { nil } } }

    /// When a timer that was set last fires; nil where it was taken back.
    func alarm(_ timer: EngagementTimer) -> Moment? {
        var moment: Moment?
        for action in self.actions {
            switch action {
            case .setTimer(timer, let at): moment = at
            case .cancelTimer(timer): moment = nil
            default: break
            }
        }
        return moment
    }
}
