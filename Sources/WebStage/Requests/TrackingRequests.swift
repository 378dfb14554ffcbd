import AdCore

/// Recognizes requests of a creative that report to a server and load nothing that is shown.
enum TrackingRequests {
    /// Whether a request is known to be tracking: a beacon of the page, or one to a measuring service.
    static func contains(_ request: EngineRequest) -> Bool {
        guard let url = HTTPURL(request.url) else { return false }
        // `navigator.sendBeacon`, and the attribute `ping` of links (HTML Living Standard, "Hyperlink auditing").
        if request.kind == .ping { return true }
        guard request.kind != .document else { return false }
        if self.hosts.contains(where: { url.host == $0 || url.host.hasSuffix("." + $0) }) { return true }
        let path = url.target.prefix { $0 != "?" }.asciiLowercased
        // Only what can be a pixel: a script or a style sheet of this name may be part of the creative.
        guard [.image, .fetch, .xhr, .other].contains(request.kind) else { return false }
        let names = path.split { "/.-_".contains($0) }
        return names.contains { self.names.contains(String($0)) }
    }

    /// Services that only measure; servers that also serve creatives are recognized by the path.
    private static let hosts: Set<String> = [
        "adsafeprotected.com", "doubleverify.com", "google-analytics.com", "imrworldwide.com", "mc.yandex.ru",
        "moatads.com", "moatpixel.com", "scorecardresearch.com", "tns-counter.ru",
    ]

    /// Parts of paths by which pixels are named.
    private static let names: Set<String> = [
        "pixel", "px", "beacon", "track", "tracker", "tracking", "imp", "impression", "impressions", "view", "viewable",
        "viewability", "event", "events", "collect", "log", "stat", "stats", "1x1", "clear", "spacer", "count",
        "counter",
        "ping", "activity", "activeview", "adview",
    ]
}
