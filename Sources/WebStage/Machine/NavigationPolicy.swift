import AdCore

/// An attempt to navigate, or to open a window.
package struct Attempt: Hashable, Sendable {
    /// How it was tried.
    package enum Means: String, Hashable, Sendable {
        /// The frame, or the page around it, was to be navigated.
        case navigation
        /// A window was to be opened.
        case window
        /// A link was clicked that opens a window.
        case link
    }

    let means: Means
    let url: String
    /// The MRAID command that tried it, whose reply is pending.
    var ticket: MRAIDTicket?

    /// Whether a window was opened that is empty until the page sets its address.
    var isEmptyWindow: Bool {
        self.means == .window && self.ticket == nil && (self.url.isEmpty || self.url.hasPrefix("about:"))
    }

    /// The report of a blocked attempt, with the reason.
    func blocked(_ reason: String) -> StageOutput {
        let kind: BlockedAttempt.Kind = self.means == .navigation ? .navigation : .popup
        let shown = Redaction.address(self.url.excerpt(500))
        return .report(.blocked(BlockedAttempt(kind, "\(shown), \(reason)")))
    }
}

/// The decision on an attempt, and what follows from it.
struct Ruling: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// It is decided later, by `decide`.
        case pending
        case done
        /// It opens nothing; the reason.
        case refused(String)
    }

    let outcome: Outcome
    let outputs: [StageOutput]

    init(_ outcome: Outcome, _ outputs: [StageOutput] = []) {
        self.outcome = outcome
        self.outputs = outputs
    }
}

/// Judges navigations and windows: a user's gesture opens one link, without one nothing is opened.
struct NavigationPolicy: Hashable, Sendable {
    private var gestures = UserActivation()
    /// The outcome of each press.
    var taps = TapTracker()

    /// Handles an event of a user's gesture, as our script in a frame of the creative has reported it.
    mutating func handle(gesture message: AdJSON, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.gestures.handle(UserGesture(message), at: now)
        return self.taps.gesture(message, in: target)
    }

    /// Judges an attempt: a gesture that is known decides at once; one that may be on its way is waited for, where there is
    /// a frame that would report it.
    mutating func judge(_ attempt: Attempt, in target: EngineTarget?, at now: Duration) -> Ruling {
        guard let target, self.gestures.allows(attempt.url, at: now) == nil else {
            return self.decide(attempt, at: now)
        }
        return Ruling(.pending, [NavigationPolicy.query(attempt, in: target)])
    }

    /// All gestures that a frame has reported are handled before its reply to this.
    static func query(_ attempt: Attempt, in target: EngineTarget) -> StageOutput {
        .query(.ping(target), .gesture(attempt), within: .seconds(1))
    }

    /// Decides by what is known, unless a finger is on the screen: when it is lifted, it is known whether that was a tap or a
    /// scroll.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> Ruling {
        let hasGesture = self.gestures.allows(attempt.url, at: now) == .fresh
        let verdict = ClickThroughVerdict(attempt.url)
        switch verdict {
        case .nowhere where attempt.isEmptyWindow:
            // The page may set its address later, which is an attempt of its own.
            if hasGesture { self.taps.inertLink(attempt.url) }
            return Ruling(.done)
        case .nowhere(let reason) where hasGesture:
            // The gesture is not spent: the next attempt may have an address.
            return Ruling(.refused(reason), self.taps.invalidLink(reason) ? [] : [attempt.blocked(reason)])
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
