/// When an ad may make itself larger than its own place, with `expand` or `resize`.
///
/// MRAID 3.0 describes both as answers to what a user does (its sections on `expand` and `resize`), and leaves it to the
/// host to hold an ad to that. Here both need a user's gesture in the ad, also the first one after `ready`: an ad that grows
/// by itself covers what a user is about to press, and one that does so again and again can't be left.
package enum MRAIDGrowth: Hashable, Sendable {
    /// Only where the user did something with the ad a moment ago.
    case afterGesture
    /// At any time; for tests of ads that are large.
    case always

    /// The error that an ad gets, and what is reported.
    static let refusal =
        "without a user's gesture in the last 5 s; call it in a handler of a tap (MRAID 3.0, expand and resize)"

    /// Whether an ad may grow at `now`, after the user's last gesture in it.
    func allows(gesture: Duration?, at now: Duration) -> Bool {
        switch self {
        case .always: true
        case .afterGesture: gesture.map { now - $0 <= UserActivation.lifetime } ?? false
        }
    }
}
