/// The scheme under which WKWebView asks for the stage's own documents.
///
/// WebStage gives its documents https URLs in a reserved domain, and WKWebView lets no app answer requests of https. A
/// scheme of the app's own can be answered, and its frames are not mixed content as long as the page around them has
/// the same scheme. So all URLs of hosts in `.invalid` (RFC 6761 §6.4), which have no server, are renamed on their way
/// to WKWebView, and renamed back on their way to the stage.
enum StageScheme {
    /// The name of the scheme.
    static let name = "yabbi-stage"
    private static let ownPrefix = name + "://"
    private static let webPrefix = "https://"
    private static let topDomain = ".invalid"

    /// The URL for WKWebView; other URLs stay as they are.
    static func engineURL(_ url: String) -> String {
        guard url.hasPrefix(self.webPrefix), self.isReserved(url.dropFirst(self.webPrefix.count)) else { return url }
        return self.ownPrefix + url.dropFirst(self.webPrefix.count)
    }

    /// The URL for the stage; other URLs stay as they are.
    static func stageURL(_ url: String) -> String {
        self.isOwn(url) ? self.webPrefix + url.dropFirst(self.ownPrefix.count) : url
    }

    /// Whether a URL has the scheme.
    static func isOwn(_ url: String) -> Bool { url.hasPrefix(self.ownPrefix) }

    /// A script of the host with all URLs renamed that it contains, as in `yabbiLoadCreative("https://…")`.
    static func engineScript(_ script: String) -> String {
        var (result, rest) = ("", script[...])
        while let found = rest.firstRange(of: self.webPrefix) {
            result += rest[..<found.lowerBound]
            let after = rest[found.upperBound...]
            result += self.isReserved(after) ? self.ownPrefix : self.webPrefix
            rest = after
        }
        return result + rest
    }

    /// Whether a URL without its scheme begins with a host of the reserved domain.
    private static func isReserved(_ rest: Substring) -> Bool {
        rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }.hasSuffix(self.topDomain)
    }
}
