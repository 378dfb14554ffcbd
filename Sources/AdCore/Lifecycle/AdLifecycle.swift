/// The life of one ad, for every provider and every format: `idle → loading → loaded → presenting → showing → closed`,
/// and `failed` and `expired` from where they can happen.
///
/// A plain value: an input and the present go in, a verdict and a list of actions come out. It waits for nothing,
/// knows no clock and calls nobody; the shell carries the actions out in order. Every pair of state and input is
/// a legal move, a documented no-op or a refusal that the caller is told of; nothing else.
package struct AdLifecycle: Sendable {
    /// Where the ad is in its life.
    enum State: Equatable, Sendable {
        /// Nothing was asked for. Leaves by `load` to `loading`, by `destroy` to `closed`.
        case idle
        /// The provider is being asked. Leaves to `loaded`, `failed` or, by `destroy`, `closed`.
        case loading(CommandID)
        /// The ad can be shown. Leaves to `presenting`, `expired` or, by `destroy`, `closed`.
        case loaded(Loaded)
        /// The stage prepares the creative. Leaves to `showing`, `failed` or, by `destroy`, `closed`.
        case presenting(Presenting)
        /// The ad is on screen. Leaves to `closed`.
        case showing(Showing)
        /// The ad is over. Stays; links that were clicked before may still open.
        case closed(Closed)
        /// The ad never came on screen. Stays.
        case failed(AdError)
        /// The ad was loaded too long ago. Stays.
        case expired
    }

    struct Loaded: Equatable, Sendable {
        let terms: ShowRules
        let expires: Moment
    }

    struct Presenting: Equatable, Sendable {
        let terms: ShowRules
        let show: CommandID
        var exposure = Exposure()
        var isReady = false
        /// What is to be played, for a video.
        var playback: Playback?
        /// How many facts of the video the ledger has not written down yet.
        var untold = 0
        /// The attempts of the creative that were stopped.
        var blocked = BlockedLog()
        /// How many failed requests and script errors were reported.
        var diagnostics = 0

        init(terms: ShowRules, show: CommandID) {
            self.terms = terms
            self.show = show
            self.playback = terms.video.map { Playback($0, isRewarded: terms.isRewarded) }
        }
    }

    struct Showing: Equatable, Sendable {
        let terms: ShowRules
        let plan: ClosePlan
        let revealed: Moment
        /// When there is a way out whatever happens; nil where the host closes.
        var watchdog: Moment?
        var exposure: Exposure
        var view = View.due
        var clicks = Clicks()
        /// Events that the ledger has not written down yet.
        var unrecorded: Set<BeaconEvent> = []
        /// The rule by which the ad can be closed, once there is one.
        var closable: CloseRule?
        /// What is played, for a video.
        var playback: Playback?
        /// Whether we paused the video because nobody could see it.
        var isHeld = false
        /// How many facts of the video the ledger has not written down yet.
        var untold: Int
        var isRewarded = false
        var blocked: BlockedLog
        var diagnostics: Int

        /// Where a click without a URL of its own leads: the playing video's ClickThrough, else the ad response's URL.
        var defaultClickThrough: ClickThroughURL? {
            self.playback?.run.terms.clickThrough ?? self.terms.clickThrough
        }

        init(_ presenting: Presenting, timing: AdTiming, at now: Moment) {
            self.terms = presenting.terms
            self.plan = ClosePlan(presenting.terms, timing: timing)
            self.revealed = now
            self.watchdog = self.plan.watchdog.map { now + $0 }
            self.exposure = presenting.exposure
            self.blocked = presenting.blocked
            self.diagnostics = presenting.diagnostics
            self.playback = presenting.playback
            self.untold = presenting.untold
        }
    }

    /// How far the view is; it moves forward only, so it is recorded once.
    enum View: Equatable, Sendable {
        /// The ad has not been visible enough yet.
        case due
        /// It is visible enough since this moment, but not yet for long enough.
        case counting(since: Moment)
        /// It was recorded.
        case recorded
    }

    /// Clicks: recorded once, opened each time.
    struct Clicks: Equatable, Sendable {
        enum Record: Equatable, Sendable {
            case none
            /// The first click is being written down; these links wait for it.
            case pending([ClickThroughURL])
            case done
        }

        var record = Record.none
        /// Links that the opener has not answered for yet.
        var opening = 0

        var isSettled: Bool {
            if case .pending = self.record { return false }
            return self.opening == 0
        }
    }

    struct Closed: Equatable, Sendable {
        var clicks: Clicks
        var unrecorded: Set<BeaconEvent> = []
        var untold = 0
        /// After `destroy` nothing happens any more, not even a link that was clicked before.
        var isDestroyed: Bool

        /// Whether there is nothing left to wait for.
        var isSettled: Bool { self.clicks.isSettled && self.unrecorded.isEmpty && self.untold == 0 }
    }

    private(set) var state = State.idle
    let timing: AdTiming
    private var actions: [AdAction] = []

    package init(timing: AdTiming = AdTiming()) { self.timing = timing }

    /// Takes one input.
    package mutating func handle(_ input: AdInput, at now: Moment) -> (verdict: AdInputResult, actions: [AdAction]) {
        self.actions.removeAll(keepingCapacity: false)
        let verdict = self.decide(input, at: now)
        let actions = self.actions
        self.actions = []
        return (verdict, actions)
    }

    mutating func act(_ actions: AdAction...) { self.actions.append(contentsOf: actions) }

    mutating func move(to state: State) { self.state = state }

    private mutating func decide(_ input: AdInput, at now: Moment) -> AdInputResult {
        switch input {
        case .load(let command): return self.load(command, at: now)
        case .show(let command): return self.show(command, at: now)
        case .cancel(let command): return self.cancel(command)
        case .close: return self.closeByHost(at: now)
        case .destroy: return self.destroy(at: now)
        case .offerArrived(let terms): return self.offerArrived(terms, at: now)
        case .loadFailed(let error): return self.loadFailed(error)
        case .presentFailed(let error):
            return self.presentFailed(AdError(.stageFailed, error.message, underlying: error, vastCode: error.vastCode))
        case .stage(let event): return self.stage(event, at: now)
        case .signal(let signal): return self.signal(signal, at: now)
        case .timer(let timer): return self.timer(timer, at: now)
        case .recorded(let event): return self.recorded(event)
        case .told: return self.told()
        case .linkOpened(let link, let outcome): return self.linkOpened(link, outcome)
        }
    }
}

extension AdLifecycle {
    /// The state's name: what a host may know of it.
    package enum Phase: String, Sendable, CaseIterable {
        case idle, loading, loaded, presenting, showing, closed, failed, expired
    }

    /// Where the ad is in its life.
    package var phase: Phase {
        switch self.state {
        case .idle: .idle
        case .loading: .loading
        case .loaded: .loaded
        case .presenting: .presenting
        case .showing: .showing
        case .closed: .closed
        case .failed: .failed
        case .expired: .expired
        }
    }
}
