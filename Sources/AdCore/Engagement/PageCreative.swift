/// A page of the provider with its own origin and storage that exchanges messages with the app.
public struct PageCreative: Hashable, Sendable {
    /// The page's URL.
    public let address: HTTPURL
    /// The user agent of the page, from its first request on.
    public let userAgent: String
    /// The objects of the page's `window` whose `postMessage(string)` reaches the app.
    public let bridges: [String]

    /// Creates a page creative.
    public init(_ address: HTTPURL, userAgent: String, bridges: [String]) {
        self.address = address
        self.userAgent = userAgent
        self.bridges = bridges
    }
}
