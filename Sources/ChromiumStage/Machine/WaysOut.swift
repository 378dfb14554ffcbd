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

    /// Whether a window was opened that is empty until the page leads it somewhere.
    var isEmptyWindow: Bool {
        self.means == .window && self.ticket == nil && (self.url.isEmpty || self.url.hasPrefix("about:"))
    }

    /// What is reported where it is stopped, and why.
    func blocked(_ reason: String) -> StageOutput {
        let kind: BlockedAttempt.Kind = self.means == .navigation ? .navigation : .popup
        let shown = Redaction.address(self.url.excerpt(500))
        return .report(.blocked(BlockedAttempt(kind, "\(shown), \(reason)")))
    }
}

/// What becomes of an attempt, and what is done and reported of that.
struct Ruling: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// It is decided when more is known, and then by `decide`.
        case pending
        case done
        /// It opens nothing, and why.
        case refused(String)
    }

    let outcome: Outcome
    let outputs: [StageOutput]

    init(_ outcome: Outcome, _ outputs: [StageOutput] = []) {
        self.outcome = outcome
        self.outputs = outputs
    }
}

/// Judges what would lead elsewhere: a user's gesture opens one link, without one nothing is opened.
struct WaysOut: Hashable, Sendable {
    private var gestures = GestureBook()
    /// What each press led to.
    var taps = TapTracker()

    /// Takes an event of a user's gesture, as our script in a frame of the creative has seen it.
    mutating func note(gesture message: JSON, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        self.gestures.note(UserGesture(message), at: now)
        return self.taps.gesture(message, in: session)
    }

    /// Something would lead elsewhere: a gesture that is known decides at once; one that may be on its way is waited for,
    /// where there is a frame in which it would be.
    mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> Ruling {
        guard let session, self.gestures.allows(attempt.url, at: now) == nil else {
            return self.decide(attempt, at: now)
        }
        return Ruling(.pending, [WaysOut.ask(attempt, in: session)])
    }

    /// Whatever a frame had to say before is heard before its answer to this.
    static func ask(_ attempt: Attempt, in session: DevToolsSession) -> StageOutput {
        let fence = DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: session)
        return .ask(fence, .gesture(attempt), within: .seconds(1))
    }

    /// Nothing more will be known, unless a finger is on the screen: when it is lifted, that was a tap or a scroll.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> Ruling {
        let hasGesture = self.gestures.allows(attempt.url, at: now) == .fresh
        let verdict = ClickThroughVerdict(attempt.url)
        switch verdict {
        case .nowhere where attempt.isEmptyWindow:
            // The page may lead it somewhere later, which is an attempt of its own.
            if hasGesture { self.taps.aside(attempt.url) }
            return Ruling(.done)
        case .nowhere(let reason) where hasGesture:
            // The gesture is not spent: what is tried next may have an address.
            return Ruling(.refused(reason), self.taps.nowhere(reason) ? [] : [attempt.blocked(reason)])
        case .nowhere, .opens: break
        }
        switch self.gestures.spend(on: attempt.url, at: now) {
        case .again: return Ruling(.done)
        case .fresh:
            let place = self.taps.place
            self.taps.clicked()
            return Ruling(.done, [.report(.click(verdict.link, byUser: true, at: place))])
        case nil where self.taps.hold(attempt): return Ruling(.pending)
        case nil:
            let reason = "without a user's gesture"
            return Ruling(.refused(reason), [attempt.blocked(reason)])
        }
    }
}
