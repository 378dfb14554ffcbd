import AdCore

/// A request that the browser itself refused to make, as it says in its log: of most of these it tells no more than that.
struct BrowserRefusal: Hashable, Sendable {
    let url: String
    private let rule: String

    /// Reads an entry of the log, where it is about that: `Mixed Content: … requested an insecure script 'http://…'. This
    /// request has been blocked; …`, or `Loading the script 'https://…' violates the following Content Security Policy
    /// directive: …`, which older browsers begin with `Refused to load the script`.
    init?(_ text: String, source: String) {
        guard source == "security" else { return nil }
        let text = text.prefix(20_000)
        let start: Substring.Index?
        if text.hasPrefix("Mixed Content: "), text.contains("has been blocked") {
            self.rule = "mixed-content"
            // The first address is that of the page.
            start = text.firstRange(of: "insecure ")?.upperBound
        } else if text.contains("Content Security Policy directive") {
            self.rule = "csp"
            start = text.startIndex
        } else {
            return nil
        }
        guard let start, let open = text[start...].firstRange(of: "'") else { return nil }
        let rest = text[open.upperBound...]
        let ends = ["'. This request", "' violates", "' because it violates"]
        guard ["http", "ws"].contains(where: rest.hasPrefix),
            let end = ends.compactMap({ rest.firstRange(of: $0)?.lowerBound }).min()
        else { return nil }
        self.url = String(rest[..<end])
    }

    var failedRequest: FailedRequest {
        FailedRequest(
            url: Redaction.address(self.url.excerpt(500)),
            reason: BrowserRefusal.reason(self.rule, for: self.url)
        )
    }

    /// Why the browser refused a request, by the name of its rule (DevTools protocol, `Network.BlockedReason`).
    static func reason(_ rule: String, for url: String) -> String {
        switch rule {
        // W3C Mixed Content §5: a page of https gets nothing by http.
        case "mixed-content": "mixed content: write \(url.hasPrefix("ws") ? "wss" : "https")://"
        case "csp": "forbidden by the creative's own Content-Security-Policy"
        default: "refused by the browser: \(rule.excerpt(100))"
        }
    }
}
