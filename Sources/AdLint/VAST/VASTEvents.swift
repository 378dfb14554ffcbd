import AdCore
import AdHTML
import AdMarkup

/// The tracking events of VAST (VAST 4.3 §3.14.1), and the versions that have them.
enum VASTEvents {
    struct Availability: Sendable {
        let since: VASTRelease
        /// The first version without it; nil if all later versions have it.
        let until: VASTRelease?
    }

    /// The versions that have an event; nil for an unknown event.
    static func availability(of name: String) -> Availability? { self.all[name] }

    /// The event whose name differs only in case; nil if there is none.
    static func spelling(of name: String) -> String? { self.spellings[name.asciiLowercased] }

    static let names: [String] = all.keys.sorted()

    private static let spellings = Dictionary(
        all.keys.map { ($0.asciiLowercased, $0) },
        uniquingKeysWith: { one, _ in one }
    )

    // Where guides and schemas contradict each other, the table follows the one that allows more.
    private static let all: [String: Availability] = {
        var all: [String: Availability] = [:]
        func add(_ names: String, since: VASTRelease, until: VASTRelease? = nil) {
            for name in names.split(separator: " ") { all[String(name)] = Availability(since: since, until: until) }
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
