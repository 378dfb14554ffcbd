import AdCore

/// What a client of Smartico says, checked field by field.
enum SmarticoRequest: Hashable, Sendable {
    /// Answers a ping by its name.
    case pong(uuid: String)
    /// Begins a session.
    case initiate(SmarticoLabel)
    /// Says who the user is.
    case identify(user: String)
    /// A session of the user's begins, whatever became of the socket.
    case login
    /// The user speaks another language.
    case language
    /// Where push notifications are to go.
    case pushToken
    /// What a page handed to the app for the server.
    case page(PageMessage)

    /// What a page tells of.
    enum PageMessage: Hashable, Sendable {
        /// The popup of an engagement is there to be seen.
        case impression(engagement: String)
        /// The user has followed a link of an engagement.
        case action(engagement: String)
        /// Something that costs nothing.
        case other
    }

    /// The classes of messages, by their numbers on the wire.
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
        /// Ours, of the popup's page: the document leaves to the pages what they send.
        case impression = 1101
        case action = 1102
        case pushTokenTaken = 2003

        /// Whether only a server says such things.
        var isServersOwn: Bool {
            switch self {
            case .ping, .initiated, .identified, .engagement, .game, .pushTokenTaken: true
            default: false
            }
        }
    }

    /// The number of a message's class, and the class itself where the sandbox knows it.
    static func number(of fields: Fields) throws(FieldFault) -> Int {
        // The document's own example of a change of language has no number.
        if fields["cid"] == nil, fields["eventType"]?.string == Self.languageEvent { return Class.language.rawValue }
        return try fields.whole("cid", in: 0...1_000_000_000)
    }

    /// Reads a message of a class.
    init(_ number: Int, _ fields: Fields) throws(FieldFault) {
        _ = try fields.whole("ts", in: 0...8_640_000_000_000_000)
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
            _ = try fields.whole("pushNotificationUserStatus", in: Self.statuses)
            self = .pushToken
        case .impression: self = .page(.impression(engagement: try fields.id("engagement_uid")))
        case .action: self = .page(.action(engagement: try fields.id("engagement_uid")))
        case let known? where known.isServersOwn:
            throw fields.fault("cid", "is \(number), which only the server says")
        default: self = .page(.other)
        }
    }

    static let platforms = 0...11
    static let statuses = 0...4
    private static let languageEvent = "core_language_changed"
    /// What a browser says, in minutes: Kiribati is farthest ahead, and Baker Island farthest behind.
    private static let offsets = -840...720

    private static func label(_ fields: Fields) throws(FieldFault) -> SmarticoLabel {
        let label = try fields.text("label_key")
        let brand = try fields.textOrNull("brand_key")
        for name in ["device_id", "page", "session_id"] { _ = try fields.text(name) }
        let version = try fields.text("tracker_version")
        let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }) else {
            throw fields.fault("tracker_version", "is \"\(version)\", which is not of the form X.Y.Z")
        }
        try self.checkUserAgent(fields)
        return try SmarticoLabel(label, at: "label_key", brand: brand)
    }

    private static func user(_ fields: Fields) throws(FieldFault) -> String {
        let user = try fields.id("ext_user_id")
        if fields["token"] != nil { _ = try fields.textOrNull("token") }
        try self.checkPlatform(fields)
        if fields["pushNotificationUserStatus"] != nil {
            _ = try fields.whole("pushNotificationUserStatus", in: self.statuses)
        }
        try self.checkUserAgent(fields)
        return user
    }

    private static func checkPlatform(_ fields: Fields) throws(FieldFault) {
        if fields["platform"] != nil { _ = try fields.whole("platform", in: self.platforms) }
    }

    private static func checkUserAgent(_ fields: Fields) throws(FieldFault) {
        guard fields["ua"] != nil else { return }
        try self.checkUserAgent(try fields.object("ua"), prefix: "")
    }

    private static func checkUserAgent(_ fields: Fields, prefix: String) throws(FieldFault) {
        _ = try fields.text(prefix + "device_type")
        _ = try fields.whole(prefix + "tzoffset", in: self.offsets)
        _ = try fields.text(prefix + "os")
    }

    /// The document's table wants an object, its example has members that begin with a word: both are taken.
    private static func checkLogin(_ payload: Fields) throws(FieldFault) {
        if payload["ua"] != nil {
            try self.checkUserAgent(payload)
        } else {
            try self.checkUserAgent(payload, prefix: "ua_")
        }
    }

    private static func checkLanguage(_ fields: Fields) throws(FieldFault) {
        let event = try fields.text("eventType")
        guard event == self.languageEvent else {
            throw fields.fault("eventType", "is \"\(event)\", not \"\(self.languageEvent)\"")
        }
        let payload = try fields.object("payload")
        let language = try payload.text("language")
        let isCode = language.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == 0x2D }
        guard isCode, 2...12 ~= language.utf8.count else {
            throw payload.fault("language", "is \"\(language)\", which is no code of a language")
        }
    }
}

/// Whose client it is: a label, and perhaps one of its brands.
struct SmarticoLabel: Hashable, Sendable {
    let key: String
    let brand: String?

    /// Refuses what is none of the sandbox's.
    init(_ key: String, at field: String, brand: String?) throws(FieldFault) {
        guard key == Sandbox.TestKeys.smarticoLabelKey else {
            throw FieldFault(field, "is unknown; the sandbox takes \"\(Sandbox.TestKeys.smarticoLabelKey)\"")
        }
        guard brand == nil || brand == Sandbox.TestKeys.smarticoBrandKey else {
            let known = Sandbox.TestKeys.smarticoBrandKey
            throw FieldFault("brand_key", "is unknown; the sandbox takes \"\(known)\", or null")
        }
        self.key = key
        self.brand = brand
    }
}
