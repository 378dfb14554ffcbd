/// The device, the user's consent and the network at the time of an ad request.
///
/// A value that is not known is nil and is left out of the request; none is replaced by a default.
public struct AdContext: Hashable, Sendable {
    /// The advertising identifier, if the user allows one.
    public var ifa: String?
    /// The user agent of the device's web views: `device.ua` (OpenRTB 2.6 §3.2.18).
    public var userAgent: String?
    /// The device's position: `device.geo` (OpenRTB 2.6 §3.2.18, §3.2.19).
    public var location: Location?
    /// What the host knows about the device.
    public var device = Device()
    /// The consent signals that the host passes on.
    public var consent: Consent
    /// The kind of network; nil if the host does not report it.
    public var network: NetworkKind?
    /// Whether tracking is limited: neither an advertising identifier nor a position is sent.
    public private(set) var isWithheld = false
    /// The request's id, for protocols that have one; the loader makes a new one for each load.
    public var requestID = ""
    /// What the load allows; nil outside of a load.
    package var terms: LoadTerms?

    /// A position on earth.
    public struct Location: Hashable, Sendable {
        /// Degrees north, from -90 to 90.
        public let latitude: Double
        /// Degrees east, from -180 to 180.
        public let longitude: Double
        /// The radius of uncertainty in metres.
        public let precision: Double

        /// Creates a position; nil if a number is out of range.
        public init?(latitude: Double, longitude: Double, precision: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude), precision.isFinite, precision >= 0
            else { return nil }
            self.latitude = latitude
            self.longitude = longitude
            self.precision = precision
        }
    }

    /// The consent signals of the host, passed on unchanged.
    public struct Consent: Hashable, Sendable {
        /// Whether the GDPR applies; nil if unknown.
        public var gdprApplies: Bool?
        /// The consent string of the IAB Transparency and Consent Framework.
        public var tcf: String?
        /// The string of the IAB Global Privacy Platform.
        public var gpp: String?
        /// The ids of the GPP sections that apply.
        public var gppSections: [Int]
        /// The US Privacy string of the CCPA.
        public var usPrivacy: String?
        /// Whether COPPA applies to the user; nil if unknown.
        public var coppa: Bool?

        /// Creates consent signals; a signal that is not given is unknown.
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

    /// Creates a context; a value that is not given is unknown.
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

    /// The same context without the advertising identifier and the position.
    ///
    /// The device's data stay: they describe a model, not the user.
    public func withholding() -> AdContext {
        var context = self
        context.ifa = nil
        context.location = nil
        context.isWithheld = true
        return context
    }
}
