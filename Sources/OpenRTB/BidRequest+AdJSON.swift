package import AdCore

extension BidRequest {
    /// The request as JSON.
    ///
    /// It has an `app` and never a `site` (OpenRTB 2.6 §3.2.1): the ad is shown in an app.
    package var json: AdJSON {
        var members = [
            AdJSON.Member("id", .string(self.id)),
            AdJSON.Member("imp", .array([self.impression.json])),
            AdJSON.Member("app", self.app.json),
        ]
        members.add("device", self.device.members)
        members.add("user", self.user)
        members.add("regs", self.regs)
        members.add("at", self.auction.map { .int($0.rawValue) })
        members.add("tmax", self.timeout.map { .int(max(0, $0.wholeMilliseconds)) })
        if !self.currencies.isEmpty { members.add("cur", .array(self.currencies.map(AdJSON.string))) }
        return .object(members)
    }

    /// Turns a web site's request into an app's: removes `site`, sets `app.name` and `app.bundle`, keeps the rest.
    package static func appRequest(from request: AdJSON, app: App) -> AdJSON {
        guard case .object(let members) = request else { return request }
        var appMembers: [AdJSON.Member] = []
        if case .object(let existing) = request["app"] {
            appMembers = existing.filter { $0.name != "name" && $0.name != "bundle" }
        }
        appMembers += [AdJSON.Member("name", .string(app.name)), AdJSON.Member("bundle", .string(app.bundle))]
        return .object(
            members.filter { $0.name != "site" && $0.name != "app" } + [AdJSON.Member("app", .object(appMembers))]
        )
    }

    /// The members of the User object (OpenRTB 2.6 §3.2.20).
    private var user: [AdJSON.Member] {
        var user: [AdJSON.Member] = []
        user.add("consent", self.consent.tcf.map(AdJSON.string))
        return user
    }

    /// The members of the Regs object (OpenRTB 2.6 §3.2.3).
    private var regs: [AdJSON.Member] {
        var regs: [AdJSON.Member] = []
        regs.add("coppa", self.consent.coppa.map(AdJSON.flag))
        regs.add("gdpr", self.consent.gdprApplies.map(AdJSON.flag))
        regs.add("us_privacy", self.consent.usPrivacy.map(AdJSON.string))
        regs.add("gpp", self.consent.gpp.map(AdJSON.string))
        if !self.consent.gppSections.isEmpty { regs.add("gpp_sid", .array(self.consent.gppSections.map { .int($0) })) }
        return regs
    }
}

extension BidRequest.Impression {
    /// The Imp object (OpenRTB 2.6 §3.2.4).
    fileprivate var json: AdJSON {
        var members = [AdJSON.Member("id", .string(self.id)), AdJSON.Member("tagid", .string(self.tagID))]
        switch self.media {
        case .banner(let size):
            members.add("banner", .object(self.sizeMembers(size)))
        case .video(let size):
            members.add("video", .object([AdJSON.Member("mimes", ["video/mp4"])] + self.sizeMembers(size)))
        }
        if self.isInterstitial { members.add("instl", 1) }
        if self.isRewarded { members.add("rwdd", 1) }
        members.add("secure", self.isSecure.map(AdJSON.flag))
        members.add("displaymanager", self.displayManager.map(AdJSON.string))
        members.add("displaymanagerver", self.displayManagerVersion.map(AdJSON.string))
        return .object(members)
    }

    /// `w` and `h`; empty when the size is unknown.
    private func sizeMembers(_ size: Size?) -> [AdJSON.Member] {
        guard let size, let width = self.wholePoints(size.width), let height = self.wholePoints(size.height) else {
            return []
        }
        return [AdJSON.Member("w", .int(width)), AdJSON.Member("h", .int(height))]
    }

    /// A width or height in whole points; nil when no screen can have it.
    private func wholePoints(_ value: Double) -> Int? {
        let rounded = value.rounded(.down)
        return (1...100_000).contains(rounded) ? Int(rounded) : nil
    }
}

extension BidRequest.App {
    /// The App object (OpenRTB 2.6 §3.2.14).
    fileprivate var json: AdJSON {
        [
            "name": .string(self.name),
            "bundle": .string(self.bundle),
            "publisher": ["id": .string(self.publisherID)],
        ]
    }
}

extension BidRequest.Device {
    /// The members of the Device object (OpenRTB 2.6 §3.2.18), with its Geo (§3.2.19).
    fileprivate var members: [AdJSON.Member] {
        var members: [AdJSON.Member] = []
        if let userAgent, !userAgent.isEmpty { members.add("ua", .string(userAgent)) }
        if let ifa, !ifa.isEmpty { members.add("ifa", .string(ifa)) }
        members.add("lmt", self.limitsTracking.map(AdJSON.flag))
        if let location {
            let geo: AdJSON = [
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

extension [AdJSON.Member] {
    /// Adds a member unless its value is nil.
    fileprivate mutating func add(_ name: String, _ value: AdJSON?) {
        if let value { self.append(AdJSON.Member(name, value)) }
    }

    /// Adds an object unless it has no members.
    fileprivate mutating func add(_ name: String, _ members: [AdJSON.Member]) {
        if !members.isEmpty { self.append(AdJSON.Member(name, .object(members))) }
    }
}

extension AdJSON {
    /// A flag: 1 for yes, 0 for no.
    fileprivate static func flag(_ value: Bool) -> AdJSON { .int(value ? 1 : 0) }
}
