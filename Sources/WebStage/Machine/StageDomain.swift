import AdCore

/// A reserved domain (RFC 6761 §6.4, "invalid.") in which the stage's own documents have their URLs: it has no
/// server, so the stage answers all requests to it.
package struct StageDomain: Hashable, Sendable {
    /// The documents of creatives and of a video's parts.
    static let creative = StageDomain(name: ClickThroughResolution.placeholderDomain)
    /// The host pages.
    package static let hostPage = StageDomain(name: "yabbi-stage.invalid")

    let name: String

    /// The URL of a document; other names are other origins, and the two domains are two sites.
    func address(_ name: String) -> String { "https://\(name).\(self.name)/" }

    /// Whether a URL is in the domain; a URL with an address of it in its path or query is not.
    package func contains(_ url: String) -> Bool { RequestRules.host(of: url).map(self.hasHost) ?? false }

    /// Whether a host is in the domain.
    func hasHost(_ host: String) -> Bool { host.hasSuffix("." + self.name) }
}
