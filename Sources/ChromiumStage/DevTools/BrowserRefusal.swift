import WebStage

extension EngineRefusal {
    /// Reads a log entry about a refused request; nil for other entries.
    ///
    /// The entries are `Mixed Content: … requested an insecure script 'http://…'. This request has been blocked; …`,
    /// and `Loading the script 'https://…' violates the following Content Security Policy directive: …`, which older
    /// browsers begin with `Refused to load the script`.
    init?(_ text: String, source: String) {
        guard source == "security" else { return nil }
        let text = text.prefix(20_000)
        let rule: StageRequest.Rule
        let start: Substring.Index?
        if text.hasPrefix("Mixed Content: "), text.contains("has been blocked") {
            rule = .mixedContent
            // The first URL in the text is the page's.
            start = text.firstRange(of: "insecure ")?.upperBound
        } else if text.contains("Content Security Policy directive") {
            rule = .contentSecurityPolicy
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
        self.init(url: String(rest[..<end]), rule: rule)
    }
}
