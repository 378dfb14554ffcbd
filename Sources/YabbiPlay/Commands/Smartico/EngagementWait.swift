import AdCore
import AdProviders
import PlayConsole

/// The state machine of the wait for a session's first ad.
struct EngagementWait: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case wait
        /// The user is identified: the push of `--set push` is due.
        case push
        /// No ad will come.
        case end(ExitCode, String)
    }

    private(set) var isIdentified = false
    /// How the last connection ended; nil while connected.
    private(set) var lastEnd: String?
    /// Whether each connection requests the push again: a message pushed to a broken connection is lost.
    private let pushesAgain: Bool

    init(pushesAgain: Bool = false) { self.pushesAgain = pushesAgain }

    mutating func handle(_ event: SmarticoEvent) -> Step {
        switch event {
        case .identified:
            self.lastEnd = nil
            guard !self.isIdentified || self.pushesAgain else { return .wait }
            self.isIdentified = true
            return .push
        case .refused(let step, let result):
            guard step != .push else { return .wait }
            let detail = result.message.map { ": \(Style.printable($0))" } ?? ""
            let what = step == .initialize ? "app" : "user"
            return .end(.loadFailed, "the server refused the \(what) with errCode \(result.code)\(detail)")
        // The session reconnects until the timeout.
        case .disconnected(let end, _):
            self.lastEnd = Style.printable(end.message, upTo: 400)
            return .wait
        case .gamificationUnavailable(let reason):
            return .end(.noFill, "the widget can't be opened: \(Style.printable(reason))")
        case .initialized, .pushTokenAccepted, .deepLink, .publicProperties, .gameOpening: return .wait
        }
    }

    /// The exit code and message for a timeout.
    func timeUp(after timeout: Duration) -> (code: ExitCode, message: String) {
        let seconds = AdJSON.double(timeout.inSeconds).text()
        if let lastEnd { return (.loadFailed, "\(lastEnd) (retried for \(seconds) s)") }
        return self.isIdentified
            ? (.noFill, "no ad was pushed within \(seconds) s")
            : (.loadFailed, "the server did not identify the user within \(seconds) s; check --endpoint")
    }
}
