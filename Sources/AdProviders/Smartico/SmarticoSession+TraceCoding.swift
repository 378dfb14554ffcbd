package import AdCore

// How traces encode a session.

extension SmarticoSession: TraceableMachine {
    package var traced: AdJSON { .members(["app": self.app.traced, "rules": self.rules.traced]) }

    package init?(traced json: AdJSON) {
        guard let app = json["app"].flatMap(SmarticoApp.init(traced:)),
            let rules = json["rules"].flatMap(Rules.init(traced:))
        else { return nil }
        self.init(app, rules: rules)
    }

    package func redacted(by pseudonyms: inout Pseudonyms) -> SmarticoSession {
        SmarticoSession(self.app.redacted(by: &pseudonyms), rules: self.rules)
    }

    package static func traced(_ command: SmarticoCommand) -> AdJSON {
        switch command {
        case .connect: "connect"
        case .logIn(let user): .word("logIn", .members(["id": .string(user.id), "hash": .text(user.hash)]))
        case .logOut: "logOut"
        case .push(let push):
            .word(
                "push",
                .members([
                    "token": .text(push.token), "status": .int(push.status.rawValue),
                    "platform": .int(push.platform.rawValue),
                ])
            )
        case .language(let language): .word("language", .string(language))
        case .openGamification(let link): .word("openGamification", .text(link))
        case .startLogicalSession: "beginLogicalSession"
        case .end: "end"
        }
    }

    package static func command(traced json: AdJSON) -> SmarticoCommand? {
        guard let (name, value) = json.word else { return nil }
        switch name {
        case "connect": return .connect
        case "logIn":
            guard let id = value["id"]?.string, let hash = value.optional("hash", \.string) else { return nil }
            return .logIn(SmarticoUser(id: id, hash: hash))
        case "logOut": return .logOut
        case "push":
            guard let token = value.optional("token", \.string),
                let status = value["status"]?.whole(Int.self).flatMap(SmarticoPush.Status.init),
                let platform = value["platform"]?.whole(Int.self).flatMap(SmarticoPush.Platform.init)
            else { return nil }
            return .push(SmarticoPush(token: token, status: status, platform: platform))
        case "language": return value.string.map { .language($0) }
        case "openGamification":
            guard value == .null || value.string != nil else { return nil }
            return .openGamification(deepLink: value.string)
        case "beginLogicalSession": return .startLogicalSession
        case "end": return .end
        default: return nil
        }
    }

    package static func redacted(_ command: SmarticoCommand, by pseudonyms: inout Pseudonyms) -> SmarticoCommand {
        switch command {
        case .logIn(let user):
            .logIn(SmarticoUser(id: pseudonyms.name(user.id), hash: user.hash.map { pseudonyms.name($0) }))
        case .push(let push):
            .push(
                SmarticoPush(
                    token: push.token.map { pseudonyms.name($0) },
                    status: push.status,
                    platform: push.platform
                )
            )
        case .openGamification(let link): .openGamification(deepLink: link.map(self.redacted(link:)))
        case .connect, .logOut, .language, .startLogicalSession, .end: command
        }
    }

    package static func traced(_ event: SmarticoEvent) -> AdJSON {
        switch event {
        case .initialized(let settings):
            .word(
                "initialized",
                .members([
                    "products": .array(settings.products.map { .int($0) }), "fcm": .text(settings.fcmSenderID),
                    "images": .text(settings.imageDomain?.text), "country": .text(settings.country),
                    "city": .text(settings.city), "ip": .text(settings.ip),
                    "serverTime": settings.serverTime.map { .int($0.milliseconds) } ?? .null,
                ])
            )
        case .identified(let profile):
            .word(
                "identified",
                .members([
                    "name": .text(profile.username), "avatar": .text(profile.avatarID),
                    "properties": profile.properties,
                ])
            )
        case .refused(let step, let result):
            .word(
                "refused",
                .members([
                    "what": .string(step.rawValue), "errCode": .int(result.code), "errMsg": .text(result.message),
                ])
            )
        case .disconnected(let end, let pause):
            .word(
                "disconnected",
                .members(["message": .string(end.message), "retryIn": pause?.traced ?? .null])
            )
        case .pushTokenAccepted: "pushTaken"
        case .deepLink(let link): .word("deepLink", .string(link))
        case .publicProperties(let json): .word("publicProperties", json)
        case .gameOpening(let game):
            .word(
                "gameOpening",
                .members([
                    "ach_game_id": .text(game.smarticoID), "ext_game_id": .text(game.providerID),
                    "context": .text(game.context), "meta": game.meta,
                ])
            )
        case .gamificationUnavailable(let reason): .word("gamificationUnavailable", .string(reason))
        }
    }

    /// Fields whose values traces keep, because decisions depend on them.
    private static let valueFields: Set<String> = [
        "cid", "bcid", "uuid", "ts", "errCode", "products", "engagement_uid", "saw_template_id", "DYNAMIC_IMAGE_DOMAIN",
    ]
    /// Fields whose names traces keep, but not their values; all other names are redacted too.
    private static let nameFields: Set<String> = [
        "errMsg", "settings", "FCM_SENDER_ID", "public_username", "avatar_id", "props", "core_is_test_account",
        "payload", "ach_game_id", "ext_game_id", "context", "game_public_meta", "template_html",
    ]

    package static func redacted(_ text: String) -> String {
        // Text that is not JSON stays so in a redacted trace.
        guard let json = try? AdJSON.reading(Array(text.utf8)).json else { return Pseudonyms.placeholder }
        return self.redacted(json, keepsValue: false).text()
    }

    private static func redacted(_ json: AdJSON, keepsValue: Bool) -> AdJSON {
        switch json {
        case .null, .bool: json
        case .number: keepsValue ? json : 0
        case .string: keepsValue ? json : .string(Pseudonyms.placeholder)
        case .array(let elements): .array(elements.map { self.redacted($0, keepsValue: keepsValue) })
        case .object(let members): .object(members.enumerated().map { self.redacted($0.element, number: $0.offset) })
        }
    }

    private static func redacted(_ member: AdJSON.Member, number: Int) -> AdJSON.Member {
        switch (member.name, member.value) {
        case ("dp", .string(let link)): return .init(member.name, .string(self.redacted(link: link)))
        case ("native_app_gf_url", .string(let address)), ("native_app_popup_url", .string(let address)):
            return .init(member.name, .string(self.redacted(address: address)))
        case (let name, let value):
            let keepsValue = self.valueFields.contains(name)
            let keepsName = keepsValue || self.nameFields.contains(name)
            return .init(
                keepsName ? name : "\(Pseudonyms.placeholder)-\(number)",
                self.redacted(value, keepsValue: keepsValue)
            )
        }
    }

    /// The part of a link before its parameters.
    private static func redacted(link: String) -> String {
        let path = link.prefix { !"?&#;=".contains($0) }
        return path.count == link.count ? link : path + "&" + Pseudonyms.placeholder
    }

    /// The origin of a URL; the path and query of a page's URL authenticate the user.
    private static func redacted(address: String) -> String {
        guard let url = HTTPURL(address.trimmed) else { return Pseudonyms.placeholder }
        return "\(url.origin)/\(Pseudonyms.placeholder)"
    }
}

extension SmarticoSession.Rules {
    fileprivate var traced: AdJSON {
        .members([
            "inactivity": self.inactivity.traced, "beginsLogicalSessions": .bool(self.startsLogicalSessions),
            "pageValidity": self.pageValidity.traced, "patience": self.timeout.traced,
            "lifetime": self.lifetime.traced,
            "gamificationPrefixes": .array(self.gamificationPrefixes.map { .string($0) }),
        ])
    }

    fileprivate init?(traced json: AdJSON) {
        func duration(_ name: String) -> Duration? { json[name].flatMap(Duration.init(traced:)) }
        guard let inactivity = duration("inactivity"), let starts = json["beginsLogicalSessions"]?.bool,
            let pageValidity = duration("pageValidity"), let timeout = duration("patience"),
            let lifetime = duration("lifetime"), let prefixes = json["gamificationPrefixes"]?.array?.map(\.string),
            !prefixes.contains(nil)
        else { return nil }
        self.init()
        self.inactivity = inactivity
        self.startsLogicalSessions = starts
        self.pageValidity = pageValidity
        self.timeout = timeout
        self.lifetime = lifetime
        self.gamificationPrefixes = prefixes.compactMap(\.self)
    }
}

extension SmarticoApp {
    fileprivate var traced: AdJSON {
        .members([
            "labelKey": .string(self.labelKey), "brandKey": .text(self.brandKey), "id": .string(self.id),
            "version": .string(self.version), "deviceID": .string(self.deviceID), "agent": self.agent.traced,
            "page": .string(self.page), "socket": .string(self.socket.text), "services": .string(self.services.text),
        ])
    }

    fileprivate init?(traced json: AdJSON) {
        func text(_ name: String) -> String? { json[name]?.string }
        guard let labelKey = text("labelKey"), let brandKey = json.optional("brandKey", \.string),
            let id = text("id"), let version = text("version"), let deviceID = text("deviceID"),
            let agent = json["agent"].flatMap(SmarticoAgent.init(traced:)), let page = text("page"),
            let socket = text("socket").flatMap({ SocketURL($0) }),
            let services = text("services").flatMap({ HTTPURL($0) })
        else { return nil }
        self.init(
            labelKey: labelKey,
            brandKey: brandKey,
            id: id,
            version: version,
            deviceID: deviceID,
            agent: agent,
            page: page,
            socket: socket,
            services: services
        )
    }

    fileprivate func redacted(by pseudonyms: inout Pseudonyms) -> SmarticoApp {
        SmarticoApp(
            labelKey: pseudonyms.name(self.labelKey),
            brandKey: self.brandKey.map { pseudonyms.name($0) },
            id: self.id,
            version: self.version,
            deviceID: pseudonyms.name(self.deviceID),
            agent: self.agent.withoutFingerprint,
            page: pseudonyms.name(self.page),
            socket: self.socket,
            services: self.services
        )
    }
}

extension SmarticoAgent {
    fileprivate var traced: AdJSON {
        .members([
            "fingerprint": self.fingerprint.map { .int($0) } ?? .null, "userAgent": .text(self.userAgent),
            "host": .text(self.host), "deviceType": .string(self.deviceType), "browser": .text(self.browser),
            "os": .string(self.os),
        ])
    }

    fileprivate init?(traced json: AdJSON) {
        guard let fingerprint = json.optional("fingerprint", { $0.whole(Int64.self) }),
            let userAgent = json.optional("userAgent", \.string), let host = json.optional("host", \.string),
            let deviceType = json["deviceType"]?.string, let browser = json.optional("browser", \.string),
            let os = json["os"]?.string
        else { return nil }
        self.init(
            fingerprint: fingerprint,
            userAgent: userAgent,
            host: host,
            deviceType: deviceType,
            browser: browser,
            os: os
        )
    }

    fileprivate var withoutFingerprint: SmarticoAgent {
        SmarticoAgent(
            fingerprint: self.fingerprint.map { _ in 0 },
            userAgent: self.userAgent,
            host: self.host,
            deviceType: self.deviceType,
            browser: self.browser,
            os: self.os
        )
    }
}
