import AdCore

/// Recognizes requests of a creative that report to a server and load nothing that is shown.
enum TrackingRequests {
    /// Whether a request is known to be tracking: a beacon of the page, or one to a measuring service.
    static func contains(_ request: EngineRequest) -> Bool {
        // `navigator.sendBeacon`, and the attribute `ping` of links (HTML Living Standard, "Hyperlink auditing").
        if request.kind == .ping { return true }
        // Only what can be a pixel: a script or a style sheet of this name may be part of the creative.
        guard request.kind != .document, let host = RequestRules.host(of: request.url) else { return false }
        if self.hosts.contains(where: { host == $0 || host.hasSuffix("." + $0) }) { return true }
        let path = RequestRules.target(of: request.url).prefix { $0 != "?" }.asciiLowercased
        let segments = path.split(separator: "/").map(Segment.init)
        switch request.kind {
        // A picture of an ad may be named `view.jpg`; a pixel has no such ending.
        case .image where segments.last?.isPicture == true: return false
        case .image, .fetch, .xhr, .other: return segments.contains { self.names.contains($0.name) }
        default: return false
        }
    }

    /// A part of a path between slashes.
    private struct Segment {
        let name: String
        /// Whether its ending is one of pictures, but not that of pixels.
        let isPicture: Bool

        init(_ text: Substring) {
            let parts = text.split(separator: ".", maxSplits: 1)
            self.name = String(parts.first ?? "")
            self.isPicture =
                ["jpg", "jpeg", "png", "webp", "avif", "svg"].contains(parts.last.map(String.init) ?? "")
                && !TrackingRequests.pixels.contains(self.name)
        }
    }

    /// Names that only pixels have, whatever their ending.
    private static let pixels: Set<String> = ["pixel", "px", "1x1", "spacer", "beacon", "imp", "impression"]

    /// Services that only measure; servers that also serve creatives are recognized by the path.
    private static let hosts: Set<String> = [
        "adsafeprotected.com", "doubleverify.com", "google-analytics.com", "imrworldwide.com", "mc.yandex.ru",
        "moatads.com", "moatpixel.com", "scorecardresearch.com", "tns-counter.ru",
    ]

    /// Segments of the paths of pixels, without their ending.
    private static let names: Set<String> = [
        "1x1", "activity", "activeview", "adview", "beacon", "clear", "collect", "count", "counter", "event", "events",
        "imp", "impression", "impressions", "log", "ping", "pixel", "px", "spacer", "stat", "stats", "track", "tracker",
        "tracking", "view", "viewability", "viewable",
    ]
}
