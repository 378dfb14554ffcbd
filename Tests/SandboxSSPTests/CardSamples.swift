import AdCore
import LoopbackServer

@testable import SandboxSSP

extension Samples {
    static let decideHeaders = ["authorization": "Bearer am_test_abc123xyz", "apikey": "anon_test_sandbox"]
    static let clickHeaders = ["x-api-key": "am_test_abc123xyz", "x-agent-id": "agt_test_demo"]

    /// AttentionMarket's request as in its documentation, with some members changed; nil removes a member.
    static func decide(_ message: String, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "user_message": .string(message), "conversation_history": [], "placement": "sponsored_suggestion",
                "session_context": ["device_type": "mobile", "platform": "ios"],
            ],
            changes
        )
    }

    /// CeedAds' request as in its documentation, with some members changed; nil removes a member.
    static func ceed(_ text: String, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "appId": "app_test_demo", "conversationId": "c-1", "messageId": "m-1", "contextText": .string(text),
                "language": nil, "userId": nil, "sdkVersion": "1.0.0",
            ],
            changes
        )
    }

    /// CeedAds' event as in its documentation, with some members changed; nil removes a member.
    static func event(_ type: String, _ request: AdJSON?, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "type": .string(type), "adId": "ceed-frondolo", "advertiserId": "adv-frondolo",
                "requestId": request ?? .null, "appId": "app_test_demo", "conversationId": "c-1", "userId": nil,
            ],
            changes
        )
    }
}

extension SandboxState {
    /// Requests a card from AttentionMarket, with credentials.
    mutating func decide(_ message: String, _ changes: [String: AdJSON?] = [:]) -> ServerResponse {
        let body = Samples.decide(message, changes).bytes()
        return self.request("POST", "/functions/v1/decide", headers: Samples.decideHeaders, bytes: body)
    }

    /// Reports a click to AttentionMarket, with credentials.
    mutating func click(_ token: AdJSON?, key: String? = nil) -> ServerResponse {
        var headers = Samples.clickHeaders
        headers["idempotency-key"] = key
        let body = Samples.changed([:], ["tracking_token": token])
        return self.request("POST", "/functions/v1/track/click", headers: headers, bytes: body.bytes())
    }

    /// Requests an ad from CeedAds at a time.
    mutating func ceed(_ text: String, _ changes: [String: AdJSON?] = [:], at time: Int64 = 0) -> ServerResponse {
        self.request("POST", "/api/requests", bytes: Samples.ceed(text, changes).bytes(), at: time)
    }

    /// Reports an event to CeedAds.
    mutating func event(
        _ type: String,
        _ request: AdJSON?,
        _ changes: [String: AdJSON?] = [:],
        key: String? = nil
    ) -> ServerResponse {
        let headers = key.map { ["idempotency-key": $0] } ?? [:]
        let body = Samples.event(type, request, changes).bytes()
        return self.request("POST", "/api/events", headers: headers, bytes: body)
    }

    /// Requests a format from ActiveAds on a day after the sandbox's start.
    mutating func active(_ format: String, onDay day: Int64 = 0) -> ServerResponse {
        let body: AdJSON = ["format": .string(format)]
        return self.request("POST", "/functions/v1/get-active-ads", bytes: body.bytes(), at: day * 86_400_000)
    }

    /// The titles in ActiveAds' response.
    mutating func titles(_ format: String, onDay day: Int64 = 0) -> [String] {
        self.active(format, onDay: day).json?["ads"]?.array?.compactMap { $0["title"]?.string } ?? []
    }

    /// Reports a click to ActiveAds.
    mutating func activeClick(_ id: String, key: String? = nil) -> ServerResponse {
        let headers = key.map { ["idempotency-key": $0] } ?? [:]
        let body: AdJSON = ["campaign_id": .string(id)]
        return self.request("POST", "/functions/v1/track-ad-click", headers: headers, bytes: body.bytes())
    }
}

extension AdJSON {
    /// The names of an object's members, in order.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.map(\.name)
    }
}
