/// Whom to tell when something happens: part of an offer.
public struct BeaconTemplate: Hashable, Sendable {
    /// When to tell.
    public let event: BeaconEvent
    /// What to send.
    public let call: BeaconCall

    /// A beacon to be sent when an event happens.
    public init(_ event: BeaconEvent, _ call: BeaconCall) {
        self.event = event
        self.call = call
    }
}

/// The exact request of a beacon and how its answer is judged.
public struct BeaconCall: Hashable, Sendable {
    /// What counts as having arrived.
    public enum Verdict: String, Hashable, Sendable {
        /// Any status from 200 to 299.
        case success
        /// Status 200 and no other.
        case only200
    }

    /// What to do when bytes left and no answer came.
    public enum Doubt: String, Hashable, Sendable {
        /// Don't send again: nothing is ever counted twice. The beacon stays listed as unconfirmed.
        case assumeDelivered
        /// Send again with the same `Idempotency-Key`, for servers that take each key once.
        case resend
    }

    /// The method.
    public var method: HTTPRequest.Method
    /// The address, every macro filled in.
    public var url: TrackingURL
    /// The headers, the user agent among them.
    public var headers: HTTPHeaders
    /// The body, or nil.
    public var body: [UInt8]?
    /// What counts as having arrived.
    public var verdict: Verdict
    /// What to do in doubt.
    public var doubt: Doubt
    /// Whether money depends on it.
    public var isBilling: Bool

    /// A call; the defaults are those of a tracker.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ url: TrackingURL,
        headers: HTTPHeaders = [:],
        body: [UInt8]? = nil,
        verdict: Verdict = .success,
        doubt: Doubt = .assumeDelivered,
        isBilling: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.verdict = verdict
        self.doubt = doubt
        self.isBilling = isBilling
    }

    /// How long it is worth trying: seven days where money depends on it, else one.
    public var lifetime: Duration { .seconds((self.isBilling ? 7 : 1) * 24 * 60 * 60) }
}

/// One HTTP request that tells somebody that something happened.
public struct Beacon: Hashable, Sendable {
    /// What makes it the same beacon.
    public let key: BeaconKey
    /// What to send.
    public let call: BeaconCall
    /// Whose ad it tells of.
    public let provider: ProviderName

    /// A beacon.
    public init(_ key: BeaconKey, _ call: BeaconCall, of provider: ProviderName) {
        self.key = key
        self.call = call
        self.provider = provider
    }

    /// The request as it is sent: over a connection of its own, never twice behind our back.
    public var request: HTTPRequest {
        var headers = self.call.headers
        headers["Idempotency-Key"] = self.key.text
        return HTTPRequest(
            self.call.method,
            self.call.url.http,
            headers: headers,
            body: self.call.body,
            limits: .init(connecting: .seconds(5), total: .seconds(15), body: 4096, excess: .discard, redirects: 5),
            repetition: .counted
        )
    }
}
