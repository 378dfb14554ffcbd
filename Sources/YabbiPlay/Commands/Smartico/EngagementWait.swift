import AdCore
import AdProviders
import PlayConsole
import YabbiAds

/// How far a session is from its first ad.
struct EngagementWait: Equatable, Sendable {
    /// What an event of the session means for the wait.
    enum Step: Equatable, Sendable {
        case goOn
        /// The server knows the user: what `--set push` asks for may come.
        case push
        /// Nothing will come.
        case end(ExitCode, String)
    }

    private(set) var isKnown = false
    /// How the last connection ended; nil while there is one.
    private(set) var lastEnd: String?
    /// Whether it is asked for again on each connection: what was pushed to one that broke is lost.
    private let pushesAgain: Bool

    init(pushesAgain: Bool = false) { self.pushesAgain = pushesAgain }

    mutating func handle(_ news: SmarticoEvent) -> Step {
        switch news {
        case .identified:
            self.lastEnd = nil
            guard !self.isKnown || self.pushesAgain else { return .goOn }
            self.isKnown = true
            return .push
        case .refused(let step, let verdict):
            guard step != .push else { return .goOn }
            let words = verdict.message.map { ": \(Style.printable($0))" } ?? ""
            let what = step == .initialize ? "app" : "user"
            return .end(.loadFailed, "the server refused the \(what) with errCode \(verdict.code)\(words)")
        // The session connects again by itself until the time-out.
        case .disconnected(let end, _):
            self.lastEnd = Style.printable(end.message, upTo: 400)
            return .goOn
        case .gamificationUnavailable(let why):
            return .end(.noFill, "the widget can't be opened: \(Style.printable(why))")
        case .initialized, .pushTaken, .deepLink, .publicProperties, .gameOpening: return .goOn
        }
    }

    /// What it means that nothing came in time.
    func timeUp(after patience: Duration) -> (code: ExitCode, message: String) {
        let seconds = AdJSON.double(patience.inSeconds).text()
        if let lastEnd { return (.loadFailed, "\(lastEnd) (tried again for \(seconds) s)") }
        return self.isKnown
            ? (.noFill, "nothing to show came within \(seconds) s")
            : (.loadFailed, "the server did not know the user within \(seconds) s; is it the right address?")
    }
}
