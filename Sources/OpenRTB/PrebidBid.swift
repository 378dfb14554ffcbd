package import AdCore

/// What a Prebid Server adds to a bid, in `bid.ext`.
///
/// Of its extensions these are read: `prebid.type` where `mtype` is missing, `prebid.meta.advertiserDomains` where
/// `adomain` is, `prebid.events.win` as a further win notice and `prebid.events.imp` as a further billing notice, both
/// called like the bid's own, and `rwdd.reward` (`type` and `count`). Of the response's `ext`, `errors` and `warnings` of
/// each bidder become issues. Prebid Server documents them at its endpoint `/openrtb2/auction`, section "OpenRTB
/// Extensions".
package struct PrebidBid: Hashable, Sendable {
    /// The markup type (`prebid.type`).
    package let type: BidResponse.MarkupType?
    /// The advertiser's domains (`prebid.meta.advertiserDomains`).
    package let advertiserDomains: [String]
    /// The URL for a win (`prebid.events.win`).
    package let winEvent: URLTemplate?
    /// The URL for an impression (`prebid.events.imp`).
    package let impressionEvent: URLTemplate?
    /// What a rewarded ad earns (`rwdd.reward`).
    package let reward: AdReward?

    init(_ ext: AdJSON?, _ issues: inout [AdIssue]) {
        let prebid = ext?["prebid"] ?? .null
        self.type =
            switch prebid["type"]?.string {
            case "banner": .banner
            case "video": .video
            case "audio": .audio
            case "native": .native
            default: nil
            }
        var meta = LenientFields(prebid["meta"] ?? .null)
        self.advertiserDomains = meta.texts("advertiserDomains")
        var events = LenientFields(prebid["events"] ?? .null)
        self.winEvent = events.text("win").flatMap(URLTemplate.init)
        self.impressionEvent = events.text("imp").flatMap(URLTemplate.init)
        var reward = LenientFields(ext?["rwdd"]?["reward"] ?? .null)
        let (count, type) = (reward.exact("count"), reward.text("type"))
        self.reward = count == nil && type == nil ? nil : AdReward(count, of: type)
        issues += meta.issues + events.issues + reward.issues
    }

    /// The errors and warnings of the bidders behind a server, as issues, each bidder's first few.
    static func issues(of ext: AdJSON?) -> [AdIssue] {
        ["errors", "warnings"].flatMap { kind -> [AdIssue] in
            guard case .object(let bidders)? = ext?[kind] else { return [] }
            return bidders.prefix(20).flatMap { bidder in
                (bidder.value.array ?? []).prefix(3).map { entry in
                    let text = entry["message"]?.string ?? entry.string ?? "no message"
                    let code = "prebid.\(kind.dropLast())"
                    return AdIssue(code, at: .field("ext.\(kind)"), "\(bidder.name.excerpt()): \(text.excerpt(200))")
                }
            }
        }
    }
}
