import AdCore

extension BidRequest.App {
    /// Writes the App object (OpenRTB 2.6 §3.2.14).
    func write(to fields: inout RequestFields) {
        fields.text("id", self.id)
        fields.text("name", self.name)
        fields.text("bundle", self.bundle)
        fields.text("domain", self.domain)
        fields.text("storeurl", self.storeURL?.text)
        fields.text("ver", self.version)
        fields.categories("cat", self.categories)
        fields.object("publisher") { publisher in
            publisher.text("id", self.publisher.id)
            publisher.text("name", self.publisher.name)
            publisher.text("domain", self.publisher.domain)
        }
    }
}

extension BidRequest.Device {
    /// Writes the Device object (OpenRTB 2.6 §3.2.18) without what identifies or locates the user.
    func write(to fields: inout RequestFields) {
        fields.text("ua", self.userAgent)
        fields.code("devicetype", self.type)
        fields.text("make", self.make)
        fields.text("model", self.model)
        fields.text("os", self.os)
        fields.text("osv", self.osVersion)
        fields.text("hwv", self.hardwareVersion)
        fields.number("w", self.width, in: 1...100_000)
        fields.number("h", self.height, in: 1...100_000)
        fields.number("ppi", self.ppi, in: 1...10_000)
        fields.number("pxratio", self.pixelRatio, in: 0.1...100)
        switch self.language {
        case .iso639(let code)?: fields.text("language", code)
        case .bcp47(let tag)?: fields.text("langb", tag)
        case nil: break
        }
        fields.text("carrier", self.carrier)
        fields.text("mccmnc", self.mobileNetwork?.text)
        fields.code("connectiontype", self.connection)
        fields.flag("dnt", self.doesNotTrack)
        // IAB Tech Lab, OpenRTB extension SKAdNetwork, "Device Extension".
        fields.object("ext") { $0.code("atts", self.authorization) }
    }
}

extension BidRequest.Geo {
    /// Half of the earth's circumference in metres: no position is less certain.
    private static let maximumAccuracy = 20_100_000.0

    /// Writes the Geo object (OpenRTB 2.6 §3.2.19).
    func write(to fields: inout RequestFields) {
        if let position {
            fields.set("lat", .double(position.latitude))
            fields.set("lon", .double(position.longitude))
            fields.number("accuracy", position.precision.rounded(), in: 0...BidRequest.Geo.maximumAccuracy)
        }
        fields.text("country", self.country)
        fields.text("region", self.region)
        fields.text("city", self.city)
        fields.text("zip", self.postalCode)
        // From UTC-12 to UTC+14.
        fields.number("utcoffset", self.minutesAheadOfUTC, in: -720...840)
        if !fields.members.isEmpty { fields.code("type", self.type) }
    }
}

extension RequestFields {
    /// Categories with their taxonomy; the default, 1, is left out (OpenRTB 2.6 §3.2.1, §3.2.14).
    mutating func categories(_ name: String, _ categories: BidRequest.Categories?) {
        guard let categories else { return }
        self.texts(name, categories.ids)
        guard self.members.contains(where: { $0.name == name }) else { return }
        if categories.taxonomy != .content10 { self.code("cattax", categories.taxonomy) }
    }
}

extension PrebidRequest {
    /// Writes `ext.prebid` of a request.
    func write(to fields: inout RequestFields) {
        if let id = self.storedRequestID { fields.object("storedrequest") { $0.text("id", id) } }
        guard let targeting = self.targeting else { return }
        // An empty object asks for the server's default targeting.
        fields.object("targeting", saysSomethingEmpty: true) { targeting.write(to: &$0) }
        guard let cache = targeting.cache else { return }
        fields.object("cache") { cache.write(to: &$0) }
    }
}

extension PrebidTargeting {
    fileprivate func write(to fields: inout RequestFields) {
        switch self.bids {
        case .winnersAndBidders: break
        case .winners: fields.set("includebidderkeys", false)
        case .bidders: fields.set("includewinners", false)
        }
        if !self.priceRanges.isEmpty {
            let ranges = self.priceRanges.sorted { $0.maximum < $1.maximum }
            fields.object("pricegranularity") { granularity in
                granularity.objects("ranges", ranges) { range, value in
                    range.set("max", .decimal(value.maximum))
                    range.set("increment", .decimal(value.increment))
                }
            }
        }
        if self.includesFormat { fields.set("includeformat", true) }
        if self.prefersDeals { fields.set("preferdeals", true) }
    }
}

extension PrebidCache {
    fileprivate func write(to fields: inout RequestFields) {
        switch self {
        case .bids(let rule): fields.object("bids", saysSomethingEmpty: true) { rule.write(to: &$0) }
        case .vast(let rule): fields.object("vastxml", saysSomethingEmpty: true) { rule.write(to: &$0) }
        case .bidsAndVAST(let bids, let vast):
            fields.object("bids", saysSomethingEmpty: true) { bids.write(to: &$0) }
            fields.object("vastxml", saysSomethingEmpty: true) { vast.write(to: &$0) }
        }
    }
}

extension PrebidCache.Rule {
    fileprivate func write(to fields: inout RequestFields) {
        fields.seconds("ttlseconds", self.lifetime, in: 1...604_800)
        if !self.returnsCreative { fields.set("returnCreative", false) }
    }
}

extension PrebidImpression {
    /// Writes `ext.prebid` of an impression.
    func write(to fields: inout RequestFields) {
        if let id = self.storedRequestID { fields.object("storedrequest") { $0.text("id", id) } }
        fields.object("bidder") { bidders in
            bidders.json(self.bidders.filter { !$0.name.isEmpty }.map { .init($0.name, .object($0.parameters)) })
        }
    }
}
