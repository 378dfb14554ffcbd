import AdCore

/// Smartico without a socket: where push notifications go, and what became of them.
///
/// The status is always 200; `errCode` in the answer says whether the call was taken.
enum SmarticoPublicEndpoint {
    static let all = [
        Endpoint(
            place: .at("/services/public"),
            methods: ["GET", "POST"],
            about: "Smartico's push tokens (POST, or event=…) and what became of push notifications (event=…)",
            billed: .pushReport
        ) { request, _ in
            do throws(FieldFault) {
                if request.method == "POST" {
                    try Self.checkToken(Fields(parsing: request.body))
                } else {
                    try Self.checkEvent(request)
                }
                return Self.reply(errCode: 0, "")
            } catch {
                var reply = Self.reply(errCode: 1, error.message)
                reply.isRefusal = true
                return reply
            }
        }
    ]

    /// What an app tells of a push notification.
    struct Report: Hashable, Sendable {
        /// In the words of the bill.
        let event: String
        let engagement: String?
    }

    /// What a call tells of a push notification; nil where it tells of none.
    static func report(in hit: Sandbox.Hit) -> Report? {
        guard let text = Query.value(of: "event", in: hit.query), let event = try? AdJSON(parsing: text),
            let name = event["event_type"]?.string.flatMap({ self.reports[$0] })
        else { return nil }
        return Report(event: name, engagement: event["payload"]?["engagement_uid"]?.string)
    }

    /// The document's names, and the bill's.
    private static let reports = [
        "engagement_failed": "failed", "engagement_delivered": "delivered", "engagement_impression": "impression",
        "engagement_action": "click",
    ]
    private static let tokenEvent = "register_push_token"
    /// What a push notification is among engagements.
    private static let activity = 40

    private static func reply(errCode: Int, _ message: String) -> SandboxReply {
        .json([
            "errCode": .int(errCode), "detailMessage": .string(message), "stackTrace": [], "suppressedExceptions": [],
        ])
    }

    private static func checkToken(_ fields: Fields) throws(FieldFault) {
        _ = try fields.whole("cid", in: 1003...1003)
        _ = try SmarticoLabel(fields.text("api_key"), at: "api_key", brand: fields.textOrNull("brand_key"))
        try self.checkUser("ext_user_id", fields)
        try self.checkPush(fields)
    }

    private static func checkEvent(_ request: SandboxRequest) throws(FieldFault) {
        guard let key = request.queryValue("api_key") else { throw FieldFault("api_key", "is missing") }
        let brand = request.queryValue("brand_key")
        _ = try SmarticoLabel(key, at: "api_key", brand: brand?.isEmpty == true ? nil : brand)
        guard request.queryValue("version")?.isEmpty == false else { throw FieldFault("version", "is missing") }
        guard let text = request.queryValue("event") else { throw FieldFault("event", "is missing") }
        let event: AdJSON
        do throws(AdJSON.Fault) {
            event = try AdJSON(parsing: text)
        } catch {
            throw FieldFault("event", "is no JSON: \(error)")
        }
        let fields = try Fields(event, at: "event")
        _ = try fields.text("uuid")
        _ = try fields.whole("ts", in: 0...8_640_000_000_000_000)
        let type = try fields.text("event_type")
        try self.checkUser("user_ext_id", fields)
        let payload = try fields.object("payload")
        switch type {
        case self.tokenEvent: try self.checkPush(payload)
        case _ where self.reports[type] != nil:
            _ = try payload.text("engagement_uid")
            _ = try payload.whole("message_id", in: 0...Int(Int32.max))
            _ = try payload.whole("activity_type", in: self.activity...self.activity)
            if type == "engagement_action" { _ = try payload.text("action") }
        default:
            let known = ([self.tokenEvent] + self.reports.keys.sorted()).joined(separator: ", ")
            throw fields.fault("event_type", "is \"\(type)\"; known are \(known)")
        }
    }

    /// A user's id may be a number here.
    private static func checkUser(_ name: String, _ fields: Fields) throws(FieldFault) {
        if case .number = try fields.value(name) { return }
        _ = try fields.text(name)
    }

    private static func checkPush(_ fields: Fields) throws(FieldFault) {
        // Only needed where a label has several projects for its notifications.
        if fields["app_package_id"] != nil { _ = try fields.text("app_package_id") }
        _ = try fields.text("token")
        _ = try fields.whole("platform", in: 6...7)
        _ = try fields.whole("pushNotificationUserStatus", in: 0...0)
    }
}
