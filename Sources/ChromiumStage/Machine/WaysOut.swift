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
}

/// Judges what would lead elsewhere: a user's gesture opens one link, without one nothing is opened.
struct WaysOut: Hashable, Sendable {
    private var gestures = GestureBook()
    /// What each press led to.
    var taps = TapTracker()

    /// Takes an event of a user's gesture, as our script in a frame of the creative has seen it.
    mutating func note(gesture message: JSON, at now: Duration) -> [StageOutput] {
        let type = message["type"]?.string ?? ""
        if type != "pointercancel" { self.gestures.note(type, at: now) }
        return self.taps.gesture(message)
    }

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
        let hasGesture = self.gestures.allows(attempt.url, at: now) == .fresh
        let verdict = ClickThroughVerdict(attempt.url)
        switch verdict {
        case .nowhere where attempt.isEmptyWindow:
            // The page may lead it somewhere later, which is an attempt of its own.
            if hasGesture { self.taps.aside(attempt.url) }
            return []
        case .nowhere(let reason) where hasGesture:
            // The gesture is not spent: what is tried next may have an address.
            return self.taps.nowhere(reason)
        case .nowhere, .opens: break
        }
        switch self.gestures.spend(on: attempt.url, at: now) {
        case .again: return []
        case .fresh:
            let place = self.taps.place
            self.taps.clicked()
            return [.report(.click(verdict.link, byUser: true, at: place))]
        case nil:
            let kind: BlockedAttempt.Kind = attempt.means == .navigation ? .navigation : .popup
            return [.report(.blocked(BlockedAttempt(kind, "\(shown), without a user's gesture")))]
        }
    }
}
