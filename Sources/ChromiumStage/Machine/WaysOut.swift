import AdCore

/// Something that would lead elsewhere.
struct Attempt: Hashable, Sendable {
    /// How it was tried.
    enum Means: String, Hashable, Sendable {
        /// The frame, or the page around it, was to go somewhere.
        case navigation
        /// A window was to be opened.
        case window
        /// A link was clicked, whose target is elsewhere.
        case link
    }

    let means: Means
    let url: String
    /// Who waits to hear what became of it.
    var ticket: MRAIDTicket?
}

/// Judges what would lead elsewhere: a user's gesture opens one link, without one nothing is opened.
struct WaysOut: Hashable, Sendable {
    private var gestures = GestureBook()

    /// A user did something with the creative, as our script in its frame has seen it.
    mutating func note(gesture type: String, at now: Duration) { self.gestures.note(type, at: now) }

    /// Something would lead elsewhere: a gesture that is known decides at once; one that may be on its way is waited for,
    /// where there is a frame in which it would be.
    mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        guard let session, self.gestures.allows(attempt.url, at: now) == nil else {
            return self.decide(attempt, at: now)
        }
        // Whatever that frame had to say before is heard before its answer.
        let fence = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: session)
        return [.ask(fence, .gesture(attempt), within: .seconds(1))]
    }

    /// Nothing more will be known.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> [StageOutput] {
        let shown = Redaction.address(attempt.url.excerpt(500))
        switch self.gestures.spend(on: attempt.url, at: now) {
        case .again: return []
        case .fresh:
            guard let link = LandingURL(attempt.url) else {
                return [.report(.blocked(BlockedAttempt(.navigation, "\(shown) leads nowhere")))]
            }
            return [.report(.click(link, byUser: true))]
        case nil:
            let kind: BlockedAttempt.Kind = attempt.means == .navigation ? .navigation : .popup
            return [.report(.blocked(BlockedAttempt(kind, "\(shown), without a user's gesture")))]
        }
    }
}
