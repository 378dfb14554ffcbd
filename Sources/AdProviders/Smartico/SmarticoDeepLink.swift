import AdCore

/// How a page's deep link is handled.
enum SmarticoDeepLink: Hashable, Sendable {
    /// Ignored: it only continues a campaign.
    case ignored
    /// Opens the gamification page.
    case gamification(String)
    /// Reported to the host.
    case host(String)

    /// Links that have no meaning in an app.
    private static let ignoredLinks: Set<String> = ["dp:ok", "dp:cancel", "dp:close", "dp:action"]

    /// Classifies a link by its prefix.
    init(_ text: String, gamificationPrefixes prefixes: [String]) {
        let link = text.trimmed
        if SmarticoDeepLink.ignoredLinks.contains(link) {
            self = .ignored
        } else if (["dp:gf"] + prefixes).contains(where: { link.hasPrefix($0) }) {
            self = .gamification(link)
        } else {
            self = .host(link)
        }
    }

    /// The deep link of a mini-game that the server pushed.
    static func game(_ template: String) -> String { "dp:gf_saw&id=\(template)&standalone=true" }
}
