import AdCore

extension AdHTTPHeaders {
    /// The headers of a JSON request, with a user agent that is the same on every device.
    static func neutralJSON() -> AdHTTPHeaders {
        ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "yabbi"]
    }
}
