public import AdCore

/// What we say of an OpenRTB 2.6 BidRequest: one impression in an app.
///
/// What is not known is left out, never invented.
public struct BidRequest: Hashable, Sendable {
    /// Names the auction.
    public var id: String
    /// The placement.
    public var impression: Impression
    /// The app.
    public var app: App
    /// The device.
    public var device: Device
    /// The consent signals, passed on to the letter.
    public var consent: AdContext.Consent

    /// The one impression of a request.
    public struct Impression: Hashable, Sendable {
        /// What may be shown there.
        public enum Media: Hashable, Sendable {
            /// HTML, of this size where it is known.
            case banner(Size?)
            /// A video.
            case video
        }

        /// Names the impression within the request.
        public var id = "1"
        /// The placement's id.
        public var tagID: String
        /// What may be shown there.
        public var media: Media
        /// Whether it covers the whole screen.
        public var isInterstitial: Bool
        /// Whether it is rewarded.
        public var isRewarded: Bool

        /// An impression.
        public init(tagID: String, media: Media, isInterstitial: Bool = false, isRewarded: Bool = false) {
            self.tagID = tagID
            self.media = media
            self.isInterstitial = isInterstitial
            self.isRewarded = isRewarded
        }
    }

    /// The app that asks.
    public struct App: Hashable, Sendable {
        /// The app's name as people read it.
        public var name: String
        /// The app's technical name.
        public var bundle: String
        /// The publisher's id.
        public var publisherID: String

        /// An app.
        public init(name: String, bundle: String, publisherID: String) {
            self.name = name
            self.bundle = bundle
            self.publisherID = publisherID
        }
    }

    /// The device that asks.
    public struct Device: Hashable, Sendable {
        /// The user agent.
        public var userAgent: String?
        /// The advertising identifier.
        public var ifa: String?
        /// Where it is.
        public var location: AdContext.Location?

        /// A device; what is not known is left out.
        public init(userAgent: String? = nil, ifa: String? = nil, location: AdContext.Location? = nil) {
            self.userAgent = userAgent
            self.ifa = ifa
            self.location = location
        }
    }

    /// A request.
    public init(id: String, impression: Impression, app: App, device: Device, consent: AdContext.Consent = .init()) {
        self.id = id
        self.impression = impression
        self.app = app
        self.device = device
        self.consent = consent
    }
}

extension BidRequest {
    /// The request as JSON.
    ///
    /// It has an `app` and never a `site`.
    public var json: JSON {
        var members = [
            JSON.Member("id", .string(self.id)),
            JSON.Member("imp", .array([self.impression.json])),
            JSON.Member("app", self.app.json),
        ]
        let device = self.device.members
        if !device.isEmpty { members.append(JSON.Member("device", .object(device))) }
        if let tcf = self.consent.tcf { members.append(JSON.Member("user", ["consent": .string(tcf)])) }
        let regs = self.regs
        if !regs.isEmpty { members.append(JSON.Member("regs", .object(regs))) }
        return .object(members)
    }

    /// A request of the web made one of an app: `site` goes, `app.name` and `app.bundle` come, all else stays.
    public static func inApp(_ request: JSON, _ app: App) -> JSON {
        guard case .object(let members) = request else { return request }
        var inner: [JSON.Member] = []
        if case .object(let known) = request["app"] {
            inner = known.filter { $0.name != "name" && $0.name != "bundle" }
        }
        inner += [JSON.Member("name", .string(app.name)), JSON.Member("bundle", .string(app.bundle))]
        return .object(members.filter { $0.name != "site" && $0.name != "app" } + [JSON.Member("app", .object(inner))])
    }

    private var regs: [JSON.Member] {
        var regs: [JSON.Member] = []
        if let coppa = self.consent.coppa { regs.append(JSON.Member("coppa", .int(coppa ? 1 : 0))) }
        if let gdpr = self.consent.gdprApplies { regs.append(JSON.Member("gdpr", .int(gdpr ? 1 : 0))) }
        if let privacy = self.consent.usPrivacy { regs.append(JSON.Member("us_privacy", .string(privacy))) }
        if let gpp = self.consent.gpp { regs.append(JSON.Member("gpp", .string(gpp))) }
        if !self.consent.gppSections.isEmpty {
            regs.append(JSON.Member("gpp_sid", .array(self.consent.gppSections.map { .int($0) })))
        }
        return regs
    }
}

extension BidRequest.Impression {
    fileprivate var json: JSON {
        var members = [JSON.Member("id", .string(self.id)), JSON.Member("tagid", .string(self.tagID))]
        switch self.media {
        case .banner(let size):
            var banner: [JSON.Member] = []
            if let size {
                banner.append(JSON.Member("w", .int(Int64(size.width))))
                banner.append(JSON.Member("h", .int(Int64(size.height))))
            }
            members.append(JSON.Member("banner", .object(banner)))
        case .video:
            members.append(JSON.Member("video", ["mimes": ["video/mp4"]]))
        }
        if self.isInterstitial { members.append(JSON.Member("instl", 1)) }
        if self.isRewarded { members.append(JSON.Member("rwdd", 1)) }
        return .object(members)
    }
}

extension BidRequest.App {
    fileprivate var json: JSON {
        [
            "name": .string(self.name),
            "bundle": .string(self.bundle),
            "publisher": ["id": .string(self.publisherID)],
        ]
    }
}

extension BidRequest.Device {
    fileprivate var members: [JSON.Member] {
        var members: [JSON.Member] = []
        if let userAgent, !userAgent.isEmpty { members.append(JSON.Member("ua", .string(userAgent))) }
        if let ifa, !ifa.isEmpty { members.append(JSON.Member("ifa", .string(ifa))) }
        if let location {
            let geo: JSON = [
                "lat": .double(location.latitude),
                "lon": .double(location.longitude),
                "accuracy": .double(location.precision.rounded()),
                "type": 1,
            ]
            members.append(JSON.Member("geo", geo))
        }
        return members
    }
}
