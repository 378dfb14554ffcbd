/// The machine of a slot: what is loaded, what is on screen, and when a banner is refreshed.
///
/// While one ad is on screen the next may be loaded. A banner's refresh loads the next ad by itself and replaces the
/// current one with it. Every load and show of the host has exactly one callback, and what happens to a shown or loaded
/// ad has another: an impression, a click, the close, the expiry. Callbacks come after all other actions, so that a host
/// may call the next command from a callback. A slot bills nothing: each ad's lifecycle does.
///
/// The refresh follows two texts of Prebid Mobile for iOS: issue 393, *Introduce the consistent refresh policy* (I),
/// and the *Banner Refresh Policy* that is attached to its repository as file 6976360 (P). Their clauses, and the
/// tests of `SlotPolicyTests` that show them:
///
/// - Refresh is off until the app sets an interval (I): `offByDefault`.
/// - The shortest interval is 30 s (I) or 15 s (P), the longest 120 s (P). One outside is ignored (I), or clamped with
///   a warning (P). Here it is clamped to 15 s to 120 s, with an issue: `clamped`.
/// - An interval that is set later ends the running count (I). Here it also starts it again: `changedInterval`.
/// - The time starts with the request (I), or with its response (P). Here it starts with the impression, which is
///   later than both, so that no ad is replaced before it was billed: `afterImpression`.
/// - The time starts whatever the response is (P). Here a failure starts it too, longer after each one, and the old ad
///   stays on screen: `backOff`, `failedShow`.
/// - There is no request while the banner is scrolled away or its page is not shown (P). Here time does not count
///   either: `scrolledAway`. The same holds in the background and under a cover: `notInFront`, `bothInFront`.
/// - There is no request while what a click opened is in front (P). Here time starts to count when the user is back:
///   `clickThrough`.
/// - A refresh that could not run is tried after another interval (P). Here it waits until the slot is seen:
///   `dueWhileHidden`, `loadedWhileHidden`.
/// - The app stops and resumes the refresh, and the rest of the interval is kept (I): `stopped`. A stop during a
///   request holds back its ad: `stoppedWhileLoading`.
package struct SlotMachine: Sendable {
    /// Identifies an ad of this slot.
    package struct Number: Hashable, Sendable {
        package let value: Int

        package init(_ value: Int) { self.value = value }
    }

    /// The kind of place.
    package enum Kind: Sendable {
        /// Beside the app's content: a new ad replaces the old one.
        case banner
        /// Over the whole screen: one ad at a time, which is never refreshed.
        case fullScreen
    }

    /// An input: a command of the host, an event of an ad, a signal, or the timer.
    package enum Input: Equatable, Sendable {
        /// Commands for single ads, each with a callback.
        case load, show
        /// Loads and shows ads without further commands, from now on.
        case start
        /// Starts no request and shows nothing new until `resume`.
        case stop, resume
        /// Makes the refresh due now.
        case refreshNow
        /// Ends the slot and its ads for good.
        case close
        case loaded(Number)
        case loadFailed(Number, AdError)
        case shown(Number)
        case showFailed(Number, AdError)
        case viewed(Number)
        case clicked(Number)
        case closed(Number)
        case expired(Number)
        /// An ad's click-through URL was opened.
        case linkOpened
        /// The share of the container's area on screen, as the host reports it.
        case visible(ratio: Double)
        case signal(HostSignal)
        case timer
        /// The seen time from an impression to the next request; nil for no refresh.
        case refreshEvery(Duration?)
        /// The user's consent changed: an ad that was requested before must not be shown.
        case consentChanged
    }

    /// An action for the shell.
    package enum Action: Equatable, Sendable {
        case load(Number)
        /// Show an ad. One that replaces another is shown on the presenter of that one.
        case show(Number, replacing: Number?)
        case destroy(Number)
        case call(Callback)
        case report(AdIssue)
        /// Set the slot's only timer, in place of the one that is set.
        case setTimer(at: Moment)
        case cancelTimer
    }

    /// A callback for the host.
    package enum Callback: Equatable, Sendable {
        case loaded
        case loadFailed(AdError)
        case shown
        case showFailed(AdError)
        /// The impression of the ad on screen was recorded.
        case impression
        /// The click on the ad on screen was recorded.
        case clicked
        case closed
        /// An ad that was loaded for the host can't be shown any more; no show of it is pending.
        ///
        /// The ads that the slot loads by itself expire silently: it loads the next one.
        case expired
    }

    /// Who wants the next ad.
    enum Purpose: Equatable, Sendable {
        /// The host's command; the host shows it.
        case host
        /// The slot itself, for its first ad or a refresh; it is shown as soon as it may be.
        case slot
    }

    /// The state of the next ad.
    enum Next: Equatable, Sendable {
        case none
        case loading(Number, Purpose)
        case loaded(Number, Purpose)
        case presenting(Number, Purpose)
    }

    /// When the slot requests its next ad.
    enum Wait: Equatable, Sendable {
        /// Not by itself: there is no interval, or the current ad has no impression yet.
        case none
        /// After so much more seen time.
        case seen(Duration)
        /// As soon as the slot is seen.
        case due
    }

    let kind: Kind
    var next = Next.none
    var current: Number?
    var wait = Wait.none
    /// When the seen time that is being counted began; nil while it is not.
    var countingSince: Moment?
    var interval: Duration?
    /// How many loads and shows of the slot failed in a row.
    var failures = 0
    var isViewed = false
    var isClosed = false
    var sight = SlotSight()
    var random: SplitMix
    private var last = 0
    private var actions: [Action] = []
    private var callbacks: [Callback] = []

    /// Creates a slot; `seed` is for the jitter of its retries.
    package init(_ kind: Kind, seed: UInt64) {
        self.kind = kind
        self.random = SplitMix(seed: seed)
    }

    /// Whether a load would be accepted.
    package var canLoad: Bool {
        if self.isClosed { return false }
        switch self.next {
        case .none, .loading(_, .slot), .loaded(_, .slot): return true
        case .loading, .loaded, .presenting: return false
        }
    }

    /// Whether an ad is loaded for the host, or being shown by its command.
    package var isLoaded: Bool {
        switch self.next {
        case .loaded(_, .host), .presenting(_, .host): true
        case .none, .loading, .loaded, .presenting: false
        }
    }

    /// Whether a load of the host is under way.
    package var isLoading: Bool {
        guard case .loading(_, .host) = self.next else { return false }
        return true
    }

    /// Whether the place is on screen, the app in the foreground, and nothing covers it.
    package var canBeSeen: Bool { self.sight.isSeen }

    /// The ad on screen.
    package var currentNumber: Number? { self.current }

    /// Handles an input.
    package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
        switch input {
        case .load: self.load()
        case .show: self.show()
        case .start: self.start()
        case .stop: self.sight.isStopped = true
        case .resume: self.sight.resume()
        case .refreshNow: self.refreshNow()
        case .close: self.close()
        case .loaded(let number): self.loaded(number)
        case .loadFailed(let number, let error): self.loadFailed(number, error)
        case .shown(let number): self.shown(number)
        case .showFailed(let number, let error): self.showFailed(number, error)
        case .viewed(let number): self.viewed(number)
        case .clicked(let number): self.clicked(number)
        case .closed(let number): self.closed(number)
        case .expired(let number): self.expired(number)
        case .linkOpened: self.sight.isAway = self.kind == .banner
        case .visible(let ratio): self.sight.setVisible(ratio)
        case .signal(let signal): self.sight.handle(signal)
        case .timer: self.timerFired(at: now)
        case .refreshEvery(let interval): self.refreshEvery(interval)
        case .consentChanged: self.consentChanged()
        }
        self.proceed(at: now)
        defer { (self.actions, self.callbacks) = ([], []) }
        return self.actions + self.callbacks.map(Action.call)
    }

    mutating func act(_ action: Action) { self.actions.append(action) }

    mutating func call(_ callback: Callback) { self.callbacks.append(callback) }

    /// The number of a new ad.
    mutating func makeNumber() -> Number {
        self.last += 1
        return Number(self.last)
    }
}
