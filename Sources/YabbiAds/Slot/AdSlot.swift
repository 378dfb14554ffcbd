package import AdCore

/// A place in an app that shows ads one after the other: what may be loaded, what is on screen, when it is refreshed.
///
/// It is a machine, like the lifecycle of each of its ads. While one ad is on screen the next may be loaded; the refresh of
/// a banner loads the next one by itself and replaces the current one with it.
///
/// Every load and every show of the host has exactly one callback. Callbacks come after all other actions, so that a host
/// may call the next command from a callback.
package struct AdSlot: Sendable {
    /// Identifies an ad of this slot.
    package struct Number: Hashable, Sendable {
        package let value: Int

        package init(_ value: Int) { self.value = value }
    }

    /// The kind of place.
    package enum Kind: Sendable {
        /// Beside the app's content: a new ad replaces the old one.
        case banner
        /// Over the whole screen: one ad at a time.
        case fullScreen
    }

    /// An input: a command of the host, an event of an ad, a signal, or the time of a refresh.
    package enum Input: Equatable, Sendable {
        case load, show, destroy
        case loaded(Number)
        case loadFailed(Number, AdError)
        case shown(Number)
        case showFailed(Number, AdError)
        case viewed(Number)
        case closed(Number)
        case expired(Number)
        /// Whether the place is visible, as set by the host.
        case visible(Bool)
        /// Whether the app is in the foreground and nothing covers it.
        case inFront(Bool)
        case refreshDue
        /// The time from an impression to the next ad; nil for no refresh.
        case refreshEvery(Duration?)
    }

    /// An action for the shell.
    package enum Action: Equatable, Sendable {
        case startLoad(Number)
        /// Show an ad on the presenter of the `show` command.
        case show(Number)
        /// Show the second ad on the presenter of the first.
        case replace(Number, with: Number)
        case destroy(Number)
        case call(Callback)
        case setRefresh(at: Moment)
        case cancelRefresh
    }

    /// A callback for the host.
    package enum Callback: Equatable, Sendable {
        case loaded
        case loadFailed(AdError)
        case shown
        case showFailed(AdError)
        case impression
        case closed
    }

    /// The state of the next ad.
    enum Next: Equatable, Sendable {
        case none
        /// By the host's command, or by a refresh.
        case loading(Number, isRefresh: Bool)
        case loaded(Number)
        case presenting(Number, isRefresh: Bool)
    }

    /// The state of the refresh.
    enum Refresh: Equatable, Sendable {
        /// There was no impression of the current ad yet.
        case idle
        case scheduled
        /// It was due while the place was not visible.
        case overdue
    }

    private(set) var next = Next.none
    private(set) var current: Number?
    private(set) var refresh = Refresh.idle
    private var isViewed = false
    private var isVisible = true
    private var isInFront = true
    private var interval: Duration?
    private var last = 0
    private let kind: Kind
    private var actions: [Action] = []
    private var callbacks: [Callback] = []

    package init(_ kind: Kind) { self.kind = kind }

    /// Whether a load would be accepted.
    package var canLoad: Bool {
        switch self.next {
        case .none, .loading(_, isRefresh: true): true
        case .loading, .loaded, .presenting: false
        }
    }

    /// Whether an ad is loaded, or being shown by the host's command.
    package var isLoaded: Bool {
        switch self.next {
        case .loaded, .presenting(_, isRefresh: false): true
        case .none, .loading, .presenting: false
        }
    }

    /// Whether a load of the host is under way.
    package var isLoading: Bool {
        guard case .loading(_, isRefresh: false) = self.next else { return false }
        return true
    }

    /// Handles an input.
    package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
        self.actions = []
        self.callbacks = []
        switch input {
        case .load: self.load()
        case .show: self.show()
        case .destroy: self.destroy()
        case .loaded(let number): self.loaded(number)
        case .loadFailed(let number, let error): self.loadFailed(number, error, at: now)
        case .shown(let number): self.shown(number)
        case .showFailed(let number, let error): self.showFailed(number, error, at: now)
        case .viewed(let number): self.viewed(number, at: now)
        case .closed(let number): self.closed(number)
        case .expired(let number): self.expired(number, at: now)
        case .visible(let isVisible):
            self.isVisible = isVisible
            self.visibilityChanged()
        case .inFront(let isInFront):
            self.isInFront = isInFront
            self.visibilityChanged()
        case .refreshDue: self.refreshDue()
        case .refreshEvery(let interval): self.refreshEvery(interval, at: now)
        }
        return self.actions + self.callbacks.map(Action.call)
    }

    private mutating func act(_ action: Action) { self.actions.append(action) }

    private mutating func call(_ callback: Callback) { self.callbacks.append(callback) }
}

// MARK: - Loading and showing

extension AdSlot {
    private mutating func load() {
        switch self.next {
        case .none:
            self.startLoad(isRefresh: false)
        case .loading(let number, isRefresh: true):
            // The load of the refresh becomes the load of the host.
            self.next = .loading(number, isRefresh: false)
        case .loading:
            let error = AdError(.alreadyLoading, "a load of this placement is under way; wait for its callback")
            self.call(.loadFailed(error))
        case .loaded, .presenting:
            self.call(.loadFailed(AdError(.alreadyLoaded, "this placement has a loaded ad; show it first")))
        }
    }

    private mutating func startLoad(isRefresh: Bool) {
        self.last += 1
        let number = Number(self.last)
        self.next = .loading(number, isRefresh: isRefresh)
        self.act(.startLoad(number))
    }

    private mutating func show() {
        switch self.next {
        case .loaded(let number):
            guard self.kind == .banner || self.current == nil else {
                let error = AdError(.alreadyShown, "an ad of this placement is on screen; wait until it is closed")
                return self.call(.showFailed(error))
            }
            self.next = .presenting(number, isRefresh: false)
            self.act(.show(number))
        case .none, .loading:
            self.call(.showFailed(AdError(.notLoaded, "this placement has no loaded ad; load one first")))
        case .presenting:
            self.call(.showFailed(AdError(.alreadyShown, "the ad is being shown already")))
        }
    }

    private mutating func loaded(_ number: Number) {
        switch self.next {
        case .loading(number, isRefresh: false):
            self.next = .loaded(number)
            self.call(.loaded)
        case .loading(number, isRefresh: true):
            guard let current = self.current else {
                preconditionFailure("A refresh ends when the ad that it replaces is closed.")
            }
            self.next = .presenting(number, isRefresh: true)
            self.act(.replace(current, with: number))
        case .none, .loading, .loaded, .presenting:
            // It is not needed any more.
            if !self.holds(number) { self.act(.destroy(number)) }
        }
    }

    private mutating func loadFailed(_ number: Number, _ error: AdError, at now: Moment) {
        guard case .loading(number, let isRefresh) = self.next else { return }
        self.dropNext(at: now)
        if !isRefresh { self.call(.loadFailed(error)) }
    }

    private mutating func shown(_ number: Number) {
        guard case .presenting(number, _) = self.next else { return }
        if let old = self.current { self.act(.destroy(old)) }
        self.next = .none
        self.current = number
        self.isViewed = false
        self.stopRefresh()
        self.call(.shown)
    }

    private mutating func showFailed(_ number: Number, _ error: AdError, at now: Moment) {
        guard case .presenting(number, let isRefresh) = self.next else { return }
        self.dropNext(at: now)
        if !isRefresh { self.call(.showFailed(error)) }
    }

    private mutating func expired(_ number: Number, at now: Moment) {
        switch self.next {
        case .loaded(number):
            self.dropNext(at: now)
        case .presenting(number, _):
            // It expired before the command to show it.
            let error = AdError(.expired, "the ad was loaded too long ago to be shown; load another")
            self.showFailed(number, error, at: now)
        case .none, .loading, .loaded, .presenting: break
        }
    }

    /// There is no next ad: the banner on screen waits for its refresh again.
    private mutating func dropNext(at now: Moment) {
        self.next = .none
        if self.refresh == .idle { self.schedule(at: now) }
    }

    private mutating func closed(_ number: Number) {
        guard self.current == number else { return }
        self.current = nil
        self.isViewed = false
        self.stopRefresh()
        switch self.next {
        case .loading(let next, isRefresh: true), .presenting(let next, isRefresh: true):
            self.next = .none
            self.act(.destroy(next))
        case .none, .loading, .loaded, .presenting: break
        }
        self.call(.closed)
    }

    private mutating func destroy() {
        let error = AdError(.destroyed, "the placement was destroyed by the host")
        switch self.next {
        case .none: break
        case .loading(let number, let isRefresh):
            self.act(.destroy(number))
            if !isRefresh { self.call(.loadFailed(error)) }
        case .loaded(let number): self.act(.destroy(number))
        case .presenting(let number, let isRefresh):
            self.act(.destroy(number))
            if !isRefresh { self.call(.showFailed(error)) }
        }
        self.next = .none
        self.stopRefresh()
        if let current = self.current {
            self.current = nil
            self.isViewed = false
            self.act(.destroy(current))
            self.call(.closed)
        }
    }

    private func holds(_ number: Number) -> Bool {
        switch self.next {
        case .none: self.current == number
        case .loading(let next, _), .loaded(let next), .presenting(let next, _):
            next == number || self.current == number
        }
    }
}

// MARK: - Refresh: after an impression, while the place is visible

extension AdSlot {
    private mutating func viewed(_ number: Number, at now: Moment) {
        guard self.current == number, !self.isViewed else { return }
        self.isViewed = true
        self.call(.impression)
        self.schedule(at: now)
    }

    private mutating func schedule(at now: Moment) {
        guard let interval = self.interval, self.isViewed, self.kind == .banner else { return }
        self.refresh = .scheduled
        self.act(.setRefresh(at: now + interval))
    }

    private mutating func stopRefresh() {
        if self.refresh == .scheduled { self.act(.cancelRefresh) }
        self.refresh = .idle
    }

    private mutating func refreshDue() {
        guard self.refresh == .scheduled else { return }
        guard self.canBeSeen else {
            self.refresh = .overdue
            return
        }
        self.startRefresh()
    }

    /// Whether the place is visible and the app in the foreground.
    package var canBeSeen: Bool { self.isVisible && self.isInFront }

    private mutating func visibilityChanged() {
        if self.canBeSeen, self.refresh == .overdue { self.startRefresh() }
    }

    private mutating func startRefresh() {
        self.refresh = .idle
        // Where the host loads the next ad by itself, that one is the refresh, and the host shows it.
        if self.next == .none { self.startLoad(isRefresh: true) }
    }

    private mutating func refreshEvery(_ interval: Duration?, at now: Moment) {
        // Setting the same interval again does not postpone the refresh.
        guard interval != self.interval else { return }
        self.interval = interval
        self.stopRefresh()
        self.schedule(at: now)
    }
}
