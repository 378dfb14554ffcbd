import AdCore

@testable import YabbiAds

/// Checks the actions of a slot against the rules, independently of its implementation.
struct SlotAudit {
    /// Loads and shows of the app without an outcome yet.
    private(set) var pendingLoads = 0
    private(set) var pendingShows = 0
    private(set) var violations: [String] = []
    /// How often each action and callback occurred.
    private(set) var counts: [String: Int] = [:]

    private let kind: AdSlot.Kind
    private var started: Set<AdSlot.Number> = []
    private var destroyed: Set<AdSlot.Number> = []
    private var presented: Set<AdSlot.Number> = []
    private var onScreen: AdSlot.Number?
    private var isViewed = false
    private var isVisible = true
    private var isInFront = true
    private var interval: Duration?
    private var alarm: Moment?

    init(_ kind: AdSlot.Kind) { self.kind = kind }

    /// When the next refresh is due.
    var refreshAlarm: Moment? { self.alarm }

    /// Checks the actions that a slot returned for an input.
    mutating func handle(_ input: AdSlot.Input, _ actions: [AdSlot.Action], _ slot: AdSlot, at now: Moment) {
        switch input {
        case .load: self.pendingLoads += 1
        case .show: self.pendingShows += 1
        case .visible(let isVisible): self.isVisible = isVisible
        case .inFront(let isInFront): self.isInFront = isInFront
        case .refreshEvery(let interval): self.interval = interval
        case .refreshDue: self.alarm = nil
        case .destroy, .loaded, .loadFailed, .shown, .showFailed, .viewed, .closed, .expired: break
        }
        var hasCalledDelegate = false
        for action in actions {
            if case .call(let callback) = action {
                hasCalledDelegate = true
                self.check(callback, input)
            } else {
                self.check(!hasCalledDelegate, "a callback comes before another action")
                self.check(action, input, at: now)
            }
        }
        self.checkState(slot, at: now)
    }

    private mutating func check(_ callback: AdSlot.Callback, _ input: AdSlot.Input) {
        switch callback {
        case .loaded:
            self.count("loaded")
            self.pendingLoads -= 1
        case .loadFailed(let error):
            self.count("loadFailed \(error.code)")
            self.pendingLoads -= 1
        case .shown:
            self.count("shown")
            guard case .shown(let number) = input else {
                return self.check(false, "a shown callback without a shown input")
            }
            self.check(self.presented.contains(number), "an ad is on screen that was never shown")
            if self.isRequested(number) { self.pendingShows -= 1 }
            if let old = self.onScreen { self.check(self.destroyed.contains(old), "the old ad was not destroyed") }
            self.onScreen = number
            self.isViewed = false
        case .showFailed(let error):
            self.count("showFailed \(error.code)")
            self.pendingShows -= 1
        case .impression:
            self.count("impression")
            self.check(self.onScreen != nil && !self.isViewed, "a second impression, or one without an ad on screen")
            self.isViewed = true
        case .closed:
            self.count("closed")
            self.check(self.onScreen != nil, "a closed callback without an ad on screen")
            self.onScreen = nil
            self.isViewed = false
        }
    }

    private var requestedShows: Set<AdSlot.Number> = []

    private func isRequested(_ number: AdSlot.Number) -> Bool { self.requestedShows.contains(number) }

    private mutating func check(_ action: AdSlot.Action, _ input: AdSlot.Input, at now: Moment) {
        switch action {
        case .startLoad(let number):
            self.check(self.started.insert(number).inserted, "a number was used twice")
            guard input != .load else { return self.count("load") }
            self.count(input == .refreshDue ? "refresh" : "late refresh")
            self.check(self.kind == .banner, "a full-screen slot is refreshed")
            self.check(self.isVisible && self.isInFront, "refreshed while invisible")
            self.check(self.onScreen != nil && self.isViewed, "refreshed before an impression")
            self.check(self.interval != nil, "refreshed without an interval")
        case .show(let number):
            self.check(self.kind == .banner || self.onScreen == nil, "two full-screen ads")
            self.requestedShows.insert(number)
            self.check(self.presented.insert(number).inserted, "an ad was shown twice")
        case .replace(let old, let number):
            self.count("replace")
            self.check(old == self.onScreen, "the replaced ad is not on screen")
            self.check(self.presented.insert(number).inserted, "an ad was shown twice")
        case .destroy(let number):
            self.destroyed.insert(number)
        case .call:
            break
        case .setRefresh(let moment):
            self.check(self.kind == .banner, "a full-screen slot sets a refresh")
            self.check(self.interval.map { now + $0 } == moment, "a refresh is set to the wrong time")
            self.alarm = moment
        case .cancelRefresh:
            self.check(self.alarm != nil, "a refresh is cancelled that was not set")
            self.alarm = nil
        }
    }

    private mutating func checkState(_ slot: AdSlot, at now: Moment) {
        self.check((0...1).contains(self.pendingLoads), "\(self.pendingLoads) loads without an outcome")
        self.check((0...1).contains(self.pendingShows), "\(self.pendingShows) shows without an outcome")
        self.check(slot.isLoading == (self.pendingLoads == 1), "isLoading differs from the pending loads")
        var copy = slot
        let isRefused = copy.handle(.load, at: now).contains { action in
            if case .call(.loadFailed) = action { true } else { false }
        }
        self.check(slot.canLoad == !isRefused, "canLoad differs from the outcome of a load")
        if self.pendingShows == 1 { self.check(slot.isLoaded, "a show is pending without an ad") }
        self.check(slot.current == self.onScreen, "the ad on screen is not the one of the callbacks")
        // A banner with an impression has a pending refresh as long as it is on screen.
        guard self.kind == .banner, self.isViewed, self.interval != nil else {
            return self.check(self.alarm == nil, "a refresh is set without a reason")
        }
        let waitsForVisibility = slot.refresh == .overdue && !(self.isVisible && self.isInFront)
        self.check(self.alarm != nil || waitsForVisibility || slot.next != .none, "the banner is never refreshed again")
    }

    /// Checks that every command has its outcome.
    mutating func finish() {
        self.check(self.pendingLoads == 0 && self.pendingShows == 0, "a command has no outcome")
        self.check(self.onScreen == nil || self.alarm == nil || self.isViewed, "a refresh is set without a reason")
    }

    mutating func check(_ isTrue: Bool, _ violation: String) {
        if !isTrue { self.violations.append(violation) }
    }

    private mutating func count(_ name: String) { self.counts[name, default: 0] += 1 }
}
