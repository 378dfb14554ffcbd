/// The device that an engine simulates for a page: what a creative can find out about it.
package struct EngineDevice: Hashable, Sendable {
    /// The `User-Agent`.
    package var userAgent: String
    /// The value of `navigator.platform` (HTML Living Standard, "Client identification"); nil for the engine's own.
    package var navigatorPlatform: String?
    /// The platform of the client hints, as in `Android` (W3C User-Agent Client Hints); nil for a browser that has none.
    package var platform: String?
    /// The model of the client hints; empty for a computer.
    package var model = ""
    /// Whether pages are laid out as on a phone, with their viewport.
    package var isMobile = true
    /// Whether it has a touch screen.
    package var hasTouch = true
    /// The language, as in `de-DE`; nil for the engine's own.
    package var locale: String?
    /// The time zone, as in `Europe/Berlin`; nil for that of this computer.
    package var timeZone: String?

    package init(userAgent: String) { self.userAgent = userAgent }
}

/// A simulated network.
package struct EngineNetwork: Hashable, Sendable {
    package let isOffline: Bool
    /// The least time from a request to its response.
    package let latency: Duration
    /// The greatest number of received bytes per second; nil for no limit.
    package let download: Int?
    /// The greatest number of sent bytes per second; nil for no limit.
    package let upload: Int?

    package init(isOffline: Bool = false, latency: Duration = .zero, download: Int? = nil, upload: Int? = nil) {
        self.isOffline = isOffline
        self.latency = latency
        self.download = download
        self.upload = upload
    }
}
