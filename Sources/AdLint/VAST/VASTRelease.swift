import AdHTML
import AdMarkup

/// A release of VAST, as far as what is in it differs from the one before.
enum VASTRelease: Int, Comparable, CaseIterable, Sendable {
    case v2 = 20, v3 = 30, v40 = 40, v41 = 41, v42 = 42, v43 = 43

    static func < (left: VASTRelease, right: VASTRelease) -> Bool { left.rawValue < right.rawValue }

    /// The release that a version names; nil if there is none of that name.
    init?(version: String) {
        switch version {
        // 2.0.1 is how the schema of 2.0 calls itself.
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
