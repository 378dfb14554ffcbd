package import AdCore

/// A place in an app that ads come to one after the other: what may be loaded, what is on screen, when it is refreshed.
///
/// A plain value, like the lifecycle of each ad in it: news and the present go in, actions come out. While one ad is on
/// screen the next may be loaded; a banner's refresh loads the next one by itself and puts it in place of the old.
///
/// Every load and every show the host asks for has exactly one outcome. What is to be done comes before what is to be
/// told, so that a host which answers a callback with the next command finds everything settled.
package struct AdSlot: Sendable {
    /// Names an ad of this slot.
    package struct Number: Hashable, Sendable {
        package let value: Int

        package init(_ value: Int) { self.value = value }
    }

    /// What kind of place it is.
    package enum Kind: Sendable {
        /// Beside the app's content: a new ad replaces the old one.
        case banner
        /// The whole screen: one ad at a time.
        case fullScreen
    }

    /// What can happen to a slot.
    package enum Input: Equatable, Sendable {
        case load, show, destroy
        case loaded(Number)
        case loadFailed(Number, AdError)
        case shown(Number)
        case showFailed(Number, AdError)
        case viewed(Number)
        case closed(Number)
        case expired(Number)
        /// Whether the place can be seen, by the host's word.
        case visible(Bool)
        /// Whether anything can be seen at all: the app is in the foreground, and nothing covers it.
        case inFront(Bool)
        case refreshDue
        /// How long after a view the next ad comes; nil for never.
        case refreshEvery(Duration?)
    }

    /// What is to be done.
    package enum Action: Equatable, Sendable {
        case startLoad(Number)
        /// Show an ad where the host has just asked for it.
        case show(Number)
        /// Show the second ad where the first one is.
        case replace(Number, with: Number)
        case destroy(Number)
        case tell(Callback)
        case setRefresh(at: Moment)
        case cancelRefresh
    }

    /// What the host is told.
    package enum Callback: Equatable, Sendable {
        case loaded
        case loadFailed(AdError)
        case shown
        case showFailed(AdError)
        case impression
        case closed
    }

    /// The ad to come.
    enum Next: Equatable, Sendable {
        case none
        /// Asked for by the host, or by the refresh on its own.
        case loading(Number, isRefresh: Bool)
        case loaded(Number)
        case presenting(Number, isRefresh: Bool)
    }

    /// When the next refresh is.
    enum Refresh: Equatable, Sendable {
        /// Nothing on screen was viewed yet.
        case idle
        case scheduled
        /// Its time has come while nobody could see the place.
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
    private var deeds: [Action] = []
    private var callbacks: [Callback] = []

    package init(_ kind: Kind) { self.kind = kind }

    /// Whether a load would be accepted.
    package var canLoad: Bool {
        switch self.next {
        case .none, .loading(_, isRefresh: true): true
        case .loading, .loaded, .presenting: false
        }
    }

    /// Whether an ad is there to be shown, or about to be.
    package var isLoaded: Bool {
        switch self.next {
        case .loaded, .presenting(_, isRefresh: false): true
        case .none, .loading, .presenting: false
        }
    }

    /// Whether the host waits for a load.
    package var isLoading: Bool {
        guard case .loading(_, isRefresh: false) = self.next else { return false }
        return true
    }

    /// Takes one piece of news.
    package mutating func handle(_ input: Input, at now: Moment) -> [Action] {
        self.deeds = []
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
            self.sightChanged()
        case .inFront(let isInFront):
            self.isInFront = isInFront
            self.sightChanged()
        case .refreshDue: self.refreshDue()
        case .refreshEvery(let interval): self.refreshEvery(interval, at: now)
        }
        return self.deeds + self.callbacks.map(Action.tell)
    }

    private mutating func act(_ deed: Action) { self.deeds.append(deed) }

    private mutating func tell(_ callback: Callback) { self.callbacks.append(callback) }
}

// MARK: - Loading and showing

extension AdSlot {
    private mutating func load() {
        switch self.next {
        case .none:
            self.startLoad(isRefresh: false)
        case .loading(let number, isRefresh: true):
            // What the refresh has begun is what the host asks for.
            self.next = .loading(number, isRefresh: false)
        case .loading:
            self.tell(.loadFailed(AdError(.alreadyLoading, "an ad is being loaded here; wait for it")))
        case .loaded, .presenting:
            self.tell(.loadFailed(AdError(.alreadyLoaded, "an ad is loaded here; show it first")))
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
                let error = AdError(.alreadyShown, "an ad of this placement is on screen; wait for its close")
                return self.tell(.showFailed(error))
            }
            self.next = .presenting(number, isRefresh: false)
            self.act(.show(number))
        case .none, .loading:
            self.tell(.showFailed(AdError(.notLoaded, "nothing is loaded here; load first")))
        case .presenting:
            self.tell(.showFailed(AdError(.alreadyShown, "the ad is being shown already")))
        }
    }

    private mutating func loaded(_ number: Number) {
        switch self.next {
        case .loading(number, isRefresh: false):
            self.next = .loaded(number)
            self.tell(.loaded)
        case .loading(number, isRefresh: true):
            guard let current = self.current else {
                preconditionFailure("A refresh is given up when the ad that it refreshes is closed.")
            }
            self.next = .presenting(number, isRefresh: true)
            self.act(.replace(current, with: number))
        case .none, .loading, .loaded, .presenting:
            // Nobody wants it any more.
            if !self.holds(number) { self.act(.destroy(number)) }
        }
    }

    private mutating func loadFailed(_ number: Number, _ error: AdError, at now: Moment) {
        guard case .loading(number, let isRefresh) = self.next else { return }
        self.dropNext(at: now)
        if !isRefresh { self.tell(.loadFailed(error)) }
    }

    private mutating func shown(_ number: Number) {
        guard case .presenting(number, _) = self.next else { return }
        if let old = self.current { self.act(.destroy(old)) }
        self.next = .none
        self.current = number
        self.isViewed = false
        self.stopRefresh()
        self.tell(.shown)
    }

    private mutating func showFailed(_ number: Number, _ error: AdError, at now: Moment) {
        guard case .presenting(number, let isRefresh) = self.next else { return }
        self.dropNext(at: now)
        if !isRefresh { self.tell(.showFailed(error)) }
    }

    private mutating func expired(_ number: Number, at now: Moment) {
        switch self.next {
        case .loaded(number):
            self.dropNext(at: now)
        case .presenting(number, _):
            // It was over before the command to show it had arrived.
            let error = AdError(.expired, "the ad was loaded too long ago to be shown; load another")
            self.showFailed(number, error, at: now)
        case .none, .loading, .loaded, .presenting: break
        }
    }

    /// The ad to come does not come: the banner on screen waits for its refresh again.
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
        self.tell(.closed)
    }

    private mutating func destroy() {
        let error = AdError(.destroyed, "the placement was destroyed by the host")
        switch self.next {
        case .none: break
        case .loading(let number, let isRefresh):
            self.act(.destroy(number))
            if !isRefresh { self.tell(.loadFailed(error)) }
        case .loaded(let number): self.act(.destroy(number))
        case .presenting(let number, let isRefresh):
            self.act(.destroy(number))
            if !isRefresh { self.tell(.showFailed(error)) }
        }
        self.next = .none
        self.stopRefresh()
        if let current = self.current {
            self.current = nil
            self.isViewed = false
            self.act(.destroy(current))
            self.tell(.closed)
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

// MARK: - Refresh: after a view, while the place can be seen

extension AdSlot {
    private mutating func viewed(_ number: Number, at now: Moment) {
        guard self.current == number, !self.isViewed else { return }
        self.isViewed = true
        self.tell(.impression)
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

    /// Whether the place can be seen, as far as the host has said.
    package var canBeSeen: Bool { self.isVisible && self.isInFront }

    private mutating func sightChanged() {
        if self.canBeSeen, self.refresh == .overdue { self.startRefresh() }
    }

    private mutating func startRefresh() {
        self.refresh = .idle
        // Where the host loads the next ad by itself, that one is the refresh, and the host shows it.
        if self.next == .none { self.startLoad(isRefresh: true) }
    }

    private mutating func refreshEvery(_ interval: Duration?, at now: Moment) {
        // Who says the same again must not put the refresh off each time.
        guard interval != self.interval else { return }
        self.interval = interval
        self.stopRefresh()
        self.schedule(at: now)
    }
}
