import AdCore

extension AdHTTPHeaders {
    /// What a request of JSON says of itself, and nothing of the device: the same words for everybody.
    static func neutralJSON() -> AdHTTPHeaders {
        ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "yabbi"]
    }
}
