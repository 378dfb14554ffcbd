package import AdCore

/// A push notification that the device received, with the values that a report to the server contains.
///
/// ```swift
/// let message = SmarticoPushMessage(payload: ["user_ext_id": "u-7", "engagement_uid": "…", "message_id": "42"])
/// ```
public struct SmarticoPushMessage: Hashable, Sendable {
    /// The user id in the notification.
    public let userID: String
    /// The id of the engagement.
    public let engagementUID: String
    /// The message's id.
    public let messageID: Int64
    /// The action of a tap; nil if the notification has none.
    public let action: String?

    /// Creates a description of a notification.
    public init(userID: String, engagementUID: String, messageID: Int64, action: String? = nil) {
        self.userID = userID
        self.engagementUID = engagementUID
        self.messageID = messageID
        self.action = action
    }

    /// Parses a notification's payload; nil when it is not one of Smartico's.
    public init?(payload: [String: String]) {
        guard let user = payload["user_ext_id"], !user.isEmpty, let engagement = payload["engagement_uid"],
            !engagement.isEmpty, let message = payload["message_id"].flatMap({ Int64($0.trimmed) })
        else { return nil }
        self.init(userID: user, engagementUID: engagement, messageID: message, action: payload["action"])
    }
}

/// What happened to a push notification.
public enum SmarticoPushReport: String, Hashable, Sendable, CaseIterable {
    /// It could not be displayed.
    case failed
    /// It was received.
    case delivered
    /// It was displayed.
    case impression
    /// It was tapped.
    case action
}

// HTTP calls, which need no WebSocket. The ledger delivers them as beacons; `errCode` 0 in the response means success.

extension SmarticoApp {
    /// The HTTP method that registers a push token.
    public enum Registration: Hashable, Sendable {
        /// POST, which Smartico recommends.
        case post
        /// GET, with the values in the query.
        case get
    }

    /// The beacon that registers a push token; call it only when the user allows notifications.
    package func register(
        token: String,
        _ platform: SmarticoPush.Platform,
        for user: String,
        by registration: Registration,
        at time: WallTime,
        uuid: String
    ) throws(AdError) -> BeaconTemplate {
        for (value, name) in [(token, "push token"), (user, "user id")] where value.trimmed.isEmpty {
            throw AdError(.invalidRequest, "the \(name) is empty; set it")
        }
        let call: BeaconCall
        switch registration {
        case .post:
            let body: AdJSON = [
                "app_package_id": .string(self.id), "brand_key": .text(self.brandKey),
                "api_key": .string(self.labelKey), "ext_user_id": .string(user), "pushNotificationUserStatus": 0,
                "platform": .int(platform.rawValue), "cid": 1003, "token": .string(token),
            ]
            call = BeaconCall(
                .post,
                TrackingURL(self.services),
                headers: .neutralJSON(),
                body: body.bytes(),
                successRule: .errCodeZero,
                guarantee: .atLeastOnce
            )
        case .get:
            let payload: AdJSON = [
                "app_package_id": .string(self.id), "token": .string(token), "platform": .int(platform.rawValue),
                "pushNotificationUserStatus": 0,
            ]
            let event = self.event("register_push_token", user, payload, time, uuid)
            call = try self.get(event, guarantee: .atLeastOnce, isBilling: false)
        }
        return BeaconTemplate("pushToken", call, providerKey: "smartico/token/\(uuid)")
    }

    /// The beacon that reports what happened to a push notification; each report is sent once.
    package func report(
        _ report: SmarticoPushReport,
        of message: SmarticoPushMessage,
        at time: WallTime,
        uuid: String
    ) throws(AdError) -> BeaconTemplate {
        var payload: [AdJSON.Member] = [
            .init("engagement_uid", .string(message.engagementUID)), .init("message_id", .int(message.messageID)),
            .init("activity_type", 40),
        ]
        if report == .action { payload.append(.init("action", .text(message.action))) }
        let event = self.event("engagement_\(report.rawValue)", message.userID, .object(payload), time, uuid)
        let isBilling = report == .impression || report == .action
        let parts = [message.userID, message.engagementUID, String(message.messageID)].map(PercentEncoding.component)
        let name: BeaconEvent =
            switch report {
            case .impression: .view
            case .action: .click
            case .failed, .delivered: BeaconEvent(report.rawValue)
            }
        return BeaconTemplate(
            name,
            try self.get(event, guarantee: .atMostOnce, isBilling: isBilling),
            providerKey: "smartico/push/\(report.rawValue)/" + parts.joined(separator: "/")
        )
    }

    /// The JavaScript call that registers a push token in a page inside the app's own web view.
    public static func registrationScript(
        token: String,
        platform: SmarticoPush.Platform,
        packageID: String
    ) -> String {
        let arguments = [AdJSON.string(token), .int(platform.rawValue), .string(packageID)].map { $0.text().scriptSafe }
        return "_smartico.registerNativePushToken(\(arguments.joined(separator: ", ")))"
    }

    private func event(_ type: String, _ user: String, _ payload: AdJSON, _ time: WallTime, _ uuid: String) -> AdJSON {
        [
            "uuid": .string(uuid), "ts": .int(time.milliseconds), "event_type": .string(type),
            "user_ext_id": .string(user), "payload": payload,
        ]
    }

    private func get(_ event: AdJSON, guarantee: DeliveryGuarantee, isBilling: Bool) throws(AdError)
        -> BeaconCall
    {
        guard !self.services.target.contains("?") else {
            throw AdError(.invalidRequest, "the services URL has a query; remove it")
        }
        var query = [("api_key", self.labelKey)]
        if let brandKey { query.append(("brand_key", brandKey)) }
        query += [("version", self.version), ("event", event.text())]
        let text = query.map { "\($0.0)=\(PercentEncoding.component($0.1))" }.joined(separator: "&")
        do throws(HTTPURL.ParseError) {
            let url = try HTTPURL(parsing: "\(self.services.text)?\(text)")
            return BeaconCall(
                .get,
                TrackingURL(url),
                headers: ["Accept": "application/json", "User-Agent": "yabbi"],
                successRule: .errCodeZero,
                guarantee: guarantee,
                isBilling: isBilling
            )
        } catch {
            throw AdError(.invalidRequest, "the services URL can't be used: \(error.reason)")
        }
    }
}

extension String {
    /// JSON text that is safe inside a `<script>` element and a JavaScript string literal.
    fileprivate var scriptSafe: String {
        self.unicodeScalars.map { scalar in
            switch scalar {
            case "<": "\\u003C"
            case "\u{2028}": "\\u2028"
            case "\u{2029}": "\\u2029"
            default: String(scalar)
            }
        }.joined()
    }
}
