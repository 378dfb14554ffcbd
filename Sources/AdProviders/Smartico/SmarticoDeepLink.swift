import AdCore

/// What becomes of a deep link of a page.
enum SmarticoDeepLink: Hashable, Sendable {
    /// Nothing: it only moves a campaign on.
    case nothing
    /// It opens the gamification page.
    case gamification(String)
    /// The host knows what to do.
    case host(String)

    /// Links that do nothing in an app.
    private static let empty: Set<String> = ["dp:ok", "dp:cancel", "dp:close", "dp:action"]

    /// Sorts a link by its beginning.
    init(_ text: String, alsoGamification prefixes: [String]) {
        let link = text.trimmed
        if SmarticoDeepLink.empty.contains(link) {
            self = .nothing
        } else if (["dp:gf"] + prefixes).contains(where: { link.hasPrefix($0) }) {
            self = .gamification(link)
        } else {
            self = .host(link)
        }
    }

    /// The link of a mini-game that the server pushed.
    static func game(_ template: String) -> String { "dp:gf_saw&id=\(template)&standalone=true" }
}
