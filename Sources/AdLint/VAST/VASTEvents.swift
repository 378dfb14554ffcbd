import AdCore
import AdHTML
import AdMarkup

/// The tracking events of VAST, by release.
enum VASTEvents {
    struct Life: Sendable {
        let since: VASTRelease
        /// The first release that has it no more.
        let until: VASTRelease?
    }

    /// The life of an event; nil for one that there is not.
    static func life(of name: String) -> Life? { self.all[name] }

    /// The name that only has other capitals; nil if there is none.
    static func spelling(of name: String) -> String? { self.spellings[name.asciiLowercased] }

    static let names: [String] = all.keys.sorted()

    private static let spellings = Dictionary(
        all.keys.map { ($0.asciiLowercased, $0) },
        uniquingKeysWith: { one, _ in one }
    )

    // Where guides and schemas differ, what allows more was taken.
    private static let all: [String: Life] = {
        var all: [String: Life] = [:]
        func add(_ names: String, since: VASTRelease, until: VASTRelease? = nil) {
            for name in names.split(separator: " ") { all[String(name)] = Life(since: since, until: until) }
        }
        add("creativeView start firstQuartile midpoint thirdQuartile complete", since: .v2)
        add("mute unmute pause resume rewind acceptInvitation close", since: .v2)
        add("fullscreen expand collapse", since: .v2, until: .v40)
        add("skip progress closeLinear", since: .v3)
        add("exitFullscreen", since: .v3, until: .v40)
        add("acceptInvitationLinear", since: .v3, until: .v41)
        add(
            "playerExpand playerCollapse adExpand adCollapse minimize overlayViewDuration otherAdInteraction",
            since: .v40
        )
        add("timeSpentViewing", since: .v40, until: .v41)
        add("loaded notUsed", since: .v41)
        add("verificationNotExecuted", since: .v40)
        add("interactiveStart", since: .v42)
        return all
    }()
}
