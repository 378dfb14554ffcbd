package import AdCore

extension BidRequest {
    /// The request as JSON, without what is unknown or beyond a limit.
    ///
    /// It has an `app` and never a `site` (OpenRTB 2.6 §3.2.1): the ad is shown in an app.
    package var json: AdJSON { self.written().json }

    /// The request as JSON, and an issue with its field for each value that is beyond a limit and so left out.
    package func written() -> (json: AdJSON, issues: [AdIssue]) {
        var fields = RequestFields()
        // Required (OpenRTB 2.6 §3.2.1): the id is written whatever it is.
        fields.set("id", .string(self.id))
        fields.objects("imp", [self.impression]) { $1.write(to: &$0) }
        fields.object("app") { self.app.write(to: &$0) }
        fields.object("device") { self.writeDevice(to: &$0) }
        fields.object("user") { self.writeUser(to: &$0) }
        fields.object("regs") { self.writeRegulations(to: &$0) }
        fields.object("source") { self.source.write(to: &$0, for: self.readers) }
        fields.mark("test", self.isTest)
        fields.code("at", self.auction)
        // A server can't do anything in less than a millisecond, and nobody waits longer than an hour.
        fields.number("tmax", self.timeout.map { Int(clamping: $0.wholeMilliseconds) }, in: 1...3_600_000)
        fields.mark("allimps", self.isOnlyImpression)
        fields.texts("cur", self.currencies.map(\.code))
        fields.categories("bcat", self.blockedCategories)
        fields.texts("badv", self.blockedAdvertisers)
        fields.texts("bapp", self.blockedApps)
        fields.object("ext") { ext in
            ext.json(self.ext)
            if let prebid = self.prebid { ext.object("prebid") { prebid.write(to: &$0) } }
        }
        return (.object(fields.members), fields.issues)
    }

    /// Turns a web site's request into an app's: removes `site`, sets `app.name` and `app.bundle`, keeps the rest.
    package static func appRequest(from request: AdJSON, app: App) -> AdJSON {
        guard case .object(let members) = request else { return request }
        var appMembers: [AdJSON.Member] = []
        if case .object(let existing) = request["app"] {
            appMembers = existing.filter { $0.name != "name" && $0.name != "bundle" }
        }
        for (name, text) in [("name", app.name), ("bundle", app.bundle)] {
            if let text { appMembers.append(AdJSON.Member(name, .string(text))) }
        }
        return .object(
            members.filter { $0.name != "site" && $0.name != "app" } + [AdJSON.Member("app", .object(appMembers))]
        )
    }

    /// What identifies and locates the user; nil if that must not be sent.
    private var identity: Identity? {
        // A child's identity is sent to nobody (COPPA, `regs.coppa` in OpenRTB 2.6 §3.2.3).
        guard self.consent.coppa != true, self.device.doesNotTrack != true else { return nil }
        return switch self.tracking {
        case .unstated(let identity), .unrestricted(let identity): identity
        case .limited: nil
        }
    }

    /// Writes the Device object (OpenRTB 2.6 §3.2.18).
    private func writeDevice(to fields: inout RequestFields) {
        self.device.write(to: &fields)
        switch self.tracking {
        case .unstated: break
        case .unrestricted: fields.flag("lmt", false)
        case .limited: fields.flag("lmt", true)
        }
        guard let identity else { return }
        fields.text("ifa", identity.ifa)
        if let geo = identity.geo { fields.object("geo") { geo.write(to: &$0) } }
    }

    /// Writes the User object (OpenRTB 2.6 §3.2.20).
    private func writeUser(to fields: inout RequestFields) {
        fields.text("id", self.identity?.userID)
        fields.text("consent", self.consent.tcf, atMost: RequestLimits.consent)
        guard self.readers == .openRTB25And26 else { return }
        // OpenRTB 2.6, appendix B: `consent` was an extension before.
        fields.copyToExtension("consent")
    }

    /// Writes the Regs object (OpenRTB 2.6 §3.2.3).
    private func writeRegulations(to fields: inout RequestFields) {
        let consent = self.consent
        fields.flag("coppa", consent.coppa)
        fields.flag("gdpr", consent.gdprApplies)
        fields.text("us_privacy", consent.usPrivacy)
        fields.text("gpp", consent.gpp, atMost: RequestLimits.consent)
        fields.numbers("gpp_sid", consent.gppSections)
        guard self.readers == .openRTB25And26 else { return }
        // OpenRTB 2.6, appendix B: `gdpr` was an extension before; the others were too. `coppa` never was.
        fields.copyToExtension("gdpr", "us_privacy", "gpp", "gpp_sid")
    }
}

extension BidRequest.Source {
    /// Writes the Source object (OpenRTB 2.6 §3.2.2).
    fileprivate func write(to fields: inout RequestFields, for readers: BidRequest.Readers) {
        fields.code("fd", self.decision)
        fields.text("tid", self.transactionID)
        guard let chain = self.supplyChain, !chain.nodes.isEmpty else { return }
        fields.object("schain") { chain.write(to: &$0) }
        if readers == .openRTB25And26 { fields.copyToExtension("schain") }
    }
}

extension SupplyChain {
    /// Writes the SupplyChain object (OpenRTB 2.6 §3.2.25) with its nodes (§3.2.26).
    fileprivate func write(to fields: inout RequestFields) {
        fields.flag("complete", self.isComplete && self.nodes.count <= RequestLimits.elements)
        fields.objects("nodes", self.nodes) { fields, node in
            fields.text("asi", node.system)
            fields.text("sid", node.sellerID)
            fields.text("rid", node.requestID)
            fields.flag("hp", true)
        }
        fields.text("ver", "1.0")
    }
}
