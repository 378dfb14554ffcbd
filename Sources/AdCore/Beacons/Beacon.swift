/// A beacon of an offer before its event: event, request and key.
public struct BeaconTemplate: Hashable, Sendable {
    /// The event that it reports.
    public let event: BeaconEvent
    /// The request to send.
    public let call: BeaconCall
    /// A key of the provider's own, shared by all ads that report the same thing; nil if each ad has its own key.
    public let providerKey: String?
    /// The URL with the macro of the time at which the beacon is recorded; nil without that macro.
    private var timedAddress: String?

    /// Creates a template.
    ///
    /// A provider's key must begin with the provider's name, because all providers share one ledger.
    public init(_ event: BeaconEvent, _ call: BeaconCall, providerKey: String? = nil) {
        self.event = event
        self.call = call
        self.providerKey = providerKey
    }

    /// Creates a template whose URL may still contain the macro of the impression's time (`PriceMacros.withoutTime`).
    package init(_ event: BeaconEvent, timed text: String, _ makeCall: (BeaconAddress) -> BeaconCall) {
        let timed = PriceMacros.needsTime(text) ? text : nil
        // Until it is recorded, the time is empty, as that of a macro without a value.
        let untimed = timed.map { PriceMacros().substituted(in: $0).text }
        self.init(event, makeCall(BeaconAddress(untimed ?? text)))
        self.timedAddress = timed
    }

    /// The request of a beacon that is recorded at a time.
    package func call(at time: WallTime) -> BeaconCall {
        guard let text = self.timedAddress else { return self.call }
        var call = self.call
        call.address = BeaconAddress(PriceMacros.filling(time, in: text))
        return call
    }

    /// The key of the beacon in an ad session.
    package func key(of ad: AdID, index: Int) -> BeaconKey {
        self.providerKey.map { BeaconKey(ad: ad, event: self.event, providerKey: $0) }
            ?? BeaconKey(ad: ad, event: self.event, index: index)
    }
}

/// The HTTP request of a beacon and what its response means for it.
public struct BeaconCall: Hashable, Sendable {
    /// Which responses mean that the beacon was delivered.
    public enum SuccessRule: String, Hashable, Sendable {
        /// Any status from 200 to 299.
        case success
        /// Status 200 only.
        case only200
        /// A status from 200 to 299 with a JSON body in which `errCode` is 0.
        case errCodeZero
        /// A status from 200 to 299 without a JSON body in which `ok` is false.
        case okNotFalse
    }

    /// The method.
    public var method: AdHTTPRequest.Method
    /// The URL with all macros replaced.
    public var address: BeaconAddress
    /// The headers, the user agent included.
    public var headers: AdHTTPHeaders
    /// Headers with secret values, of which only the names are recorded.
    public var secrets: [SecretHeader]
    /// The body, or nil.
    public var body: [UInt8]?
    /// Which responses mean that the beacon was delivered.
    public var successRule: SuccessRule
    /// What happens if the delivery is unconfirmed.
    public var guarantee: DeliveryGuarantee
    /// Whether money depends on it.
    public var isBilling: Bool

    /// Creates a call to a valid URL; the defaults are those of a tracker.
    public init(
        _ method: AdHTTPRequest.Method = .get,
        _ url: TrackingURL,
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        successRule: SuccessRule = .success,
        guarantee: DeliveryGuarantee = .atMostOnce,
        isBilling: Bool = false
    ) {
        self.init(
            method,
            .callable(url),
            headers: headers,
            secrets: secrets,
            body: body,
            successRule: successRule,
            guarantee: guarantee,
            isBilling: isBilling
        )
    }

    /// Creates a call to an address that may be invalid.
    public init(
        _ method: AdHTTPRequest.Method = .get,
        _ address: BeaconAddress,
        headers: AdHTTPHeaders = [:],
        secrets: [SecretHeader] = [],
        body: [UInt8]? = nil,
        successRule: SuccessRule = .success,
        guarantee: DeliveryGuarantee = .atMostOnce,
        isBilling: Bool = false
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.secrets = secrets
        self.body = body
        self.successRule = successRule
        self.guarantee = guarantee
        self.isBilling = isBilling
    }

    /// How long delivery is tried: seven days if money depends on it, else one day.
    public var lifetime: Duration { .seconds((self.isBilling ? 7 : 1) * 24 * 60 * 60) }
}

/// An HTTP request that reports an event of an ad to a server.
public struct Beacon: Hashable, Sendable {
    /// Its identity in the ledger.
    public let key: BeaconKey
    /// The request to send.
    public let call: BeaconCall
    /// The provider of the ad.
    public let provider: ProviderName

    /// Creates a beacon.
    public init(_ key: BeaconKey, _ call: BeaconCall, of provider: ProviderName) {
        self.key = key
        self.call = call
        self.provider = provider
    }

    /// The same beacon without identifiers that may not be sent any more; its key stays.
    package func withholding(_ identifiers: [String]) -> Beacon {
        guard !identifiers.isEmpty else { return self }
        var call = self.call
        // A short text identifies nobody, and may be anywhere in a URL.
        for identifier in identifiers where identifier.utf8.count >= 8 {
            // Both systems write an identifier in one of these forms; a server may have changed it in its URL.
            for text in Set([identifier, identifier.uppercased(), identifier.lowercased()]) {
                if call.address.text.contains(text) {
                    call.address = BeaconAddress(call.address.text.replacing(text, by: ""))
                }
                call.body = call.body.map { $0.replacing(Array(text.utf8), by: []) }
            }
        }
        return Beacon(self.key, call, of: self.provider)
    }

    /// The longest duration of one delivery attempt.
    package static let timeout = Duration.seconds(15)

    /// The HTTP request of one attempt, sent over a new connection so that the transport never repeats it.
    ///
    /// - Parameters:
    ///   - timeout: The total time limit.
    ///   - secret: Looks up a credential by its name.
    /// - Returns: The request.
    /// - Throws: An error with the phase `notSent` if the address is invalid or a credential is missing.
    package func request(
        within timeout: Duration = Beacon.timeout,
        secret: (CredentialName) -> String? = { _ in nil }
    ) throws(TransportError) -> AdHTTPRequest {
        guard let url = self.call.address.url else {
            throw TransportError(.notSent(.noAddress), self.call.address.uncallableReason ?? "")
        }
        var headers = self.call.headers
        for header in self.call.secrets {
            guard let value = secret(header.credential) else {
                let fix = "give it to the credentials of AdServices"
                throw TransportError(
                    .notSent(.missingCredential),
                    "the credential \u{201C}\(header.credential)\u{201D} is missing; \(fix)"
                )
            }
            // Without the header the server would refuse the beacon, which would be final.
            guard AdHTTPHeaders.Field(header.name, header.prefix + value) != nil else {
                throw TransportError(
                    .notSent(.missingCredential),
                    "the credential \u{201C}\(header.credential)\u{201D} contains a character that no header may have"
                )
            }
            headers[header.name] = header.prefix + value
        }
        headers["Idempotency-Key"] = self.key.text
        var request = AdHTTPRequest(
            self.call.method,
            url.http,
            headers: headers,
            secretHeaders: self.call.secrets.map(\.name),
            body: self.call.body,
            limits: .init(
                connecting: min(.seconds(5), timeout),
                total: timeout,
                body: 4096,
                excess: .discard,
                redirects: 5
            ),
            repetition: .counted
        )
        request.purpose = .beacon
        request.ad = self.key.ad
        return request
    }
}
