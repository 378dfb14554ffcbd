import AdCore

/// An attempt of a page to navigate or to open a window.
package struct NavigationAttempt: Hashable, Sendable {
    /// How the page tried.
    package enum Trigger: String, Hashable, Sendable {
        /// A navigation of the frame or of the whole page.
        case navigation
        /// A window (`window.open`, `mraid.open`).
        case window
        /// A clicked link that opens a window.
        case link
    }

    let trigger: Trigger
    let url: String
    /// The pending MRAID `open` command; nil for other attempts.
    var commandID: MRAIDCommandID?
    /// Whether the engine counts it as caused by a user's gesture; nil if the engine does not know.
    var hasGesture: Bool?

    /// Whether it opens an empty window, whose address the page sets later.
    var isEmptyWindow: Bool {
        self.trigger == .window && self.commandID == nil && (self.url.isEmpty || self.url.hasPrefix("about:"))
    }

    /// The report of a blocked attempt, with the reason.
    func blocked(_ reason: String) -> StageOutput {
        let kind: BlockedAttempt.Kind = self.trigger == .navigation ? .navigation : .popup
        let shown = Redaction.address(self.url.excerpt(500))
        return .report(.blocked(BlockedAttempt(kind, "\(shown), \(reason)")))
    }
}

/// The decision on an attempt, and what follows from it.
struct NavigationDecision: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// Decided later, by `decide`.
        case pending
        case done
        /// Nothing is opened; the reason.
        case refused(String)
    }

    let outcome: Outcome
    let outputs: [StageOutput]

    init(_ outcome: Outcome, _ outputs: [StageOutput] = []) {
        self.outcome = outcome
        self.outputs = outputs
    }
}

/// Decides on navigations and windows: each user gesture opens one link; without a gesture nothing is opened.
struct NavigationPolicy: Hashable, Sendable {
    private var gestures = UserActivation()
    /// The outcome of each press.
    var taps = TapTracker()

    /// Handles an input event that `gesture.js` has reported.
    mutating func handle(gesture message: AdJSON, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        self.gestures.handle(UserGesture(message), at: now)
        return self.taps.handle(gesture: message, in: target)
    }

    /// A click that opens no link of its own: it needs a user's gesture, which it consumes.
    mutating func click(at now: Duration) -> [StageOutput] {
        guard self.gestures.consume(for: "", at: now) == .unused else {
            return [.report(.blocked(BlockedAttempt(.click, "a click without a user's gesture")))]
        }
        let place = self.taps.place
        self.taps.recordClick()
        return [.report(.click(nil, byUser: true, at: place))]
    }

    /// Decides on an attempt: at once if a gesture is known, or if the engine reports that there is none; otherwise the
    /// target is pinged first, because the report of a gesture may still be in flight.
    mutating func decide(_ attempt: NavigationAttempt, in target: EngineTarget?, at now: Duration) -> NavigationDecision
    {
        guard let target, attempt.hasGesture != false, self.gestures.allows(attempt.url, at: now) == nil else {
            return self.decide(attempt, at: now)
        }
        return NavigationDecision(.pending, [NavigationPolicy.query(attempt, in: target)])
    }

    /// Pings a target: all gestures that it has reported are handled before its reply.
    static func query(_ attempt: NavigationAttempt, in target: EngineTarget) -> StageOutput {
        .query(.ping(target), .gesture(attempt), within: .seconds(1))
    }

    /// Decides by the known gestures; while a finger is down the decision waits until it is known whether it taps or
    /// scrolls.
    mutating func decide(_ attempt: NavigationAttempt, at now: Duration) -> NavigationDecision {
        let hasGesture = self.gestures.allows(attempt.url, at: now) == .unused
        let resolution = ClickThroughResolution(attempt.url)
        switch resolution {
        case .nowhere where attempt.isEmptyWindow:
            // When the page sets the window's address later, that is another attempt.
            if hasGesture { self.taps.recordInertLink(attempt.url) }
            return NavigationDecision(.done)
        case .nowhere(let reason) where hasGesture:
            // The gesture is not consumed: the next attempt may have a valid address.
            return NavigationDecision(
                .refused(reason),
                self.taps.recordInvalidLink(reason) ? [] : [attempt.blocked(reason)]
            )
        case .nowhere, .opens: break
        }
        switch self.gestures.consume(for: attempt.url, at: now) {
        case .sameLink: return NavigationDecision(.done)
        case .unused:
            let place = self.taps.place
            self.taps.recordClick()
            return NavigationDecision(.done, [.report(.click(resolution.link, byUser: true, at: place))])
        case nil where self.taps.hold(attempt): return NavigationDecision(.pending)
        case nil:
            let reason = "without a user's gesture"
            return NavigationDecision(.refused(reason), [attempt.blocked(reason)])
        }
    }
}
