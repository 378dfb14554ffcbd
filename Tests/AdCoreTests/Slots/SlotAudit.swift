@testable import AdCore

/// Checks the actions of a slot against the rules, independently of its implementation.
struct SlotAudit {
    /// Loads and shows of the app without an outcome yet.
    private(set) var pendingLoads = 0
    private(set) var pendingShows = 0
    private(set) var violations: [String] = []
    /// How often each action and callback occurred.
    private(set) var counts: [String: Int] = [:]
    /// The moment of the slot's timer; nil while none is set.
    private(set) var timer: Moment?

    private let kind: SlotMachine.Kind
    private var started: Set<SlotMachine.Number> = []
    private var loaded: Set<SlotMachine.Number> = []
    private var destroyed: Set<SlotMachine.Number> = []
    /// Ads that ended by themselves.
    private var ended: Set<SlotMachine.Number> = []
    private var presented: Set<SlotMachine.Number> = []
    private var commanded: Set<SlotMachine.Number> = []
    private var onScreen: SlotMachine.Number?
    private var isViewed = false
    private var isClosed = false

    // Whether the slot is seen, as an app knows it.
    private var ratio = 1.0
    private var isCovered = false
    private var isInBackground = false
    private var isStopped = false
    private var isAway = false

    private var interval: Duration?
    /// The shortest interval since the last request.
    private var shortest: Duration?
    /// The time for which the slot was seen and not stopped, since its last request or the last impression.
    private var seenTime = Duration.zero
    private var last = Moment.origin
    /// Whether the app has asked for a request, or an ad became void: it need not wait for the interval.
    private var isAsked = false

    init(_ kind: SlotMachine.Kind) { self.kind = kind }

    private var isSeen: Bool { self.ratio >= 0.5 && !self.isCovered && !self.isInBackground }

    private var mayRequest: Bool { self.isSeen && !self.isStopped && !self.isAway }

    /// Checks the actions that a slot returned for an input.
    mutating func handle(
        _ input: SlotMachine.Input,
        _ actions: [SlotMachine.Action],
        _ slot: SlotMachine,
        at now: Moment
    ) {
        if self.mayRequest { self.seenTime += now - self.last }
        self.last = now
        self.note(input)
        var hasCalledBack = false
        for action in actions {
            if case .call(let callback) = action {
                hasCalledBack = true
                self.check(callback, input)
            } else {
                self.check(!hasCalledBack, "a callback comes before another action")
                self.check(action, input, at: now)
            }
        }
        if case .timer = input, self.timer.map({ $0 <= now }) ?? false { self.timer = nil }
        self.checkState(slot, at: now)
    }

    private mutating func note(_ input: SlotMachine.Input) {
        switch input {
        case .load: self.pendingLoads += 1
        case .show: self.pendingShows += 1
        case .start where self.kind == .banner && !self.isClosed:
            (self.isStopped, self.isAway, self.isAsked) = (false, false, true)
        case .refreshNow where self.kind == .banner && !self.isClosed: (self.isAway, self.isAsked) = (false, true)
        case .resume: (self.isStopped, self.isAway) = (false, false)
        case .consentChanged: self.isAsked = true
        case .stop: self.isStopped = true
        case .close: self.isClosed = true
        case .loaded(let number): self.loaded.insert(number)
        case .expired(let number):
            self.ended.insert(number)
            // An empty place is filled as soon as it is seen.
            if self.onScreen == nil { self.isAsked = true }
        case .loadFailed(let number, _), .showFailed(let number, _), .closed(let number):
            self.ended.insert(number)
        case .linkOpened: self.isAway = self.kind == .banner
        case .visible(let ratio):
            let wasSeen = self.isSeen
            self.ratio = ratio
            if self.isSeen, !wasSeen { self.isAway = false }
        case .signal(.covered(let isCovered)):
            self.isCovered = isCovered
            if !isCovered, !self.isInBackground { self.isAway = false }
        case .signal(.background(let isInBackground)):
            self.isInBackground = isInBackground
            if !isInBackground, !self.isCovered { self.isAway = false }
        case .refreshEvery(let interval):
            self.interval = interval
            if let interval { self.shortest = min(self.shortest ?? interval, interval) }
        case .start, .refreshNow, .shown, .viewed, .clicked, .timer, .signal(.network), .signal(.volume),
            .signal(.obstructed):
            break
        }
    }

    private mutating func check(_ callback: SlotMachine.Callback, _ input: SlotMachine.Input) {
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
            if self.commanded.contains(number) { self.pendingShows -= 1 }
            if let old = self.onScreen { self.check(self.destroyed.contains(old), "two ads are on screen") }
            self.onScreen = number
            self.isViewed = false
        case .showFailed(let error):
            self.count("showFailed \(error.code)")
            self.pendingShows -= 1
        case .impression:
            self.count("impression")
            self.check(self.onScreen != nil && !self.isViewed, "a second impression, or one without an ad on screen")
            self.isViewed = true
            if !self.isAsked { self.restart() }
        case .clicked:
            self.count("clicked")
            self.check(self.onScreen != nil, "a click without an ad on screen")
        case .expired:
            self.count("expired")
            self.check(self.pendingLoads == 0, "an expiry while a load is pending")
            self.check(self.pendingShows == 0, "an expiry in place of a show's outcome")
        case .closed:
            self.count("closed")
            self.check(self.onScreen != nil, "a closed callback without an ad on screen")
            self.onScreen = nil
            self.isViewed = false
        }
    }

    private mutating func check(_ action: SlotMachine.Action, _ input: SlotMachine.Input, at now: Moment) {
        switch action {
        case .load(let number):
            self.check(self.started.insert(number).inserted, "a number was used twice")
            // Random inputs may have named it before it was given.
            for set in [\SlotAudit.loaded, \.ended, \.destroyed] { self[keyPath: set].remove(number) }
            // A load of the app that a change of consent starts again is still the app's.
            if input == .load || (input == .consentChanged && self.pendingLoads == 1) { return self.count("load") }
            defer { self.restart() }
            self.count(self.isAsked ? "asked" : "refresh")
            self.check(self.kind == .banner, "a full-screen slot is refreshed")
            self.check(!self.isClosed, "a request after the close")
            self.check(self.isSeen, "a request while hidden")
            self.check(!self.isStopped, "a request while stopped")
            self.check(!self.isAway, "a request while the user is away")
            guard !self.isAsked else { return }
            let isLongEnough = self.shortest.map { self.seenTime >= $0 } ?? false
            self.check(isLongEnough, "a request after \(self.seenTime) of seen time")
        case .show(let number, let old):
            let isLoaded = self.loaded.contains(number) && !self.destroyed.contains(number)
            self.check(isLoaded, "an ad is shown that is not loaded")
            self.check(self.presented.insert(number).inserted, "an ad was shown twice")
            if input == .show {
                self.commanded.insert(number)
                self.check(self.kind == .banner || self.onScreen == nil, "two full-screen ads")
                self.check(old == nil, "the host's show replaces an ad by itself")
            } else {
                self.count("replace")
                self.check(self.mayRequest, "the slot shows an ad while hidden or stopped")
                self.check(old == self.onScreen, "the replaced ad is not on screen")
            }
        case .destroy(let number):
            self.destroyed.insert(number)
        case .call, .report:
            break
        case .setTimer(let moment):
            self.check(self.kind == .banner, "a full-screen slot sets a timer")
            self.check(self.mayRequest, "a timer is set while no time counts")
            self.check(now < moment && moment <= now + .seconds(600), "a timer is out of bounds")
            self.timer = moment
        case .cancelTimer:
            self.check(self.timer != nil, "a timer is cancelled that was not set")
            self.timer = nil
        }
    }

    /// Starts the seen time again: the interval counts from an impression, or from the slot's last request.
    private mutating func restart() { (self.seenTime, self.isAsked, self.shortest) = (.zero, false, self.interval) }

    private mutating func checkState(_ slot: SlotMachine, at now: Moment) {
        self.check((0...1).contains(self.pendingLoads), "\(self.pendingLoads) loads without an outcome")
        self.check((0...1).contains(self.pendingShows), "\(self.pendingShows) shows without an outcome")
        self.check(slot.isLoading == (self.pendingLoads == 1), "isLoading differs from the pending loads")
        var copy = slot
        let isRefused = copy.handle(.load, at: now).contains { action in
            if case .call(.loadFailed) = action { true } else { false }
        }
        self.check(slot.canLoad == !isRefused, "canLoad differs from the outcome of a load")
        if self.pendingShows == 1 { self.check(slot.isLoaded, "a show is pending without an ad") }
        self.check(slot.currentNumber == self.onScreen, "the ad on screen is not the one of the callbacks")
        if !self.mayRequest { self.check(self.timer == nil, "time counts while the slot is hidden or stopped") }
        // Each loaded ad is on its way to the screen, on it, or has ended.
        for number in self.loaded.intersection(self.started).subtracting(self.ended).subtracting(self.destroyed) {
            self.check(slot.next.number == number || slot.currentNumber == number, "a loaded ad is left behind")
        }
        // A banner with an impression has its next request ahead as long as it is on screen.
        guard self.kind == .banner, self.isViewed, self.interval != nil else { return }
        self.check(slot.wait != .none || slot.next != .none, "the banner is never refreshed again")
    }

    /// Checks that every command has its outcome.
    mutating func finish() {
        self.check(self.pendingLoads == 0 && self.pendingShows == 0, "a command has no outcome")
        self.check(self.timer == nil, "a timer is left behind")
    }

    mutating func check(_ isTrue: Bool, _ violation: String) {
        if !isTrue { self.violations.append(violation) }
    }

    private mutating func count(_ name: String) { self.counts[name, default: 0] += 1 }
}

extension SlotMachine.Next {
    /// The ad that is loading, loaded or about to be shown.
    var number: SlotMachine.Number? {
        switch self {
        case .none: nil
        case .loading(let number, _), .loaded(let number, _), .presenting(let number, _): number
        }
    }
}
