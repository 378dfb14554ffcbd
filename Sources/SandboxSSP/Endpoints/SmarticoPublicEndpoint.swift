import AdCore
import LoopbackServer

/// Smartico's HTTP API: push tokens, and reports about push notifications.
///
/// The status is always 200; `errCode` in the body is 0 if the call was accepted.
enum SmarticoPublicEndpoint {
    static let all = [
        Endpoint(
            path: .exact("/services/public"),
            methods: ["GET", "POST"],
            about: "Smartico's push tokens (POST, or event=…) and reports about push notifications (event=…)",
            billed: .pushReport
        ) { request, _ in
            do throws(FieldError) {
                if request.method == "POST" {
                    try Self.checkToken(Fields(parsing: request.body))
                } else {
                    try Self.checkEvent(request)
                }
                return Self.response(errCode: 0, "")
            } catch {
                var response = Self.response(errCode: 1, error.message)
                response.isRefusal = true
                return response
            }
        }
    ]

    /// An app's report about a push notification.
    struct Report: Hashable, Sendable {
        /// The event's name on the bill.
        let event: String
        let engagement: String?
    }

    /// The report in a call; nil when it has none.
    static func report(in hit: Sandbox.Hit) -> Report? {
        guard let text = Query.value(of: "event", in: hit.query), let event = try? AdJSON(parsing: text),
            let name = event["event_type"]?.string.flatMap({ self.reports[$0] })
        else { return nil }
        return Report(event: name, engagement: event["payload"]?["engagement_uid"]?.string)
    }

    /// The event names of Smartico's protocol, and those of the bill.
    private static let reports = [
        "engagement_failed": "failed", "engagement_delivered": "delivered", "engagement_impression": "impression",
        "engagement_action": "click",
    ]
    private static let tokenEvent = "register_push_token"
    /// The activity type of push notifications.
    private static let pushActivityType = 40

    private static func response(errCode: Int, _ message: String) -> ServerResponse {
        .json([
            "errCode": .int(errCode), "detailMessage": .string(message), "stackTrace": [], "suppressedExceptions": [],
        ])
    }

    private static func checkToken(_ fields: Fields) throws(FieldError) {
        _ = try fields.integer("cid", in: 1003...1003)
        _ = try SmarticoLabel(fields.text("api_key"), at: "api_key", brand: fields.textOrNull("brand_key"))
        try self.checkUser("ext_user_id", fields)
        try self.checkPush(fields)
    }

    private static func checkEvent(_ request: ServerRequest) throws(FieldError) {
        guard let key = request.queryValue("api_key") else { throw FieldError("api_key", "is missing") }
        let brand = request.queryValue("brand_key")
        _ = try SmarticoLabel(key, at: "api_key", brand: brand?.isEmpty == true ? nil : brand)
        guard request.queryValue("version")?.isEmpty == false else { throw FieldError("version", "is missing") }
        guard let text = request.queryValue("event") else { throw FieldError("event", "is missing") }
        let event: AdJSON
        do throws(AdJSON.ParseError) {
            event = try AdJSON(parsing: text)
        } catch {
            throw FieldError("event", "is not valid JSON: \(error)")
        }
        let fields = try Fields(event, at: "event")
        _ = try fields.text("uuid")
        _ = try fields.integer("ts", in: 0...8_640_000_000_000_000)
        let type = try fields.text("event_type")
        try self.checkUser("user_ext_id", fields)
        let payload = try fields.object("payload")
        switch type {
        case self.tokenEvent: try self.checkPush(payload)
        case _ where self.reports[type] != nil:
            _ = try payload.text("engagement_uid")
            _ = try payload.integer("message_id", in: 0...Int(Int32.max))
            _ = try payload.integer("activity_type", in: self.pushActivityType...self.pushActivityType)
            if type == "engagement_action" { _ = try payload.text("action") }
        default:
            let known = ([self.tokenEvent] + self.reports.keys.sorted()).joined(separator: ", ")
            throw fields.error("event_type", "is unknown: \"\(type)\"; allowed: \(known)")
        }
    }

    /// A user id may be a string or a number here.
    private static func checkUser(_ name: String, _ fields: Fields) throws(FieldError) {
        if case .number = try fields.value(name) { return }
        _ = try fields.text(name)
    }

    private static func checkPush(_ fields: Fields) throws(FieldError) {
        // Needed only for labels with several push notification projects.
        if fields["app_package_id"] != nil { _ = try fields.text("app_package_id") }
        _ = try fields.text("token")
        _ = try fields.integer("platform", in: 6...7)
        _ = try fields.integer("pushNotificationUserStatus", in: 0...0)
    }
}
