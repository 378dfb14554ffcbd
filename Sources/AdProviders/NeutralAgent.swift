import AdCore

extension HTTPHeaders {
    /// What a request of JSON says of itself, and nothing of the device: the same words for everybody.
    static func neutralJSON() -> HTTPHeaders {
        ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "yabbi"]
    }
}
