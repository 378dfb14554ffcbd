/// A page of the provider's own at its real address: it runs with its own origin and storage, and speaks with the app.
public struct PageCreative: Hashable, Sendable {
    /// Where the page is.
    public let address: HTTPURL
    /// What the page must see as its user agent, from its first request on.
    public let userAgent: String
    /// The objects of the page's window whose `postMessage(string)` reaches the app.
    public let bridges: [String]

    /// A page.
    public init(_ address: HTTPURL, userAgent: String, bridges: [String]) {
        self.address = address
        self.userAgent = userAgent
        self.bridges = bridges
    }
}
