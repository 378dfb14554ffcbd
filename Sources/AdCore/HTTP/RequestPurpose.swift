/// What an HTTP request is for, as tools list it; no decision depends on it.
package enum RequestPurpose: String, Hashable, Sendable, CaseIterable {
    /// A tag that a tool was given in place of an ad server.
    case tag
    /// The request for an ad.
    case load
    /// The tag of a VAST wrapper (VAST 4.3 §2.4.3).
    case wrapper
    /// A media file.
    case media
    /// A request of the creative itself.
    case creative
    /// The delivery of a beacon.
    case beacon
}

/// A redirect that was followed.
package struct RequestHop: Hashable, Sendable {
    /// The URL that redirected.
    package let url: HTTPURL
    package let status: Int

    package init(url: HTTPURL, status: Int) {
        self.url = url
        self.status = status
    }
}
