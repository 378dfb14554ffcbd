import AdCore

extension HTTPURL {
    /// The address of a call below a base, which may end with a stroke or without.
    func call(_ path: String) throws(AdError) -> HTTPURL {
        guard !self.target.contains("?") else {
            let text = "the base address has a query, behind which nothing can be called; give it without"
            throw AdError(.invalidRequest, text)
        }
        let base = self.text.hasSuffix("/") ? String(self.text.dropLast()) : self.text
        do throws(HTTPURL.Fault) {
            return try HTTPURL(parsing: base + path)
        } catch {
            throw AdError(.invalidRequest, "the base address can't be called with \(path): \(error.reason)")
        }
    }
}
