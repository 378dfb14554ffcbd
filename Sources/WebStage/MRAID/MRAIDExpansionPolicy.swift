/// When an ad may call `expand` or `resize`.
///
/// MRAID 3.0 §5.8 (`expand`) and §5.11 (`resize`) describe both as responses to user interaction and let the
/// host enforce it. By default both need a recent user gesture in the ad: an ad that expands by itself covers what the
/// user is about to press, and one that does so again and again can't be closed.
package enum MRAIDExpansionPolicy: Hashable, Sendable {
    /// Only within `UserActivation.lifetime` after a user's gesture in the ad.
    case afterGesture
    /// At any time; for tests.
    case always

    /// The message of the ad's `error` event, and of the report.
    package static let refusal =
        "without a user's gesture in the last 5 s; call it in a handler of a tap (MRAID 3.0, expand and resize)"

    /// Whether an ad may expand or resize at `now`; `gesture` is the time of the user's last gesture in it.
    func allows(gesture: Duration?, at now: Duration) -> Bool {
        switch self {
        case .always: true
        case .afterGesture: gesture.map { now - $0 <= UserActivation.lifetime } ?? false
        }
    }
}
