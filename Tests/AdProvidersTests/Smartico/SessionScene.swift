import AdCore
import TestSupport
import Testing

@testable import AdProviders

/// A session under test: sends it inputs and records its actions.
struct SessionScene {
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

    init(_ app: SmarticoApp = SessionScene.app, _ change: (inout SmarticoSession.Rules) -> Void = { _ in }) {
        var rules = SmarticoSession.Rules()
        change(&rules)
        self.session = SmarticoSession(app, rules: rules)
    }

    /// The current time; the wall clock starts at a full second.
    var time: EngagementTime {
        let wall = WallTime(milliseconds: 1_700_000_000_000) + (self.now - .origin)
        return EngagementTime(now: self.now, wall: wall, minutesBehindUTC: self.offset)
    }

    /// Handles an input; the actions are recorded and returned.
    @discardableResult
    mutating func handle(_ input: EngagementInput<SmarticoCommand>) -> [EngagementAction<SmarticoEvent>] {
        let actions = self.session.handle(input, at: self.time, random: &self.random)
        self.actions += actions
        return actions
    }

    @discardableResult
    mutating func command(_ command: SmarticoCommand) -> [EngagementAction<SmarticoEvent>] {
        self.handle(.command(command))
    }

    @discardableResult
    mutating func receive(_ text: String) -> [EngagementAction<SmarticoEvent>] { self.handle(.socket(.text(text))) }

    @discardableResult
    mutating func receive(fromPage id: Int, _ message: String) -> [EngagementAction<SmarticoEvent>] {
        self.handle(.page(PageID(id), .message(message)))
    }

    mutating func advance(by duration: Duration) { self.now = self.now + duration }

    /// Removes the recorded actions.
    mutating func clearActions() { self.actions = [] }

    static let initialized =
        #"{"cid":4,"errCode":0,"errMsg":null,"ts":1,"uuid":"s-1","products":[100,0],"settings":{"FCM_SENDER_ID":"77","DYNAMIC_IMAGE_DOMAIN":"https://img.example/"}}"#
    static let identified =
        #"{"cid":6,"errCode":0,"public_username":"Fern","avatar_id":"31","props":{"points":5,"core_is_test_account":true},"native_app_gf_url":"https://live.example/gf?user=u-7","native_app_popup_url":"https://live.example/popup?user=u-7","ts":2,"uuid":"s-2"}"#

    static func popup(_ uid: String) -> String {
        #"{"cid":110,"engagement_uid":"\#(uid)","template_html":"<b>hi</b>","n":18446744073709551615,"ts":3,"uuid":"s-\#(uid)"}"#
    }

    /// Logs in, up to IDENTIFY's response.
    mutating func logIn() {
        self.command(.logIn(SessionScene.user))
        self.handle(.socket(.opened))
        self.receive(SessionScene.initialized)
        self.receive(SessionScene.identified)
        self.clearActions()
    }

    /// The messages that were sent, as JSON.
    var sent: [AdJSON] {
        self.actions.compactMap { action in
            guard case .send(let text) = action else { return nil }
            return try? AdJSON(parsing: text)
        }
    }

    /// The classes (`cid`) of the messages that were sent.
    var classes: [Int] { self.sent.map { Int($0["cid"]?.number ?? -1) } }

    var connects: Int {
        self.actions.count { if case .connect = $0 { true } else { false } }
    }

    var offers: [(id: Int, offer: Offer)] {
        self.actions.compactMap { if case .offer(let id, let offer) = $0 { (id.number, offer) } else { nil } }
    }

    var posts: [String] { self.actions.compactMap { if case .post(_, let text) = $0 { text } else { nil } } }

    var events: [SmarticoEvent] { self.actions.compactMap { if case .report(let event) = $0 { event } else { nil } } }

    var issues: [String] { self.actions.compactMap { if case .issue(let issue) = $0 { issue.code } else { nil } } }

    /// When a timer fires; nil if it is not set or was cancelled.
    func deadline(of timer: EngagementTimer) -> Moment? {
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
