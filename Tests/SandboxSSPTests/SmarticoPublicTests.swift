import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Smartico's HTTP API")
struct SmarticoPublicTests {
    private static let good: AdJSON = ["errCode": 0, "detailMessage": "", "stackTrace": [], "suppressedExceptions": []]

    private static func token(_ changes: [String: AdJSON?] = [:]) -> AdJSON {
        Samples.changed(
            [
                "app_package_id": "com.example.app", "brand_key": .string(Samples.brand),
                "api_key": .string(Samples.label), "ext_user_id": "malva", "pushNotificationUserStatus": 0,
                "platform": 7, "cid": 1003, "token": "t-1",
            ],
            changes
        )
    }

    private static func payload(_ changes: [String: AdJSON?] = [:]) -> AdJSON {
        Samples.changed(["engagement_uid": "e-1", "message_id": 7, "activity_type": 40, "action": "dp:ok"], changes)
    }

    private static func event(_ type: String, _ payload: AdJSON, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        Samples.changed(
            [
                "uuid": "u-1", "ts": 1_700_000_000_000, "event_type": .string(type), "user_ext_id": 12,
                "payload": payload,
            ],
            changes
        )
    }

    private static func target(_ event: AdJSON, _ changes: [String: String?] = [:]) -> String {
        var fields: [(String, String?)] = [
            ("api_key", Samples.label), ("brand_key", Samples.brand), ("version", "1.2.3"), ("event", event.text()),
        ]
        for (name, value) in changes { fields = fields.map { $0.0 == name ? (name, value) : $0 } }
        return "/services/public?"
            + fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.component($0))" } }
            .joined(separator: "&")
    }

    @Test("a push token is accepted by POST and by GET")
    func token() {
        var state = Samples.state()
        let changes: [[String: AdJSON?]] = [
            [:], ["app_package_id": .none], ["brand_key": .some(nil)], ["ext_user_id": 12],
        ]
        for change in changes {
            let response = state.request("POST", "/services/public", Self.token(change))
            #expect(response.status == 200 && response.json == Self.good)
        }
        let payload: AdJSON = [
            "app_package_id": "com.example.app", "token": "t-1", "platform": 6, "pushNotificationUserStatus": 0,
        ]
        let event = Self.event("register_push_token", payload)
        #expect(state.request("GET", Self.target(event)).json == Self.good)
        #expect(state.hits().allSatisfy { $0["counted"] == true })
        #expect(Sandbox.Bill(state.log.hits, dropped: 0).lines.isEmpty)
    }

    @Test(
        "the error names an invalid member of a push token, with status 200, and the call is not counted",
        arguments: [
            (["api_key": .none], "api_key"), (["api_key": "x"], "api_key"), (["brand_key": "x"], "brand_key"),
            (["brand_key": .none], "brand_key"), (["ext_user_id": .none], "ext_user_id"), (["cid": 3], "cid"),
            (["cid": .none], "cid"), (["token": .none], "token"), (["platform": 5], "platform"),
            (["platform": .none], "platform"), (["pushNotificationUserStatus": 1], "pushNotificationUserStatus"),
            (["pushNotificationUserStatus": .none], "pushNotificationUserStatus"),
            (["app_package_id": 1], "app_package_id"),
        ] as [([String: AdJSON?], String)]
    )
    func tokenFaults(changes: [String: AdJSON?], field: String) {
        var state = Samples.state()
        let response = state.request("POST", "/services/public", Self.token(changes))
        #expect(response.status == 200 && response.json?["errCode"] == 1 && response.json?["stackTrace"] == [])
        #expect(response.json?["detailMessage"]?.string?.contains("\"\(field)\"") == true)
        #expect(state.hits().map { $0["counted"] } == [false])
    }

    @Test("an invalid body is refused with the same format", arguments: ["", "{", "[]"])
    func noBody(body: String) {
        var state = Samples.state()
        let response = state.request("POST", "/services/public", bytes: Array(body.utf8))
        #expect(response.status == 200 && response.json?["errCode"] == 1)
    }

    @Test(
        "a report about a push notification is billed once per key",
        arguments: [
            ("engagement_failed", "failed", 0, 0), ("engagement_delivered", "delivered", 0, 0),
            ("engagement_impression", "impression", 1, 0), ("engagement_action", "click", 0, 1),
        ]
    )
    func reports(type: String, event: String, views: Int, clicks: Int) {
        var state = Samples.state()
        let target = Self.target(Self.event(type, Self.payload()))
        for _ in 0..<3 {
            let response = state.request("GET", target, headers: ["idempotency-key": "k-1"], bytes: [])
            #expect(response.status == 200 && response.json == Self.good)
        }
        let bill = Sandbox.Bill(state.log.hits, dropped: 0)
        #expect(bill.billed == 1 && bill.counted == 3 && bill.repeats == 2)
        #expect(bill.views == views && bill.clicks == clicks)
        #expect(bill.lines.map(\.event) == [event] && bill.lines.map(\.ad) == ["e-1"])
        #expect(bill.lines.map(\.key) == ["k-1"])
    }

    @Test(
        "the error names an invalid member of a report, and the bill has it as refused",
        arguments: [
            (["engagement_uid": .none], "event.payload.engagement_uid"),
            (["message_id": .none], "event.payload.message_id"), (["message_id": "7"], "event.payload.message_id"),
            (["activity_type": 30], "event.payload.activity_type"), (["action": .none], "event.payload.action"),
        ] as [([String: AdJSON?], String)]
    )
    func reportFaults(changes: [String: AdJSON?], field: String) {
        var state = Samples.state()
        let target = Self.target(Self.event("engagement_action", Self.payload(changes)))
        let response = state.request("GET", target, headers: ["idempotency-key": "k-1"], bytes: [])
        #expect(response.status == 200 && response.json?["errCode"] == 1)
        #expect(response.json?["detailMessage"]?.string?.contains("\"\(field)\"") == true)
        let bill = Sandbox.Bill(state.log.hits, dropped: 0)
        #expect(bill.billed == 0 && bill.refused == 1)
    }

    @Test(
        "the error names an invalid query field of a report",
        arguments: [
            ("api_key", .none, "api_key"), ("api_key", "x", "api_key"), ("brand_key", "x", "brand_key"),
            ("version", .none, "version"), ("event", .none, "event"), ("event", "{", "event"), ("event", "1", "event"),
            ("event", "{}", "event.uuid"), ("event", #"{"uuid":"u"}"#, "event.ts"),
            ("event", #"{"uuid":"u","ts":1}"#, "event.event_type"),
            ("event", #"{"uuid":"u","ts":1,"event_type":"x"}"#, "event.user_ext_id"),
            ("event", #"{"uuid":"u","ts":1,"event_type":"x","user_ext_id":"m"}"#, "event.payload"),
            ("event", #"{"uuid":"u","ts":1,"event_type":"x","user_ext_id":"m","payload":{}}"#, "event.event_type"),
            (
                "event", #"{"uuid":"u","ts":1,"event_type":"register_push_token","user_ext_id":"m","payload":{}}"#,
                "event.payload.token"
            ),
        ] as [(String, String?, String)]
    )
    func around(name: String, value: String?, field: String) {
        var state = Samples.state()
        let target = Self.target(Self.event("engagement_impression", Self.payload()), [name: value])
        let response = state.request("GET", target)
        #expect(response.status == 200 && response.json?["errCode"] == 1)
        #expect(response.json?["detailMessage"]?.string?.contains("\"\(field)\"") == true, "\(response.text)")
    }

    @Test("a brand key is optional", arguments: [nil, ""])
    func noBrand(brand: String?) {
        var state = Samples.state()
        let target = Self.target(Self.event("engagement_impression", Self.payload()), ["brand_key": brand])
        #expect(state.request("GET", target).json == Self.good)
    }
}

@Suite("Smartico's pages")
struct SmarticoPageTests {
    @Test("both pages use the bridges of both platforms and load no resources", arguments: ["popup", "gf"])
    func pages(name: String) {
        var state = Samples.state()
        let response = state.request("GET", "/wrapper-\(name).html")
        #expect(response.status == 200 && response.headers["Content-Type"] == "text/html; charset=utf-8")
        for word in ["SmarticoBridge", "ReactNativeWebView", "SMTO-WRAPPER", "PAGE_READY", "CLOSE_ME"] {
            #expect(response.text.contains(word))
        }
        for word in ["src=\"", "href=", "import ", "fetch("] { #expect(!response.text.contains(word)) }
        #expect(response.text.split(separator: "\n").count < 150)
    }

    @Test("an avatar is an image")
    func avatar() {
        var state = Samples.state()
        #expect(state.request("GET", "/avatar/1234").headers["Content-Type"] == "image/gif")
    }

    @Test("the index lists Smartico's endpoints and scenarios")
    func index() {
        var state = Samples.state()
        let text = state.request("GET", "/").text
        let words = PushScenario.allCases.map(\.rawValue) + Sandbox.SocketFault.allCases.map(\.rawValue)
        let places = [
            "/websocket/services", "/services/public", "/wrapper-popup.html", "/wrapper-gf.html", "/sandbox/push",
            Samples.label, Samples.brand,
        ]
        for word in words + places { #expect(text.contains(word)) }
    }
}
