import AdCore

/// A message from a Smartico client, validated.
enum SmarticoRequest: Hashable, Sendable {
    /// The answer to the ping with this id.
    case pong(uuid: String)
    /// `INIT_SESSION`: starts a session.
    case initiate(SmarticoLabel)
    /// `IDENTIFY`: names the user.
    case identify(user: String)
    /// The user logs in.
    case login
    /// The user changes the language.
    case language
    /// A token for push notifications.
    case pushToken
    /// A message that a page sends through the app.
    case page(PageMessage)

    /// The messages of a page.
    enum PageMessage: Hashable, Sendable {
        /// The impression of an engagement.
        case impression(engagement: String)
        /// The click on a link of an engagement.
        case action(engagement: String)
        /// Any other message; it is not billable.
        case other
    }

    /// The message classes that the sandbox handles, by their numbers on the wire (`cid`).
    enum Class: Int {
        case ping = 1
        case pong = 2
        case initiate = 3
        case initiated = 4
        case identify = 5
        case identified = 6
        case login = 7
        case language = 9
        case engagement = 110
        case game = 707
        case pushToken = 1003
        /// Specific to the sandbox's popup page: Smartico's protocol leaves the messages of pages open.
        case impression = 1101
        case action = 1102
        case pushTokenTaken = 2003

        /// Whether only the server sends messages of this class.
        var isServersOwn: Bool {
            switch self {
            case .ping, .initiated, .identified, .engagement, .game, .pushTokenTaken: true
            default: false
            }
        }
    }

    /// The number of a message's class.
    static func number(of fields: Fields) throws(FieldError) -> Int {
        // In the example of Smartico's documentation a language change has no `cid`.
        if fields["cid"] == nil, fields["eventType"]?.string == Self.languageEvent { return Class.language.rawValue }
        return try fields.integer("cid", in: 0...1_000_000_000)
    }

    /// Validates a message of a class.
    init(_ number: Int, _ fields: Fields) throws(FieldError) {
        _ = try fields.integer("ts", in: 0...8_640_000_000_000_000)
        let uuid = try fields.id("uuid")
        switch Class(rawValue: number) {
        case .pong: self = .pong(uuid: uuid)
        case .initiate: self = .initiate(try Self.label(fields))
        case .identify: self = .identify(user: try Self.user(fields))
        case .login:
            try Self.checkLogin(fields.object("payload"))
            self = .login
        case .language:
            try Self.checkLanguage(fields)
            self = .language
        case .pushToken:
            _ = try fields.text("token")
            try Self.checkPlatform(fields)
            _ = try fields.integer("pushNotificationUserStatus", in: Self.statuses)
            self = .pushToken
        case .impression: self = .page(.impression(engagement: try fields.id("engagement_uid")))
        case .action: self = .page(.action(engagement: try fields.id("engagement_uid")))
        case let known? where known.isServersOwn:
            throw fields.error("cid", "is \(number), a class that only the server sends")
        default: self = .page(.other)
        }
    }

    static let platforms = 0...11
    static let statuses = 0...4
    private static let languageEvent = "core_language_changed"
    /// The time zone offsets of JavaScript, in minutes: from UTC+14 to UTC−12.
    private static let offsets = -840...720

    private static func label(_ fields: Fields) throws(FieldError) -> SmarticoLabel {
        let label = try fields.text("label_key")
        let brand = try fields.textOrNull("brand_key")
        for name in ["device_id", "page", "session_id"] { _ = try fields.text(name) }
        let version = try fields.text("tracker_version")
        let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else {
            throw fields.error("tracker_version", "is \"\(version)\", not of the form X.Y.Z")
        }
        try self.checkUserAgent(fields)
        return try SmarticoLabel(label, at: "label_key", brand: brand)
    }

    private static func user(_ fields: Fields) throws(FieldError) -> String {
        let user = try fields.id("ext_user_id")
        if fields["token"] != nil { _ = try fields.textOrNull("token") }
        try self.checkPlatform(fields)
        if fields["pushNotificationUserStatus"] != nil {
            _ = try fields.integer("pushNotificationUserStatus", in: self.statuses)
        }
        try self.checkUserAgent(fields)
        return user
    }

    private static func checkPlatform(_ fields: Fields) throws(FieldError) {
        if fields["platform"] != nil { _ = try fields.integer("platform", in: self.platforms) }
    }

    private static func checkUserAgent(_ fields: Fields) throws(FieldError) {
        guard fields["ua"] != nil else { return }
        try self.checkUserAgent(try fields.object("ua"), prefix: "")
    }

    private static func checkUserAgent(_ fields: Fields, prefix: String) throws(FieldError) {
        _ = try fields.text(prefix + "device_type")
        _ = try fields.integer(prefix + "tzoffset", in: self.offsets)
        _ = try fields.text(prefix + "os")
    }

    /// Smartico's documentation has an object in its table, and prefixed members in its example: both are valid.
    private static func checkLogin(_ payload: Fields) throws(FieldError) {
        if payload["ua"] != nil {
            try self.checkUserAgent(payload)
        } else {
            try self.checkUserAgent(payload, prefix: "ua_")
        }
    }

    private static func checkLanguage(_ fields: Fields) throws(FieldError) {
        let event = try fields.text("eventType")
        guard event == self.languageEvent else {
            throw fields.error("eventType", "is \"\(event)\", not \"\(self.languageEvent)\"")
        }
        let payload = try fields.object("payload")
        let language = try payload.text("language")
        let isCode = language.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == 0x2D }
        guard isCode, 2...12 ~= language.utf8.count else {
            throw payload.error("language", "is \"\(language)\", not a language code")
        }
    }
}

/// A Smartico label, with one of its brands or none.
struct SmarticoLabel: Hashable, Sendable {
    let key: String
    let brand: String?

    /// Throws when the label or the brand is not the sandbox's.
    init(_ key: String, at field: String, brand: String?) throws(FieldError) {
        guard key == Sandbox.TestKeys.smarticoLabelKey else {
            throw FieldError(field, "is unknown; use \"\(Sandbox.TestKeys.smarticoLabelKey)\"")
        }
        guard brand == nil || brand == Sandbox.TestKeys.smarticoBrandKey else {
            let known = Sandbox.TestKeys.smarticoBrandKey
            throw FieldError("brand_key", "is unknown; use \"\(known)\" or null")
        }
        self.key = key
        self.brand = brand
    }
}
