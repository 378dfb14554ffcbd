public import AdCore

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
        members.add("device", self.device.members)
        members.add("user", self.user)
        members.add("regs", self.regs)
        members.add("at", self.auction.map { .int($0.rawValue) })
        members.add("tmax", self.timeout.map { .int(max(0, $0.wholeMilliseconds)) })
        if !self.currencies.isEmpty { members.add("cur", .array(self.currencies.map(JSON.string))) }
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

    private var user: [JSON.Member] {
        var user: [JSON.Member] = []
        user.add("consent", self.consent.tcf.map(JSON.string))
        return user
    }

    private var regs: [JSON.Member] {
        var regs: [JSON.Member] = []
        regs.add("coppa", self.consent.coppa.map(JSON.flag))
        regs.add("gdpr", self.consent.gdprApplies.map(JSON.flag))
        regs.add("us_privacy", self.consent.usPrivacy.map(JSON.string))
        regs.add("gpp", self.consent.gpp.map(JSON.string))
        if !self.consent.gppSections.isEmpty { regs.add("gpp_sid", .array(self.consent.gppSections.map { .int($0) })) }
        return regs
    }
}

extension BidRequest.Impression {
    fileprivate var json: JSON {
        var members = [JSON.Member("id", .string(self.id)), JSON.Member("tagid", .string(self.tagID))]
        switch self.media {
        case .banner(let size):
            members.add("banner", .object(self.sides(size)))
        case .video(let size):
            members.add("video", .object([JSON.Member("mimes", ["video/mp4"])] + self.sides(size)))
        }
        if self.isInterstitial { members.add("instl", 1) }
        if self.isRewarded { members.add("rwdd", 1) }
        members.add("secure", self.isSecure.map(JSON.flag))
        members.add("displaymanager", self.displayManager.map(JSON.string))
        members.add("displaymanagerver", self.displayManagerVersion.map(JSON.string))
        return .object(members)
    }

    /// A size that is known, as `w` and `h`.
    private func sides(_ size: Size?) -> [JSON.Member] {
        guard let size, let width = self.side(size.width), let height = self.side(size.height) else { return [] }
        return [JSON.Member("w", .int(width)), JSON.Member("h", .int(height))]
    }

    /// A side in whole points; what no screen has is not said.
    private func side(_ value: Double) -> Int? {
        let rounded = value.rounded(.down)
        return (1...100_000).contains(rounded) ? Int(rounded) : nil
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
        if let userAgent, !userAgent.isEmpty { members.add("ua", .string(userAgent)) }
        if let ifa, !ifa.isEmpty { members.add("ifa", .string(ifa)) }
        members.add("lmt", self.limitsTracking.map(JSON.flag))
        if let location {
            let geo: JSON = [
                "lat": .double(location.latitude),
                "lon": .double(location.longitude),
                "accuracy": .double(location.precision.rounded()),
                "type": 1,
            ]
            members.add("geo", geo)
        }
        return members
    }
}

extension [JSON.Member] {
    /// Adds a member that is known.
    fileprivate mutating func add(_ name: String, _ value: JSON?) {
        if let value { self.append(JSON.Member(name, value)) }
    }

    /// Adds an object that says something.
    fileprivate mutating func add(_ name: String, _ members: [JSON.Member]) {
        if !members.isEmpty { self.append(JSON.Member(name, .object(members))) }
    }
}

extension JSON {
    /// Yes and no as OpenRTB writes them.
    fileprivate static func flag(_ value: Bool) -> JSON { .int(value ? 1 : 0) }
}
