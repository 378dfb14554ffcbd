import AdHTML
import AdMarkup

/// A version of VAST, as the `version` of the root declares it (VAST 4.3 §3.2.1).
enum VASTRelease: Int, Comparable, CaseIterable, Sendable {
    case v2 = 20, v3 = 30, v40 = 40, v41 = 41, v42 = 42, v43 = 43

    static func < (left: VASTRelease, right: VASTRelease) -> Bool { left.rawValue < right.rawValue }

    /// Creates a version from the `version` attribute; nil if it is unknown.
    init?(version: String) {
        switch version {
        // The schema of 2.0 is called 2.0.1.
        case "2.0", "2.0.1": self = .v2
        case "3.0": self = .v3
        case "4.0": self = .v40
        case "4.1": self = .v41
        case "4.2": self = .v42
        case "4.3": self = .v43
        default: return nil
        }
    }

    var text: String { "\(self.rawValue / 10).\(self.rawValue % 10)" }
}
