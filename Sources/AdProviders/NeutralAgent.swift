import AdCore

extension HTTPHeaders {
    /// What a request of JSON says of itself, and nothing of the device: the same words for everybody.
    static func neutralJSON() -> HTTPHeaders {
        ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "yabbi"]
    }
}

extension HTTPURL {
    /// The address of a call below a base, which may end with a stroke or without.
    func call(_ path: String) throws(AdError) -> HTTPURL {
        let base = self.text.hasSuffix("/") ? String(self.text.dropLast()) : self.text
        do throws(HTTPURL.Fault) {
            return try HTTPURL(parsing: base + path)
        } catch {
            throw AdError(.invalidRequest, "the base address can't be called with \(path): \(error.reason)")
        }
    }
}
