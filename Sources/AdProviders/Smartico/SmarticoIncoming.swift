public import AdCore

/// What the server says.
enum SmarticoIncoming: Sendable {
    case ping(uuid: String?)
    case initialized(SmarticoVerdict, SmarticoSettings)
    case identified(SmarticoVerdict, SmarticoProfile, SmarticoPages)
    case pushTaken(SmarticoVerdict)
    case engagement(SmarticoEngagement)
    case game(template: String, uuid: String?)
    case unknown(cid: Int)

    /// Why a text is no message.
    struct Fault: Error {
        let issue: AdIssue
    }

    /// Reads a message; what was repaired in it goes with it.
    static func read(_ text: String) throws(Fault) -> (message: SmarticoIncoming, issues: [AdIssue]) {
        let answer: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.Fault) {
            answer = try AdJSON.reading(Array(text.utf8))
        } catch {
            throw Fault(issue: AdIssue("message.noJSON", at: .whole, "the server sent what is no JSON: \(error)"))
        }
        var fields = LenientFields(answer.json)
        guard case .object = answer.json, let cid = fields.whole("cid") else {
            let kind = answer.json.kind
            let text = "the server sent \(kind) without a class id (cid) that is a number, and it was dropped"
            throw Fault(issue: AdIssue("message.noClass", at: .field("cid"), text))
        }
        let message: SmarticoIncoming
        switch cid {
        case 1: message = .ping(uuid: fields.id("uuid"))
        case 4: message = .initialized(SmarticoVerdict(&fields), SmarticoSettings(&fields))
        case 6: message = .identified(SmarticoVerdict(&fields), SmarticoProfile(&fields), SmarticoPages(&fields))
        case 2003: message = .pushTaken(SmarticoVerdict(&fields))
        case 110: message = .engagement(SmarticoEngagement(text, &fields))
        case 707:
            guard let template = fields.whole("saw_template_id") else {
                let text = "a game was pushed without a saw_template_id that is a number, and was dropped"
                throw Fault(issue: AdIssue("game.noTemplate", at: .field("saw_template_id"), text))
            }
            message = .game(template: String(template), uuid: fields.id("uuid"))
        default: message = .unknown(cid: cid)
        }
        return (message, answer.repairs + fields.issues)
    }
}

/// Whether the server did what it was asked.
public struct SmarticoVerdict: Hashable, Sendable {
    /// 0 where it did.
    public let code: Int
    /// What it says of it; nil where it says nothing.
    public let message: String?

    /// Whether it did.
    public var isGood: Bool { self.code == 0 }

    init(_ fields: inout LenientFields) {
        // Without a word on errors there is none.
        self.code = fields.whole("errCode") ?? 0
        self.message = fields.text("errMsg").map { $0.excerpt(200) }
    }
}

/// What the server says of the label, and of where it sees the app.
public struct SmarticoSettings: Hashable, Sendable {
    /// The products that the label has.
    public let products: [Int]
    /// What push tokens are asked for with; nil where the server says nothing.
    public let fcmSenderID: String?
    /// Where pictures are; nil where the server says nothing.
    public let imageDomain: HTTPURL?
    /// The country in which the server takes the app to be, as in `BG`; nil where it says nothing.
    public let country: String?
    /// The city in which the server takes the app to be; nil where it says nothing.
    public let city: String?
    /// The IP address that the server sees; nil where it says nothing.
    public let ip: String?
    /// The server's time when it answered; nil where it says nothing.
    public let serverTime: WallTime?

    /// The product without which there is no gamification widget.
    public static let gamification = 100

    /// Whether there is a gamification widget.
    public var hasGamification: Bool { self.products.contains(SmarticoSettings.gamification) }

    init(_ fields: inout LenientFields) {
        self.products = (fields.value("products")?.array ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } }
        var settings = fields.object("settings")
        self.fcmSenderID = settings.identifier("FCM_SENDER_ID")
        self.imageDomain = settings.picture("DYNAMIC_IMAGE_DOMAIN")
        fields.take(settings)
        var place = fields.object("payload")
        self.country = place.identifier("country").map { $0.excerpt(100) }
        self.city = place.identifier("city").map { $0.excerpt(100) }
        self.ip = place.identifier("ip").map { $0.excerpt(100) }
        fields.take(place)
        self.serverTime = fields.wallTime("ts")
    }
}

/// What the server says of the user.
public struct SmarticoProfile: Hashable, Sendable {
    /// The name that others see; nil where there is none.
    public let username: String?
    /// The picture's name; nil where there is none.
    public let avatarID: String?
    /// What else is known of the user, as it came.
    public let properties: AdJSON

    init(_ fields: inout LenientFields) {
        self.username = fields.identifier("public_username")
        self.avatarID = fields.identifier("avatar_id")
        self.properties = fields.value("props") ?? .object([])
    }

    /// Whether it is a user for tests.
    public var isTestAccount: Bool { self.properties["core_is_test_account"] == .bool(true) }

    /// Where the user's picture is; nil where there is none.
    public func avatar(in settings: SmarticoSettings) -> HTTPURL? {
        guard let domain = settings.imageDomain, let avatarID else { return nil }
        let slash = domain.text.hasSuffix("/") ? "" : "/"
        return HTTPURL("\(domain.text)\(slash)avatar/\(PercentEncoding.component(avatarID))")
    }
}

/// Where the pages of a user are; the addresses hold for a day.
struct SmarticoPages: Hashable, Sendable {
    let popup: HTTPURL?
    let gamification: HTTPURL?

    init(_ fields: inout LenientFields) {
        self.gamification = fields.address("native_app_gf_url", of: "the page")
        self.popup = fields.address("native_app_popup_url", of: "the page")
    }

    /// The gamification page, opened at a deep link.
    static func address(_ page: HTTPURL, deepLink: String?) -> HTTPURL? {
        guard let deepLink else { return page }
        let mark = page.target.contains("?") ? "&" : "?"
        return HTTPURL("\(page.text)\(mark)dp=\(PercentEncoding.component(deepLink))")
    }
}

/// A popup as the server pushed it: only its page understands it.
struct SmarticoEngagement: Hashable, Sendable {
    /// The name by which the same popup is known again; nil where it has none.
    let uid: String?
    /// What the page is told: the very text, with the bridge's class put in.
    let message: String?

    init(_ text: String, _ fields: inout LenientFields) {
        self.uid = fields.id("engagement_uid") ?? fields.id("uuid")
        // A text that everybody reads alike is passed on to the byte, any other as it was understood.
        var raw = JSONText(text)
        if raw == nil {
            raw = JSONText(repairing: text)
            fields.note("engagement.repaired", "cid", "it is not written as everybody reads it, and was written anew")
        }
        if raw?.has("bcid") == true {
            fields.note("bcid.there", "bcid", "the server may not say what the bridge says, and it was taken out")
            raw?.remove("bcid")
        }
        raw?.prepend("bcid", 3)
        self.message = raw?.text
    }
}

extension LenientFields {
    /// A time in milliseconds since 1970; what no calendar has is none.
    fileprivate mutating func wallTime(_ name: String) -> WallTime? {
        guard let milliseconds = self.number(name) else { return nil }
        guard milliseconds >= 0, milliseconds <= 253_402_300_799_999 else {
            self.note("\(name).impossible", name, "it is no time in milliseconds since 1970, and was left out")
            return nil
        }
        return WallTime(milliseconds: Int64(milliseconds))
    }

    /// A message's name; what is longer than any id is none.
    fileprivate mutating func id(_ name: String) -> String? {
        self.identifier(name).flatMap { $0.utf8.count <= 256 ? $0 : nil }
    }
}
