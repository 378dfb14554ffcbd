import AdCore
import LoopbackServer
import WebSocketCodec

/// The messages of Smartico's server.
extension SandboxState {
    /// A message of a class, with its time and a UUID.
    mutating func message(
        _ kind: SmarticoRequest.Class,
        _ members: [AdJSON.Member] = [],
        uuid: String? = nil
    ) -> SocketAction {
        self.message(cid: kind.rawValue, members, uuid: uuid)
    }

    private mutating func message(cid: Int, _ members: [AdJSON.Member], uuid: String?) -> SocketAction {
        let stamp: [AdJSON.Member] = [
            .init("cid", .int(cid)), .init("ts", .int(self.now.milliseconds)),
            .init("uuid", .string(uuid ?? self.uuid())),
        ]
        return .send(.text(AdJSON.object(members + stamp).text()))
    }

    /// A refusal with its reason.
    mutating func refusal(_ reason: String, cid: Int) -> SocketAction {
        self.message(cid: cid, [.init("errCode", 1), .init("errMsg", .string(reason))], uuid: nil)
    }

    /// `INIT_SESSION_RESPONSE`.
    mutating func initiated() -> SocketAction {
        let session = self.uuid()
        return self.message(
            .initiated,
            [
                .init("errCode", 0), .init("errMsg", nil), .init("products", [100, 0, 7]),
                .init(
                    "payload",
                    [
                        "country": "LU", "city": "Sandweiler", "ip": "127.0.0.1", "s": "sandbox",
                        "sessionId": .string(session),
                    ]
                ),
                .init(
                    "settings",
                    ["FCM_SENDER_ID": "700400100", "DYNAMIC_IMAGE_DOMAIN": .string(self.base + "/")]
                ),
            ]
        )
    }

    /// `IDENTIFY_USER_RESPONSE`.
    mutating func identified(_ user: String, of label: SmarticoLabel) -> SocketAction {
        let points = user.utf8.reduce(0) { ($0 * 31 + Int($1)) % 4000 }
        return self.message(
            .identified,
            [
                .init("errCode", 0), .init("errMsg", nil), .init("public_username", .string(user)),
                .init("avatar_id", .string("\(points)")),
                .init("native_app_gf_url", .string(self.page("/wrapper-gf.html", label, user))),
                .init("native_app_popup_url", .string(self.page("/wrapper-popup.html", label, user))),
                .init(
                    "props",
                    [
                        "ach_points_ever": .int(points + 250), "ach_points_balance": .int(points),
                        "ach_level_current": .string("Sprout \(points / 1000 + 1)"), "core_is_test_account": true,
                    ]
                ),
            ]
        )
    }

    private func page(_ path: String, _ label: SmarticoLabel, _ user: String) -> String {
        let urlHash = SmarticoURLHash(label: label.key, user: user, until: self.now + SmarticoURLHash.validity)
        var fields = [("label_key", label.key)]
        if let brand = label.brand { fields.append(("brand_key", brand)) }
        fields += [("user_ext_id", user), ("hash", urlHash.text)]
        return self.base + path + "?"
            + fields.map { "\($0)=\(PercentEncoding.component($1))" }.joined(separator: "&")
    }

    /// `CLIENT_ENGAGEMENT_EVENT`: a new engagement for a user.
    mutating func engagement(for user: String) -> SocketAction {
        let number = self.nextAdNumber()
        let name = self.name("engagement", number)
        self.smartico.engagements.insert(user, for: name)
        let audience = AdJSON.int(5200 + number % 7)
        let resource = AdJSON.int(810 + number % PopupTemplate.pool.count)
        return self.message(
            .engagement,
            [
                .init("engagement_uid", .string(name)), .init("activityType", 30),
                .init("engagement_id", .int(90_000 + number)), .init("root_audience_id", audience),
                .init("audience_id", audience), .init("resource_id", resource),
                .init("resource_variation_id", resource),
                .init("template_html", .string(PopupTemplate.pool[number % PopupTemplate.pool.count].html)),
                .init("template_engine", 1), .init("params", [:]), .init("source_product_id", 0),
            ]
        )
    }

    /// `SAW_SHOW_SPIN_PUSH`: a mini-game.
    mutating func game() -> SocketAction { self.message(.game, [.init("saw_template_id", 3)]) }
}

/// The `hash` of a page's URL, which makes the URL expire; it is not a security measure.
struct SmarticoURLHash: Hashable, Sendable {
    /// How long a URL is valid.
    static let validity = Duration.seconds(24 * 3600)

    /// A checksum, a colon and the end of the validity in milliseconds.
    let text: String

    init(label: String, user: String, until: WallTime) {
        // The values that the URL has for its user.
        let sum = Checksum.of("\(until.milliseconds)/\(label)/\(user)")
        self.text = String(sum, radix: 16) + ":\(until.milliseconds)"
    }

    /// Whether a text is the hash of a user's URL and has not expired.
    static func isValid(_ text: String, label: String, user: String, at now: WallTime) -> Bool {
        guard let end = text.split(separator: ":").last.flatMap({ Int64($0) }).map(WallTime.init(milliseconds:)) else {
            return false
        }
        return now < end && text == SmarticoURLHash(label: label, user: user, until: end).text
    }
}
