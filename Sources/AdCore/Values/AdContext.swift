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
    /// What was left out of this context; VAST macros of it are -2, not -1 (VAST 4.3 §6.1).
    package private(set) var withheld: Set<DeviceData> = []
    /// What the user has answered to the app's question whether it may track; nil where systems have no such question.
    package var authorization: TrackingAuthorization?
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

        /// The position to a tenth of a degree, about 11 km.
        ///
        /// That is an area far larger than the radius of 1,850 feet, within which a location is precise by the law of
        /// California (Civil Code 1798.140).
        var coarse: Location {
            let (latitude, longitude) = ((self.latitude * 10).rounded() / 10, (self.longitude * 10).rounded() / 10)
            return Location(latitude: latitude, longitude: longitude, precision: max(self.precision, 10_000)) ?? self
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
        /// Whether the user limits ad tracking: then nothing personal is sent.
        public var limitsTracking: Bool
        /// Whether the signals are all there are.
        package var state = State.complete
        /// What was repaired or refused when the signals were read.
        package var issues: [AdIssue] = []
        /// Single GPP sections, if the whole string is not known.
        package var sectionTexts: [Int: String] = [:]

        /// Whether signals are missing that the user or the host gave.
        package enum State: Hashable, Sendable {
            case complete
            /// The consent management platform did not answer yet.
            case pending
            /// A signal was refused because it can't be read.
            case damaged
        }

        /// Creates consent signals; a signal that is not given is unknown.
        public init(
            gdprApplies: Bool? = nil,
            tcf: String? = nil,
            gpp: String? = nil,
            gppSections: [Int] = [],
            usPrivacy: String? = nil,
            coppa: Bool? = nil,
            limitsTracking: Bool = false
        ) {
            self.limitsTracking = limitsTracking
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
    public func withholding() -> AdContext { self.withholding(DeviceData.personal) }

    /// The same context without some data; of a position that may not be precise a coarse one is left, and of the device
    /// its language.
    package func withholding(_ data: Set<DeviceData>) -> AdContext {
        var context = self
        context.withheld.formUnion(data)
        if !context.permits(.advertisingID) { context.ifa = nil }
        if !context.permits(.coarseLocation) {
            context.location = nil
        } else if !context.permits(.preciseLocation) {
            context.location = context.location?.coarse
        }
        if !context.permits(.deviceModel) { context.device = context.device.withoutModel }
        context.isWithheld = !context.permits(.advertisingID) && !context.permits(.coarseLocation)
        return context
    }

    /// Whether a piece of data may be sent.
    package func permits(_ data: DeviceData) -> Bool { !self.withheld.contains(data) }
}
