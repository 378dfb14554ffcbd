import AdCore
import Testing

@testable import AdProviders

@Suite(
    "Examples in Smartico's document",
    .enabled(if: SourceDocument.text != nil, "the document does not lie in ../shared/seeds")
)
struct SmarticoSourceExampleTests {
    private func example(_ mark: String) throws -> AdJSON {
        try #require(SourceDocument.example(with: mark), "there is no example with \(mark)")
    }

    /// Checks a message against an example, with the message's own time and id.
    private func check(_ message: SmarticoOutgoing, _ example: AdJSON, offset: Double?, adding members: Int = 0) throws
    {
        let time = EngagementTime(
            now: .origin,
            wall: WallTime(milliseconds: Int64(try #require(example["ts"]?.number))),
            minutesBehindUTC: Int(offset ?? 0)
        )
        let uuid = try #require(example["uuid"]?.string)
        let text = message.text(at: time, uuid: uuid)
        guard case .object(let own) = try AdJSON(parsing: text) else {
            Issue.record("\(text)")
            return
        }
        #expect(AdJSON.object(Array(own.dropFirst(members))).text() == example.text())
    }

    private func app(_ json: AdJSON, _ agent: AdJSON?, _ prefix: String = "") throws -> SmarticoApp {
        let text = { (name: String) in agent?[prefix + name]?.string }
        return SmarticoApp(
            labelKey: json["label_key"]?.string ?? "",
            brandKey: json["brand_key"]?.string,
            id: "com.example.game",
            version: json["tracker_version"]?.string ?? "",
            deviceID: json["device_id"]?.string ?? "",
            agent: SmarticoAgent(
                fingerprint: agent?[prefix + "fp"]?.number.map { Int64($0) },
                userAgent: text("agent"),
                host: text("host"),
                deviceType: text("device_type") ?? "",
                browser: text("browser"),
                os: text("os") ?? ""
            ),
            page: json["page"]?.string
        )
    }

    @Test("INIT_SESSION_REQUEST matches the example byte for byte")
    func initialize() throws {
        let example = try self.example(#""session_id": "#)
        let session = try #require(example["session_id"]?.string)
        let message = SmarticoOutgoing.initialize(try self.app(example, example["ua"]), session: session)
        try self.check(message, example, offset: example["ua"]?["tzoffset"]?.number)
    }

    @Test("IDENTIFY_USER_REQUEST matches the example byte for byte")
    func identify() throws {
        let example = try self.example(#""cid": 5,"#)
        let push = SmarticoPush(
            token: example["token"]?.string,
            status: .allowed,
            platform: try #require(SmarticoPush.Platform(rawValue: Int(example["platform"]?.number ?? -1)))
        )
        let user = SmarticoUser(id: try #require(example["ext_user_id"]?.string), hash: example["hash"]?.string)
        let message = SmarticoOutgoing.identify(user, try self.app(example, example["ua"]), push)
        try self.check(message, example, offset: example["ua"]?["tzoffset"]?.number)
    }

    @Test("LOGIN matches the example byte for byte")
    func login() throws {
        let example = try self.example(#""ua_fp""#)
        let message = SmarticoOutgoing.login(try self.app(example, example["payload"], "ua_"))
        try self.check(message, example, offset: example["payload"]?["ua_tzoffset"]?.number)
    }

    @Test("a push token message matches the example byte for byte")
    func push() throws {
        let example = try self.example(#""cid": 1003,"#)
        let push = SmarticoPush(
            token: example["token"]?.string,
            status: .allowed,
            platform: try #require(SmarticoPush.Platform(rawValue: Int(example["platform"]?.number ?? -1)))
        )
        try self.check(.push(push), example, offset: nil)
    }

    @Test("a language message matches the example byte for byte, plus the class that the example omits")
    func language() throws {
        let example = try self.example("core_language_changed")
        let language = try #require(example["payload"]?["language"]?.string)
        try self.check(.language(language), example, offset: nil, adding: 1)
    }

    @Test("a PONG matches the example byte for byte")
    func pong() throws {
        let ping = try self.example(#""cid": 1,"#)
        let pong = try self.example(#""cid": 2,"#)
        let (message, issues) = try SmarticoIncoming.parse(ping.text())
        guard case .ping(let uuid) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(issues.isEmpty)
        try self.check(.pong(uuid: uuid), pong, offset: nil)
    }

    @Test("INIT_SESSION_RESPONSE and IDENTIFY_USER_RESPONSE are parsed field by field")
    func answers() throws {
        let first = try self.example(#""FCM_SENDER_ID""#)
        let second = try self.example(#""native_app_gf_url""#)
        guard case (.initialized(let result, let settings), let issues) = try SmarticoIncoming.parse(first.text()),
            case (.identified(let other, let profile, let pages), let more) = try SmarticoIncoming.parse(second.text())
        else {
            Issue.record("they are parsed as something else")
            return
        }
        #expect(result.isSuccess && other.isSuccess && issues.isEmpty && more.isEmpty)
        #expect(settings.products.map { AdJSON.int($0) } == first["products"]?.array)
        #expect(settings.fcmSenderID == first["settings"]?["FCM_SENDER_ID"]?.string && settings.hasGamification)
        let place = first["payload"]
        #expect(settings.country == place?["country"]?.string && settings.city == place?["city"]?.string)
        #expect(settings.ip == place?["ip"]?.string && settings.ip != nil)
        #expect(settings.serverTime.map { Double($0.milliseconds) } == first["ts"]?.number)
        #expect(profile.username == second["public_username"]?.string && !profile.isTestAccount)
        #expect(profile.properties == second["props"])
        let domain = try #require(first["settings"]?["DYNAMIC_IMAGE_DOMAIN"]?.string)
        let avatar = try #require(second["avatar_id"]?.string)
        #expect(profile.avatar(in: settings)?.text == "\(domain)avatar/\(avatar)")
        #expect(pages.popup?.text == second["native_app_popup_url"]?.string)
        #expect(pages.gamification?.text == second["native_app_gf_url"]?.string)
    }

    @Test("2003, 110 and 707 are parsed, and the popup's page gets the original text")
    func pushes() throws {
        guard
            case (.pushTokenAccepted(let result), _) = try SmarticoIncoming.parse(self.example(#""cid": 2003"#).text())
        else {
            Issue.record("2003 is parsed as something else")
            return
        }
        #expect(result.isSuccess)
        let text = try self.example(#""cid": 110"#).text()
        guard case (.engagement(let engagement), let issues) = try SmarticoIncoming.parse(text) else {
            Issue.record("110 is parsed as something else")
            return
        }
        let uid = try AdJSON(parsing: text)["engagement_uid"]?.string
        #expect(issues.isEmpty && engagement.uid == uid)
        #expect(engagement.message == #"{"bcid":3,"# + text.dropFirst())
        let game = try self.example("saw_template_id")
        guard case (.game(let template, let uuid), _) = try SmarticoIncoming.parse(game.text()) else {
            Issue.record("707 is parsed as something else")
            return
        }
        #expect(template == "5" && uuid == game["uuid"]?.string)
    }

    @Test(
        "the messages of pages are parsed",
        arguments: [1, 2, 4, 5, 6, 7, 8]
    )
    func bridge(bcid: Int) throws {
        let example = try self.example("\"bcid\": \(bcid)")
        let message = try SmarticoBridge.parse(example.text()).message
        switch (bcid, message) {
        case (1, .pageReady), (2, .closeMe), (5, .readyToBeShown): break
        case (4, .executeDeepLink(let link)): #expect(link == example["dp"]?.string)
        case (6, .sendToSocket(let text)): #expect(text.text == #"{"cid":123}"#)
        case (7, .publicProperties(let json)): #expect(json == ["ach_points_balance": 55])
        case (8, .gameOpening(let game)):
            #expect(game.smarticoID == "32" && game.providerID == "56" && game.context == "mission")
            #expect(game.meta == example["game_public_meta"])
        default: Issue.record("\(bcid) is parsed as \(message)")
        }
    }

    @Test("the mini-game's address matches the example, except for its wrongly escaped colon")
    func game() throws {
        let text = try #require(SourceDocument.text)
        let second = try self.example(#""native_app_gf_url""#)
        let page = try #require(second["native_app_gf_url"]?.string.flatMap { HTTPURL($0) })
        let own = try #require(SmarticoPages.address(page, deepLink: SmarticoDeepLink.game("5"))).text
        #expect(own == page.text + "&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue")
        let documented = page.text + "&dp=dp%26gf_saw%26id%3D5%26standalone%3Dtrue"
        #expect(text.firstRange(of: documented) != nil)
    }
}
