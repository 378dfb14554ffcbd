// When the slot requests an ad by itself. Time counts only while the slot is seen.
extension SlotMachine {
    /// The shortest and the longest interval.
    package static let intervals = Duration.seconds(15)...Duration.seconds(120)
    /// The longest time from a failure to the next request.
    static let longestPause = Duration.seconds(600)

    mutating func start() {
        guard self.kind == .banner, !self.isClosed else { return }
        self.sight.resume()
        if self.current == nil, self.next == .none, self.wait == .none { self.setWait(.due) }
    }

    mutating func refreshNow() {
        guard self.kind == .banner, !self.isClosed else { return }
        self.sight.isAway = false
        if self.next == .none { self.setWait(.due) }
    }

    mutating func timerFired(at now: Moment) {
        guard let since = self.countingSince, case .seen(let left) = self.wait, now - since >= left else { return }
        self.countingSince = nil
        self.wait = .due
    }

    mutating func refreshEvery(_ interval: Duration?) {
        let clamped = interval.map { min(max($0, Self.intervals.lowerBound), Self.intervals.upperBound) }
        // Setting the same interval again does not postpone the refresh.
        guard clamped != self.interval else { return }
        self.interval = clamped
        if let interval, let clamped, interval != clamped {
            let (name, text) = interval < clamped ? ("short", "shorter than 15 s") : ("long", "longer than 120 s")
            let message = "the interval is \(text), and was changed to \(clamped.components.seconds) s"
            self.act(.report(AdIssue("refreshInterval.\(name)", at: .field("refreshInterval"), message)))
        }
        switch self.wait {
        case .seen where self.isViewed, .due where self.isViewed:
            self.setWait(.none)
            self.count()
        case .seen: self.setWait(clamped.map(Wait.seen) ?? .none)
        case .none: self.count()
        case .due: break
        }
    }

    /// Starts the interval, if the current ad has its impression.
    mutating func count() {
        guard let interval = self.interval, self.isViewed, self.kind == .banner else { return }
        self.setWait(.seen(interval))
    }

    /// There is no next ad: the slot waits for its next request.
    mutating func dropNext(_ purpose: Purpose) {
        self.next = .none
        switch purpose {
        case .host:
            // A refresh that gave way to the host's load is due again after an interval.
            if self.wait == .none { self.count() }
        case .slot:
            self.failures += 1
            self.setWait(self.pause.map(Wait.seen) ?? .none)
        }
    }

    /// The seen time from a failure to the next request; nil without refresh.
    ///
    /// It is at least the interval, doubles with each failure in a row, and has random parts, so that slots that failed
    /// together do not request together.
    private var pause: Duration? {
        mutating get {
            guard let interval = self.interval else { return nil }
            let longest = min(interval * (1 << min(self.failures, 6)), Self.longestPause)
            return interval + (longest - interval) * Jitter.share(self.random.next())
        }
    }

    /// Replaces what the slot waits for; a count that is running ends.
    mutating func setWait(_ wait: Wait) {
        if self.countingSince != nil { self.act(.cancelTimer) }
        self.countingSince = nil
        self.wait = wait
    }

    /// After each input: counts seen time, shows a loaded ad and starts a due refresh, if the slot is seen.
    mutating func proceed(at now: Moment) {
        let mayRefresh = self.sight.mayRefresh && !self.isClosed
        if case .seen(let left) = self.wait {
            switch (mayRefresh, self.countingSince) {
            case (true, nil):
                self.countingSince = now
                self.act(.setTimer(at: now + left))
            case (false, let since?):
                let rest = left - max(.zero, now - since)
                self.setWait(rest > .zero ? .seen(rest) : .due)
            case (true, _?), (false, nil): break
            }
        }
        guard mayRefresh else { return }
        if case .loaded(let number, .slot) = self.next {
            self.next = .presenting(number, .slot)
            self.act(.show(number, replacing: self.current))
        }
        if self.wait == .due {
            self.setWait(.none)
            // Where the host loads the next ad by itself, that one is the refresh, and the host shows it.
            if self.next == .none { self.startLoad(.slot) }
        }
    }
}
