import AdCore

extension HTTPURL {
    /// Appends the path of an API call to a base URL, which may end with a slash or not.
    func endpoint(_ path: String) throws(AdError) -> HTTPURL {
        guard !self.target.contains("?") else {
            let text = "the base URL has a query, so no path can be appended; remove the query"
            throw AdError(.invalidRequest, text)
        }
        let base = self.text.hasSuffix("/") ? String(self.text.dropLast()) : self.text
        do throws(HTTPURL.ParseError) {
            return try HTTPURL(parsing: base + path)
        } catch {
            throw AdError(.invalidRequest, "\(path) can't be appended to the base URL: \(error.reason)")
        }
    }
}
