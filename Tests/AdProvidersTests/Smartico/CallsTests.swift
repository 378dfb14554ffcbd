import AdCore
import TestSupport
import Testing

@testable import AdProviders

@Suite("Smartico HTTP calls")
struct SmarticoCallsTests {
    private static let uuid = "00000000-0000-4000-8000-000000000001"
    private let time = WallTime(milliseconds: 1_700_000_000_000)
    private let message = SmarticoPushMessage(userID: "u 7", engagementUID: "e/1", messageID: 42, action: "dp:gf")

    private func app(brand: String? = "brand-1", services: String = "http://papi.example/services/public") throws
        -> SmarticoApp
    {
        SmarticoApp(
            labelKey: "label&1",
            brandKey: brand,
            id: "com.example.game",
            version: "1.2.29",
            deviceID: "d",
            services: try #require(HTTPURL(services))
        )
    }

    private func register(_ app: SmarticoApp, by kind: SmarticoApp.Registration) throws -> BeaconCall {
        try app.register(token: "t/1", .android, for: "u 7", by: kind, at: self.time, uuid: Self.uuid).call
    }

    private func query(_ call: BeaconCall) throws -> [String: String] {
        let text = try #require(call.address.text.split(separator: "?", maxSplits: 1).last)
        let parts = text.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: parts.map { (String($0[0]), PercentEncoding.decoded($0[1])) })
    }

    @Test("a token is registered by POST with the documented fields and nulls")
    func post() throws {
        let call = try self.register(try self.app(brand: nil), by: .post)
        #expect(call.method == .post && call.address.text == "http://papi.example/services/public")
        #expect(
            String(decoding: call.body ?? [], as: UTF8.self)
                == #"{"app_package_id":"com.example.game","brand_key":null,"api_key":"label&1","ext_user_id":"u 7","#
                + #""pushNotificationUserStatus":0,"platform":7,"cid":1003,"token":"t/1"}"#
        )
        #expect(call.headers["Content-Type"] == "application/json" && call.successRule == .errCodeZero)
    }

    @Test("a token is registered by GET with the event percent-encoded")
    func get() throws {
        let call = try self.register(try self.app(), by: .get)
        #expect(call.method == .get && call.body == nil && call.successRule == .errCodeZero)
        let query = try self.query(call)
        #expect(query["api_key"] == "label&1" && query["brand_key"] == "brand-1" && query["version"] == "1.2.29")
        #expect(
            query["event"]
                == #"{"uuid":"\#(Self.uuid)","ts":1700000000000,"event_type":"register_push_token","user_ext_id":"u 7","#
                + #""payload":{"app_package_id":"com.example.game","token":"t/1","platform":7,"pushNotificationUserStatus":0}}"#
        )
        let bare = try self.query(try self.register(try self.app(brand: nil), by: .get))
        #expect(bare["brand_key"] == nil, "without a brand there is no brand_key")
    }

    @Test(
        "each push notification report is sent once, with its own event",
        arguments: SmarticoPushReport.allCases
    )
    func report(kind: SmarticoPushReport) throws {
        let template = try self.app().report(kind, of: self.message, at: self.time, uuid: Self.uuid)
        let action = kind == .action ? #","action":"dp:gf""# : ""
        #expect(
            try self.query(template.call)["event"]
                == #"{"uuid":"\#(Self.uuid)","ts":1700000000000,"event_type":"engagement_\#(kind.rawValue)","#
                + #""user_ext_id":"u 7","payload":{"engagement_uid":"e/1","message_id":42,"activity_type":40\#(action)}}"#
        )
        #expect(template.providerKey == "smartico/push/\(kind.rawValue)/u%207/e%2F1/42")
        #expect(template.call.isBilling == (kind == .impression || kind == .action))
        #expect(template.call.successRule == .errCodeZero && template.call.guarantee == .atMostOnce)
    }

    @Test(
        "only Smartico's notification payloads are parsed",
        arguments: [
            (["user_ext_id": "u", "engagement_uid": "e", "message_id": " 7 ", "action": "dp:x"], true),
            (["user_ext_id": "u", "engagement_uid": "e", "message_id": "7"], true),
            (["user_ext_id": "", "engagement_uid": "e", "message_id": "7"], false),
            (["user_ext_id": "u", "message_id": "7"], false),
            (["user_ext_id": "u", "engagement_uid": "e", "message_id": "seven"], false), ([:], false),
        ] as [([String: String], Bool)]
    )
    func payload(data: [String: String], isOurs: Bool) {
        let message = SmarticoPushMessage(payload: data)
        #expect((message != nil) == isOurs)
        if isOurs { #expect(message?.messageID == 7 && message?.action == data["action"]) }
    }

    @Test("the registration script escapes its arguments")
    func script() {
        let plain = SmarticoApp.registrationScript(token: "t-1", platform: .iOS, packageID: "com.example.game")
        #expect(plain == #"_smartico.registerNativePushToken("t-1", 6, "com.example.game")"#)
        let evil = SmarticoApp.registrationScript(
            token: "\");alert(1)//</script>\u{2028}",
            platform: .android,
            packageID: "a\nb\\"
        )
        #expect(
            evil == #"_smartico.registerNativePushToken("\");alert(1)//\u003C/script>\u2028", 7, "a\nb\\")"#
        )
    }

    @Test("an empty user id and a services URL with a query are refused")
    func refused() throws {
        let app = try self.app()
        for (token, user) in [("", "u"), (" ", "u"), ("t", "")] {
            let error = #expect(throws: AdError.self) {
                try app.register(token: token, .iOS, for: user, by: .post, at: self.time, uuid: "x")
            }
            #expect(error?.code == .invalidRequest)
        }
        let odd = try self.app(services: "http://papi.example/?a=b")
        #expect(throws: AdError.self) { try odd.report(.failed, of: self.message, at: self.time, uuid: "x") }
    }

    @Test("each environment has its host")
    func environments() {
        #expect(SmarticoApp.services(environment: 3).text == "https://papi3.smartico.ai/services/public")
        #expect(SmarticoApp.standardSocket.text == "wss://api.smartico.ai/websocket/services")
    }

    @Test(
        "the platforms have the documented numbers",
        arguments: [
            (SmarticoPush.Platform.chromeDesktop, 0), (.firefoxDesktop, 1), (.edgeDesktop, 2), (.operaDesktop, 3),
            (.safariDesktop, 4), (.other, 5), (.iOS, 6), (.android, 7), (.chromeMobile, 8), (.firefoxMobile, 9),
            (.safariMobile, 10), (.operaMobile, 11),
        ]
    )
    func platforms(platform: SmarticoPush.Platform, number: Int) {
        #expect(platform.rawValue == number)
        let statuses = [SmarticoPush.Status.allowed, .ask, .blocked, .suspended, .notSupported].map(\.rawValue)
        #expect(statuses == [0, 1, 2, 3, 4])
    }
}
