/// The state machine of one ad, for every provider and format.
///
/// An ad goes through `idle → loading → loaded → presenting → showing → closed`, or ends in `failed` or `expired`.
///
/// The machine is a value without I/O and without a clock: `handle` takes an input and the time, and returns a result
/// and a list of actions, which the shell executes in order. Every pair of state and input is a transition, a
/// documented no-op or a refusal.
package struct AdLifecycle: Sendable {
    /// Where the ad is in its life.
    enum State: Equatable, Sendable {
        /// Not loaded. Leaves by `load` to `loading`, by `destroy` to `closed`.
        case idle
        /// The load is running. Leaves to `loaded`, `failed` or, by `destroy`, `closed`.
        case loading(CommandID)
        /// The ad can be shown. Leaves to `presenting`, `expired` or, by `destroy`, `closed`.
        case loaded(Loaded)
        /// The stage prepares the creative. Leaves to `showing`, `failed` or, by `destroy`, `closed`.
        case presenting(Presenting)
        /// The offer could not be shown, and the auction's next one is awaited. Leaves to `presenting`, `failed` or, by
        /// `destroy`, `closed`.
        case replacing(Replacing)
        /// The ad is on screen. Leaves to `closed`.
        case showing(Showing)
        /// The ad is over. Final; links that were clicked before may still open.
        case closed(Closed)
        /// The load or the show failed. Final.
        case failed(AdError)
        /// The ad's lifetime is over. Final.
        case expired
    }

    struct Loaded: Equatable, Sendable {
        var rules: ShowRules { self.boxedRules.value }
        /// All states of an ad share its rules, and so does its offer.
        let boxedRules: Boxed<ShowRules>
        let expires: Moment
    }

    struct Presenting: Equatable, Sendable {
        var rules: ShowRules { self.boxedRules.value }
        let boxedRules: Boxed<ShowRules>
        let show: CommandID
        var exposure = Exposure()
        var isReady = false
        /// The playback, for a video.
        var playback: Playback? {
            get { self.boxedPlayback?.value }
            set { self.boxedPlayback = newValue.map { Boxed($0) } }
        }
        fileprivate var boxedPlayback: Boxed<Playback>?
        /// The number of tracking events that the ledger has not recorded yet.
        var pendingTracking = 0
        /// The blocked attempts of the creative.
        var blocked = BlockedLog()
        /// The number of reported failed requests and script errors.
        var diagnostics = 0
        /// The error of the first offer of this show, if that one failed.
        var firstError: AdError?

        init(rules: Boxed<ShowRules>, show: CommandID) {
            self.boxedRules = rules
            self.show = show
            self.playback = self.rules.video.map { Playback($0, isRewarded: self.rules.isRewarded) }
        }

        init(_ replacing: Replacing, with rules: Boxed<ShowRules>) {
            self.init(rules: rules, show: replacing.show)
            self.exposure = replacing.exposure
            self.pendingTracking = replacing.pendingTracking
            self.blocked = replacing.blocked
            self.diagnostics = replacing.diagnostics
            self.firstError = replacing.error
        }
    }

    /// A show whose offer failed, until the auction's next offer arrives.
    struct Replacing: Equatable, Sendable {
        let show: CommandID
        /// Why the first offer could not be shown: the error of the show if there is no other offer.
        let error: AdError
        var exposure: Exposure
        var pendingTracking: Int
        let blocked: BlockedLog
        let diagnostics: Int

        init(_ presenting: Presenting, _ error: AdError) {
            self.show = presenting.show
            self.error = presenting.firstError ?? error
            self.exposure = presenting.exposure.withoutStage
            self.pendingTracking = presenting.pendingTracking
            self.blocked = presenting.blocked
            self.diagnostics = presenting.diagnostics
        }
    }

    struct Showing: Equatable, Sendable {
        var rules: ShowRules { self.boxedRules.value }
        private let boxedRules: Boxed<ShowRules>
        /// The visible time after which the ad can be closed; nil if no close delay applies.
        let closeAfter: Duration?
        let revealed: Moment
        /// When the ad can be closed whatever happens; nil if the host closes it.
        var watchdog: Moment?
        var exposure: Exposure
        var view = View.due
        var clicks = Clicks()
        /// Events that the ledger has not recorded yet.
        var unrecorded: Set<BeaconEvent> = []
        /// The rule by which the ad can be closed; nil until it can.
        var closable: CloseRule?
        /// The playback, for a video.
        var playback: Playback? {
            get { self.boxedPlayback?.value }
            set { self.boxedPlayback = newValue.map { Boxed($0) } }
        }
        fileprivate var boxedPlayback: Boxed<Playback>?
        /// Whether the video was paused by this machine because it was not visible.
        var isAutoPaused = false
        /// The number of tracking events that the ledger has not recorded yet.
        var pendingTracking: Int
        var isRewarded = false
        var blocked: BlockedLog
        var diagnostics: Int

        /// The click-through URL of a click that has none of its own: the current spot's, else the offer's.
        var defaultClickThrough: ClickThroughURL? {
            self.playback?.current.rules.clickThrough ?? self.rules.clickThrough
        }

        init(_ presenting: Presenting, timing: AdTiming, at now: Moment) {
            self.boxedRules = presenting.boxedRules
            let plan = ClosePlan(presenting.rules, timing: timing)
            self.closeAfter = plan.closeAfter
            self.revealed = now
            self.watchdog = plan.watchdog.map { now + $0 }
            self.exposure = presenting.exposure
            self.blocked = presenting.blocked
            self.diagnostics = presenting.diagnostics
            self.pendingTracking = presenting.pendingTracking
            self.boxedPlayback = presenting.boxedPlayback
        }
    }

    /// The progress of the view; `recorded` is final, so it is recorded once.
    enum View: Equatable, Sendable {
        /// The ad is not visible enough.
        case due
        /// The ad is visible enough since this moment, but not yet for long enough.
        case counting(since: Moment)
        /// The view was recorded.
        case recorded
    }

    /// The click record, written once, and the links, opened each time.
    struct Clicks: Equatable, Sendable {
        enum Record: Equatable, Sendable {
            case none
            /// The first click is being recorded; these links wait for it.
            case pending([ClickThroughURL])
            case done
        }

        var record = Record.none
        /// The number of links that the opener is opening.
        var opening = 0

        var isSettled: Bool {
            if case .pending = self.record { return false }
            return self.opening == 0
        }
    }

    struct Closed: Equatable, Sendable {
        var clicks: Clicks
        var unrecorded: Set<BeaconEvent> = []
        var pendingTracking = 0
        /// Whether the ad was destroyed; then not even a link that was clicked before opens.
        var isDestroyed: Bool

        /// Whether no record and no link is pending.
        var isSettled: Bool { self.clicks.isSettled && self.unrecorded.isEmpty && self.pendingTracking == 0 }
    }

    private(set) var state = State.idle
    var timing: AdTiming { self.boxedTiming.value }
    /// All ads of an app share it.
    private let boxedTiming: Boxed<AdTiming>
    private var actions: [AdAction] = []

    package init(timing: AdTiming = AdTiming()) { self.init(timing: Boxed(timing)) }

    /// Creates a lifecycle with durations that it shares with others.
    package init(timing: Boxed<AdTiming>) { self.boxedTiming = timing }

    /// Handles an input, and returns its result and the actions to execute.
    package mutating func handle(_ input: AdInput, at now: Moment) -> (result: AdInputResult, actions: [AdAction]) {
        self.actions.removeAll(keepingCapacity: false)
        let result = self.decide(input, at: now)
        let actions = self.actions
        self.actions = []
        return (result, actions)
    }

    mutating func act(_ actions: AdAction...) { self.actions.append(contentsOf: actions) }

    mutating func move(to state: State) { self.state = state }

    private mutating func decide(_ input: AdInput, at now: Moment) -> AdInputResult {
        switch input {
        case .load(let command): return self.load(command, at: now)
        case .show(let command): return self.show(command, at: now)
        case .showCapped(let command, let error): return self.showCapped(command, error, at: now)
        case .cancel(let command): return self.cancel(command)
        case .close: return self.closeByHost(at: now)
        case .destroy: return self.destroy(at: now)
        case .offerArrived(let rules): return self.offerArrived(rules, at: now)
        case .loadFailed(let error): return self.loadFailed(error)
        case .presentFailed(let error):
            let error = AdError(.stageFailed, error.message, underlying: error, vastCode: error.vastCode)
            return self.presentFailed(error, at: now)
        case .stage(let event): return self.stage(event, at: now)
        case .signal(let signal): return self.signal(signal, at: now)
        case .timer(let timer): return self.timer(timer, at: now)
        case .recorded(let event): return self.recorded(event)
        case .tracked: return self.tracked()
        case .linkOpened(let link, let outcome): return self.linkOpened(link, outcome)
        }
    }
}

extension AdLifecycle {
    /// The state's name, as the host gets it.
    package enum Phase: String, Sendable, CaseIterable {
        case idle, loading, loaded, presenting, replacing, showing, closed, failed, expired
    }

    /// The name of the current state.
    package var phase: Phase {
        switch self.state {
        case .idle: .idle
        case .loading: .loading
        case .loaded: .loaded
        case .presenting: .presenting
        case .replacing: .replacing
        case .showing: .showing
        case .closed: .closed
        case .failed: .failed
        case .expired: .expired
        }
    }

    /// When the ad expires, while it is loaded and not shown yet.
    package var expires: Moment? {
        guard case .loaded(let loaded) = self.state else { return nil }
        return loaded.expires
    }
}
