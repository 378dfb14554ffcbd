/// What is known of the device at the moment of a request.
///
/// What is not known is nil, and nothing is invented.
public struct AdContext: Hashable, Sendable {
    /// The advertising identifier, if the user allows one.
    public var ifa: String?
    /// The user agent of the device's web views.
    public var userAgent: String?
    /// Where the device is.
    public var location: Location?
    /// What the host says of the user's consent.
    public var consent: Consent
    /// The kind of network, where the host says it.
    public var network: NetworkKind?
    /// Whether the user does not want to be recognised: neither an identifier nor a place is told.
    public private(set) var isWithheld = false
    /// Names this request to the server, where its protocol wants that; minted by the loader for each load.
    public var requestID = ""

    /// Where a device is.
    public struct Location: Hashable, Sendable {
        /// Degrees north.
        public let latitude: Double
        /// Degrees east.
        public let longitude: Double
        /// The radius of uncertainty in metres.
        public let precision: Double

        /// A place, or nil where the numbers can't be one.
        public init?(latitude: Double, longitude: Double, precision: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude), precision.isFinite, precision >= 0
            else { return nil }
            self.latitude = latitude
            self.longitude = longitude
            self.precision = precision
        }
    }

    /// The consent signals that the host passes on, to the letter.
    public struct Consent: Hashable, Sendable {
        /// Whether the GDPR applies; nil where that is not known.
        public var gdprApplies: Bool?
        /// The TCF string.
        public var tcf: String?
        /// The GPP string.
        public var gpp: String?
        /// The GPP sections that apply.
        public var gppSections: [Int]
        /// The US privacy string.
        public var usPrivacy: String?
        /// Whether the user is a child under COPPA; nil where that is not known.
        public var coppa: Bool?

        /// Signals; what the host did not say is left out.
        public init(
            gdprApplies: Bool? = nil,
            tcf: String? = nil,
            gpp: String? = nil,
            gppSections: [Int] = [],
            usPrivacy: String? = nil,
            coppa: Bool? = nil
        ) {
            self.gdprApplies = gdprApplies
            self.tcf = tcf
            self.gpp = gpp
            self.gppSections = gppSections
            self.usPrivacy = usPrivacy
            self.coppa = coppa
        }
    }

    /// A context; what is not known is left out.
    public init(
        ifa: String? = nil,
        userAgent: String? = nil,
        location: Location? = nil,
        consent: Consent = Consent()
    ) {
        self.ifa = ifa
        self.userAgent = userAgent
        self.location = location
        self.consent = consent
    }
    /// The same without what tells who or where the user is.
    public func withholding() -> AdContext {
        var context = self
        context.ifa = nil
        context.location = nil
        context.isWithheld = true
        return context
    }
}
