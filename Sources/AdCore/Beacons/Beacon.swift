/// Whom to tell when something happens: part of an offer.
public struct BeaconTemplate: Hashable, Sendable {
    /// When to tell.
    public let event: BeaconEvent
    /// What to send.
    public let call: BeaconCall
    /// What makes it the same as another ad's, to the provider; nil where each ad tells for itself.
    public let providerKey: String?

    /// A beacon to be sent when an event happens.
    ///
    /// A provider's key begins with the provider's name: all providers share one ledger.
    public init(_ event: BeaconEvent, _ call: BeaconCall, providerKey: String? = nil) {
        self.event = event
        self.call = call
        self.providerKey = providerKey
    }

    /// The key of the beacon that an ad sends.
    package func key(of ad: AdID, index: Int) -> BeaconKey {
        self.providerKey.map { BeaconKey(ad: ad, event: self.event, providerKey: $0) }
            ?? BeaconKey(ad: ad, event: self.event, index: index)
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
        /// A status from 200 to 299, and a body of JSON in which `errCode` is 0.
        case errCodeZero
        /// A status from 200 to 299, and no body of JSON in which `ok` is false.
        case okNotFalse
    }

    /// The method.
    public var method: AdHTTPRequest.Method
    /// Where it goes, every macro filled in.
    public var address: BeaconAddress
    /// The headers, the user agent among them.
    public var headers: AdHTTPHeaders
    /// Headers whose values are secrets: only their names are ever written down.
    public var secrets: [SecretHeader]
    /// The body, or nil.
    public var body: [UInt8]?
    /// What counts as having arrived.
    public var verdict: Verdict
    /// What to do in doubt.
    public var guarantee: DeliveryGuarantee
    /// Whether money depends on it.
    public var isBilling: Bool

    /// A call to an address that can be called; the defaults are those of a tracker.
    public init(
        _ method: AdHTTPRequest.Method = .get,
        _ url: TrackingURL,
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        verdict: Verdict = .success,
        guarantee: DeliveryGuarantee = .atMostOnce,
        isBilling: Bool = false
    ) {
        self.init(
            method,
            .callable(url),
            headers: headers,
            secrets: secrets,
            body: body,
            verdict: verdict,
            guarantee: guarantee,
            isBilling: isBilling
        )
    }

    /// A call to whatever stands in the place of an address.
    public init(
        _ method: AdHTTPRequest.Method = .get,
        _ address: BeaconAddress,
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        verdict: Verdict = .success,
        guarantee: DeliveryGuarantee = .atMostOnce,
        isBilling: Bool = false
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.secrets = secrets
        self.body = body
        self.verdict = verdict
        self.guarantee = guarantee
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

    /// The longest that one attempt to deliver a beacon takes.
    package static let patience = Duration.seconds(15)

    /// The request as it is sent: over a connection of its own, never twice behind our back.
    ///
    /// - Parameters:
    ///   - patience: How long it may take in all.
    ///   - secret: Looks a secret up by its name.
    /// - Returns: The request.
    /// - Throws: What is missing, as something that was not sent.
    package func request(
        within patience: Duration = Beacon.patience,
        secret: (CredentialName) -> String? = { _ in nil }
    ) throws(TransportError) -> AdHTTPRequest {
        guard let url = self.call.address.url else {
            throw TransportError(.notSent(.noAddress), self.call.address.fault ?? "")
        }
        var headers = self.call.headers
        for header in self.call.secrets {
            guard let value = secret(header.credential) else {
                let cure = "give it to the credentials of AdServices"
                throw TransportError(
                    .notSent(.missingCredential),
                    "the credential \u{201C}\(header.credential)\u{201D} is not there; \(cure)"
                )
            }
            // Left out in silence, the beacon would be refused for good.
            guard AdHTTPHeaders.Field(header.name, header.prefix + value) != nil else {
                throw TransportError(
                    .notSent(.missingCredential),
                    "the credential \u{201C}\(header.credential)\u{201D} has a character that no header may have: a line break?"
                )
            }
            headers[header.name] = header.prefix + value
        }
        headers["Idempotency-Key"] = self.key.text
        return AdHTTPRequest(
            self.call.method,
            url.http,
            headers: headers,
            secretHeaders: self.call.secrets.map(\.name),
            body: self.call.body,
            limits: .init(
                connecting: min(.seconds(5), patience),
                total: patience,
                body: 4096,
                excess: .discard,
                redirects: 5
            ),
            repetition: .counted
        )
    }
}
