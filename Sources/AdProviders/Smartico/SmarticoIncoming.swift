public import AdCore

/// A message from the server.
enum SmarticoIncoming: Sendable {
    case ping(uuid: String?)
    case initialized(SmarticoResult, SmarticoSettings)
    case identified(SmarticoResult, SmarticoProfile, SmarticoPages)
    case pushTokenAccepted(SmarticoResult)
    case engagement(SmarticoEngagement)
    case game(template: String, uuid: String?)
    case unknown(cid: Int)

    /// The reason why a text is not a message.
    struct ParseError: Error {
        let issue: AdIssue
    }

    /// Parses a message, and returns it with the repairs that were needed.
    static func parse(_ text: String) throws(ParseError) -> (message: SmarticoIncoming, issues: [AdIssue]) {
        let parsed: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.ParseError) {
            parsed = try AdJSON.reading(Array(text.utf8))
        } catch {
            throw ParseError(issue: AdIssue("message.noJSON", at: .whole, "the server's message is not JSON: \(error)"))
        }
        var fields = LenientFields(parsed.json)
        guard case .object = parsed.json, let cid = fields.integer("cid") else {
            let kind = parsed.json.kind
            let text = "the server's message (\(kind)) has no numeric class id (cid) and was dropped"
            throw ParseError(issue: AdIssue("message.noClass", at: .field("cid"), text))
        }
        let message: SmarticoIncoming
        switch cid {
        case 1: message = .ping(uuid: fields.id("uuid"))
        case 4: message = .initialized(SmarticoResult(&fields), SmarticoSettings(&fields))
        case 6: message = .identified(SmarticoResult(&fields), SmarticoProfile(&fields), SmarticoPages(&fields))
        case 2003: message = .pushTokenAccepted(SmarticoResult(&fields))
        case 110: message = .engagement(SmarticoEngagement(text, &fields))
        case 707:
            guard let template = fields.integer("saw_template_id") else {
                let text = "a pushed game has no numeric saw_template_id and was dropped"
                throw ParseError(issue: AdIssue("game.noTemplate", at: .field("saw_template_id"), text))
            }
            message = .game(template: String(template), uuid: fields.id("uuid"))
        default: message = .unknown(cid: cid)
        }
        return (message, parsed.repairs + fields.issues)
    }
}

/// The result of a request, from the server's response.
public struct SmarticoResult: Hashable, Sendable {
    /// The error code; 0 means success.
    public let code: Int
    /// The error message; nil if there is none.
    public let message: String?

    /// Whether the request succeeded.
    public var isSuccess: Bool { self.code == 0 }

    init(_ fields: inout LenientFields) {
        // A missing errCode means success.
        self.code = fields.integer("errCode") ?? 0
        self.message = fields.text("errMsg").map { $0.excerpt(200) }
    }
}

/// The label's settings, and where the server locates the app.
public struct SmarticoSettings: Hashable, Sendable {
    /// The product numbers of the label.
    public let products: [Int]
    /// The sender id for push tokens; nil if there is none.
    public let fcmSenderID: String?
    /// The base URL of images; nil if there is none.
    public let imageDomain: HTTPURL?
    /// The country in which the server locates the app, as in `BG`; nil if unknown.
    public let country: String?
    /// The city in which the server locates the app; nil if unknown.
    public let city: String?
    /// The IP address from which the server gets requests; nil if unknown.
    public let ip: String?
    /// The server's time of the response; nil if unknown.
    public let serverTime: WallTime?

    /// The product number of the gamification widget.
    public static let gamification = 100

    /// Whether the label has a gamification widget.
    public var hasGamification: Bool { self.products.contains(SmarticoSettings.gamification) }

    init(_ fields: inout LenientFields) {
        self.products = (fields.value("products")?.array ?? []).compactMap { $0.number.flatMap { Int(exactly: $0) } }
        var settings = fields.object("settings")
        self.fcmSenderID = settings.identifier("FCM_SENDER_ID")
        self.imageDomain = settings.imageURL("DYNAMIC_IMAGE_DOMAIN")
        fields.merge(settings)
        var place = fields.object("payload")
        self.country = place.identifier("country").map { $0.excerpt(100) }
        self.city = place.identifier("city").map { $0.excerpt(100) }
        self.ip = place.identifier("ip").map { $0.excerpt(100) }
        fields.merge(place)
        self.serverTime = fields.wallTime("ts")
    }
}

/// The user's profile on the server.
public struct SmarticoProfile: Hashable, Sendable {
    /// The user's public name; nil if there is none.
    public let username: String?
    /// The id of the user's avatar; nil if there is none.
    public let avatarID: String?
    /// More properties of the user, unchanged.
    public let properties: AdJSON

    init(_ fields: inout LenientFields) {
        self.username = fields.identifier("public_username")
        self.avatarID = fields.identifier("avatar_id")
        self.properties = fields.value("props") ?? .object([])
    }

    /// Whether this is a test account.
    public var isTestAccount: Bool { self.properties["core_is_test_account"] == .bool(true) }

    /// The URL of the user's avatar; nil if there is none.
    public func avatar(in settings: SmarticoSettings) -> HTTPURL? {
        guard let domain = settings.imageDomain, let avatarID else { return nil }
        let slash = domain.text.hasSuffix("/") ? "" : "/"
        return HTTPURL("\(domain.text)\(slash)avatar/\(PercentEncoding.component(avatarID))")
    }
}

/// The URLs of a user's pages, which are valid for a day.
struct SmarticoPages: Hashable, Sendable {
    let popup: HTTPURL?
    let gamification: HTTPURL?

    init(_ fields: inout LenientFields) {
        self.gamification = fields.url("native_app_gf_url", of: "the page")
        self.popup = fields.url("native_app_popup_url", of: "the page")
    }

    /// The URL of a page with a deep link.
    static func address(_ page: HTTPURL, deepLink: String?) -> HTTPURL? {
        guard let deepLink else { return page }
        let mark = page.target.contains("?") ? "&" : "?"
        return HTTPURL("\(page.text)\(mark)dp=\(PercentEncoding.component(deepLink))")
    }
}

/// A popup that the server pushed; only its page interprets it.
struct SmarticoEngagement: Hashable, Sendable {
    /// The engagement's own id; nil if there is none.
    let ownUID: String?
    /// The id that duplicates share, which may be the message's; nil if there is none.
    let uid: String?
    /// The message for the page: the received text with the bridge's class (`bcid`) added.
    let message: String?

    init(_ text: String, _ fields: inout LenientFields) {
        self.ownUID = fields.id("engagement_uid")
        self.uid = self.ownUID ?? fields.id("uuid")
        // Unambiguous JSON is passed on byte for byte; other JSON is written anew from the parsed value.
        var raw = JSONText(text)
        if raw == nil {
            raw = JSONText(repairing: text)
            fields.addIssue("engagement.repaired", "cid", "the JSON is ambiguous and was written anew")
        }
        if raw?.has("bcid") == true {
            fields.addIssue(
                "bcid.there",
                "bcid",
                "the server's message has a bcid, which only the bridge sets; it was removed"
            )
            raw?.remove("bcid")
        }
        raw?.prepend("bcid", 3)
        self.message = raw?.text
    }
}

extension LenientFields {
    /// A time in milliseconds since 1970, up to the year 9999.
    fileprivate mutating func wallTime(_ name: String) -> WallTime? {
        guard let milliseconds = self.number(name) else { return nil }
        guard milliseconds >= 0, milliseconds <= 253_402_300_799_999 else {
            self.addIssue(
                "\(name).impossible",
                name,
                "\(name) is not a time in milliseconds since 1970 and was ignored"
            )
            return nil
        }
        return WallTime(milliseconds: Int64(milliseconds))
    }

    /// An id of at most 256 bytes; a longer one is ignored.
    fileprivate mutating func id(_ name: String) -> String? {
        self.identifier(name).flatMap { $0.utf8.count <= 256 ? $0 : nil }
    }
}
