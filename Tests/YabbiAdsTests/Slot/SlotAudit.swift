import AdCore

@testable import YabbiAds

/// Watches a slot from outside and says where it breaks its word.
struct SlotAudit {
    /// Loads and shows of the host's that have no outcome yet.
    private(set) var pendingLoads = 0
    private(set) var pendingShows = 0
    private(set) var violations: [String] = []
    /// How often each thing was done or told, for whoever asks whether everything happens.
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

    /// When the slot wants to be woken.
    var refreshAlarm: Moment? { self.alarm }

    /// Takes what a slot made of an input.
    mutating func take(_ input: AdSlot.Input, _ actions: [AdSlot.Action], _ slot: AdSlot, at now: Moment) {
        switch input {
        case .load: self.pendingLoads += 1
        case .show: self.pendingShows += 1
        case .visible(let isVisible): self.isVisible = isVisible
        case .inFront(let isInFront): self.isInFront = isInFront
        case .refreshEvery(let interval): self.interval = interval
        case .refreshDue: self.alarm = nil
        case .destroy, .loaded, .loadFailed, .shown, .showFailed, .viewed, .closed, .expired: break
        }
        var hasTold = false
        for action in actions {
            if case .call(let callback) = action {
                hasTold = true
                self.told(callback, input)
            } else {
                self.check(!hasTold, "what is told comes before what is to be done")
                self.did(action, input, at: now)
            }
        }
        self.checkState(slot, at: now)
    }

    private mutating func told(_ callback: AdSlot.Callback, _ input: AdSlot.Input) {
        switch callback {
        case .loaded:
            self.count("loaded")
            self.pendingLoads -= 1
        case .loadFailed(let error):
            self.count("loadFailed \(error.code)")
            self.pendingLoads -= 1
        case .shown:
            self.count("shown")
            guard case .shown(let number) = input else { return self.check(false, "shown, by no such news") }
            self.check(self.presented.contains(number), "what was never to be shown is on screen")
            if self.isAsked(number) { self.pendingShows -= 1 }
            if let old = self.onScreen { self.check(self.destroyed.contains(old), "the old ad is still there") }
            self.onScreen = number
            self.isViewed = false
        case .showFailed(let error):
            self.count("showFailed \(error.code)")
            self.pendingShows -= 1
        case .impression:
            self.count("impression")
            self.check(self.onScreen != nil && !self.isViewed, "an impression twice, or of nothing")
            self.isViewed = true
        case .closed:
            self.count("closed")
            self.check(self.onScreen != nil, "closed what was not on screen")
            self.onScreen = nil
            self.isViewed = false
        }
    }

    private var asked: Set<AdSlot.Number> = []

    private func isAsked(_ number: AdSlot.Number) -> Bool { self.asked.contains(number) }

    private mutating func did(_ action: AdSlot.Action, _ input: AdSlot.Input, at now: Moment) {
        switch action {
        case .startLoad(let number):
            self.check(self.started.insert(number).inserted, "a number was used twice")
            guard input != .load else { return self.count("load") }
            self.count(input == .refreshDue ? "refresh" : "late refresh")
            self.check(self.kind == .banner, "the whole screen was refreshed")
            self.check(self.isVisible && self.isInFront, "refreshed out of sight")
            self.check(self.onScreen != nil && self.isViewed, "refreshed before a view")
            self.check(self.interval != nil, "refreshed without an interval")
        case .show(let number):
            self.check(self.kind == .banner || self.onScreen == nil, "two ads over the whole screen")
            self.asked.insert(number)
            self.check(self.presented.insert(number).inserted, "an ad was shown twice")
        case .replace(let old, let number):
            self.count("replace")
            self.check(old == self.onScreen, "what is to be replaced is not on screen")
            self.check(self.presented.insert(number).inserted, "an ad was shown twice")
        case .destroy(let number):
            self.destroyed.insert(number)
        case .call:
            break
        case .setRefresh(let moment):
            self.check(self.kind == .banner, "the whole screen is to be refreshed")
            self.check(self.interval.map { now + $0 } == moment, "a refresh at the wrong time")
            self.alarm = moment
        case .cancelRefresh:
            self.check(self.alarm != nil, "no alarm is set that could be cancelled")
            self.alarm = nil
        }
    }

    private mutating func checkState(_ slot: AdSlot, at now: Moment) {
        self.check((0...1).contains(self.pendingLoads), "\(self.pendingLoads) loads without an outcome")
        self.check((0...1).contains(self.pendingShows), "\(self.pendingShows) shows without an outcome")
        self.check(slot.isLoading == (self.pendingLoads == 1), "isLoading, and nobody waits, or the other way round")
        var copy = slot
        let isRefused = copy.handle(.load, at: now).contains { action in
            if case .call(.loadFailed) = action { true } else { false }
        }
        self.check(slot.canLoad == !isRefused, "canLoad does not say what a load would meet")
        if self.pendingShows == 1 { self.check(slot.isLoaded, "an ad is about to be shown, and none is there") }
        self.check(slot.current == self.onScreen, "what is on screen is not what was told")
        // A refresh is on its way as long as a banner that was viewed stays.
        guard self.kind == .banner, self.isViewed, self.interval != nil else {
            return self.check(self.alarm == nil, "an alarm is left for nothing")
        }
        let waitsForSight = slot.refresh == .overdue && !(self.isVisible && self.isInFront)
        self.check(self.alarm != nil || waitsForSight || slot.next != .none, "the banner is never refreshed again")
    }

    /// No command may be without its outcome any more.
    mutating func finish() {
        self.check(self.pendingLoads == 0 && self.pendingShows == 0, "a command was left without its outcome")
        self.check(self.onScreen == nil || self.alarm == nil || self.isViewed, "an alarm is left for nothing")
    }

    mutating func check(_ isTrue: Bool, _ violation: String) {
        if !isTrue { self.violations.append(violation) }
    }

    private mutating func count(_ name: String) { self.counts[name, default: 0] += 1 }
}
