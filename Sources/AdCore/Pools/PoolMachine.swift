/// The state machine of a pool: it keeps ads of one placement loaded, so that one can be handed out at once.
///
/// A pool loads one ad after the other, never two at a time, until it holds as many as its size. It replaces an ad that
/// was handed out or that becomes too old, and pauses after a load that failed, for longer each time. It loads nothing
/// in the background and without a network.
///
/// Every ad is held, handed out once, or destroyed. The ads that are held and the one that is being loaded are never
/// more than the size, also while the load of an ad that is not wanted any more comes to its end.
package struct PoolMachine: Sendable {
    /// Identifies an ad of this pool.
    package struct Number: Hashable, Sendable {
        package let value: UInt64

        package init(_ value: UInt64) { self.value = value }
    }

    /// An input: a call of the host, the outcome of a load, a signal, or the time.
    package enum Input: Sendable {
        /// The pool may load; signals that came before are known.
        case start
        /// The host takes an ad if one is ready.
        case next
        /// The host waits for an ad.
        case wait(CommandID)
        /// The host waits no longer.
        case cancelWait(CommandID)
        /// An ad was loaded, and can be shown until it expires.
        case loaded(Number, expires: Moment)
        case loadFailed(Number, AdError)
        case timer
        case background(Bool)
        case offline(Bool)
        /// Memory is short: hold at most so many ads for a while.
        case memoryPressure(keep: Int)
        /// What is held must not be shown any more: the user withdrew a consent, or is another one now.
        case clear
        case stop
    }

    /// An action for the shell.
    package enum Action: Equatable, Sendable {
        /// Load an ad: `loaded` or `loadFailed`, exactly once, also after `destroy`.
        case load(Number)
        case destroy(Number)
        /// Give an ad to a waiting caller; nil for the caller of `next`.
        case handOut(Number, to: CommandID?)
        /// End a caller's wait without an ad.
        case fail(CommandID, AdError)
        /// Set the only timer, or set it to another time.
        case setTimer(Moment)
        case cancelTimer
    }

    /// An ad that can be handed out.
    struct Held: Equatable, Sendable {
        let number: Number
        /// When it is too old to be handed out.
        let end: Moment
        /// Whether it could be handed out for a short time only.
        let isShort: Bool
    }

    enum Load: Equatable, Sendable {
        case none
        case running(Number)
        /// The ad is destroyed already, and the load has still to report its end.
        case abandoned(Number)
    }

    enum Phase: Equatable, Sendable { case created, running, stopped }

    /// A limit below the pool's size, for a time.
    struct Reduction: Equatable, Sendable {
        let keep: Int
        let until: Moment
    }

    /// How long an ad must live on to be handed out: less is too little for a transition of the app and its show.
    package static let minimumRemainder = Duration.seconds(10)
    /// The pause after the first failed load; it doubles with each further one.
    package static let firstPause = Duration.seconds(4)
    /// The longest pause before jitter, which shortens it to half of it at most.
    package static let longestPause = Duration.seconds(128)
    /// The longest pause that an error can ask for.
    package static let longestCooldown = Duration.seconds(24 * 60 * 60)
    /// An ad that could be handed out for less than this, and was not, counts as a failed load.
    package static let shortLife = Duration.seconds(60)
    /// How long after memory was short the pool loads up to its size again.
    package static let refillDelay = Duration.seconds(60)
    /// The largest size of a pool.
    package static let maximumSize = 10

    package let size: Int
    /// The ads that can be handed out; the one that is first too old comes first.
    private(set) var held: [Held] = []
    private(set) var load = Load.none
    package private(set) var waiting: [CommandID] = []
    private(set) var phase = Phase.created
    private(set) var isInBackground = false
    private(set) var isOffline = false
    private(set) var reduction: Reduction?
    /// How many loads have failed since the last one that succeeded.
    private(set) var failures = 0
    /// No load starts before.
    private(set) var pauseEnd: Moment?
    private var timer: Moment?
    private var last: UInt64 = 0
    private var actions: [Action] = []

    /// Creates a pool that has not started; its size is at least one and at most `maximumSize`.
    package init(size: Int) { self.size = min(max(1, size), PoolMachine.maximumSize) }

    /// Handles an input and returns the actions to execute; `random` provides the jitter of a pause.
    package mutating func handle(_ input: Input, at now: Moment, random: () -> UInt64) -> [Action] {
        self.actions = []
        self.endWhatIsOver(at: now, random)
        switch input {
        case .start: if self.phase == .created { self.phase = .running }
        case .next: self.handOut(to: nil)
        case .wait(let command): self.wait(command)
        case .cancelWait(let command): self.cancelWait(command)
        case .loaded(let number, let expires): self.loaded(number, expires, at: now, random)
        case .loadFailed(let number, let error): self.loadFailed(number, error, at: now, random)
        case .timer: self.timer = nil
        case .background(let isInBackground): self.isInBackground = isInBackground
        case .offline(let isOffline): self.isOffline = isOffline
        case .memoryPressure(let keep): self.reduce(to: keep, at: now)
        case .clear: self.clear()
        case .stop: self.stop()
        }
        self.startLoad()
        self.updateTimer()
        defer { self.actions = [] }
        return self.actions
    }

    /// How many ads can be handed out now.
    package func readyCount(at now: Moment) -> Int { self.held.count { $0.end > now } }

    /// How many ads are held or being loaded.
    package var count: Int { self.held.count + (self.load == .none ? 0 : 1) }
}

// MARK: - Handing out

extension PoolMachine {
    private mutating func handOut(to command: CommandID?) {
        guard let first = self.held.first else { return }
        self.held.removeFirst()
        self.give(first, to: command)
    }

    private mutating func give(_ ad: Held, to command: CommandID?) {
        // It was of use, however short its life.
        if ad.isShort { self.failures = 0 }
        self.actions.append(.handOut(ad.number, to: command))
    }

    private mutating func wait(_ command: CommandID) {
        if self.phase == .stopped { return self.actions.append(.fail(command, PoolMachine.isStopped)) }
        if self.held.isEmpty { self.waiting.append(command) } else { self.handOut(to: command) }
    }

    private mutating func cancelWait(_ command: CommandID) {
        guard let index = self.waiting.firstIndex(of: command) else { return }
        self.waiting.remove(at: index)
        self.actions.append(.fail(command, AdError(.cancelled, "the task that waited for an ad was cancelled")))
    }

    private mutating func failWaiting(_ error: AdError) {
        for command in self.waiting { self.actions.append(.fail(command, error)) }
        self.waiting = []
    }

    private static let isStopped = AdError(.destroyed, "the pool was stopped by the host; create another")
}

// MARK: - Loading

extension PoolMachine {
    /// How many ads are to be held now; a waiting caller is served also while memory is short.
    private var limit: Int { max(self.reduction?.keep ?? self.size, self.waiting.isEmpty ? 0 : 1) }

    /// Whether a load would start if there was no pause.
    private var wantsLoad: Bool {
        self.phase == .running && !self.isInBackground && !self.isOffline && self.load == .none
            && self.held.count < self.limit
    }

    private mutating func startLoad() {
        guard self.wantsLoad, self.pauseEnd == nil else { return }
        self.last += 1
        self.load = .running(Number(self.last))
        self.actions.append(.load(Number(self.last)))
    }

    private mutating func loaded(_ number: Number, _ expires: Moment, at now: Moment, _ random: () -> UInt64) {
        guard self.load == .running(number) else {
            if self.load == .abandoned(number) { self.load = .none }
            return self.actions.append(.destroy(number))
        }
        self.load = .none
        let end = expires - PoolMachine.minimumRemainder
        guard end > now else {
            self.actions.append(.destroy(number))
            let least = Int(PoolMachine.minimumRemainder.inSeconds)
            let text = "the ad expires within \(least) s, too soon to be kept ready; load it when it is to be shown"
            return self.fail(AdError(.expired, text), at: now, random)
        }
        let ad = Held(number: number, end: end, isShort: end - now < PoolMachine.shortLife)
        if !ad.isShort { self.failures = 0 }
        guard self.waiting.isEmpty else { return self.give(ad, to: self.waiting.removeFirst()) }
        self.held.insert(ad, at: self.held.firstIndex { $0.end > end } ?? self.held.count)
    }

    private mutating func loadFailed(_ number: Number, _ error: AdError, at now: Moment, _ random: () -> UInt64) {
        switch self.load {
        case .running(number):
            self.load = .none
            self.fail(error, at: now, random)
        case .abandoned(number): self.load = .none
        case .none, .running, .abandoned: break
        }
    }

    private mutating func fail(_ error: AdError, at now: Moment, _ random: () -> UInt64) {
        self.pause(until: PoolMachine.end(of: error, at: now), at: now, random)
        self.failWaiting(error)
    }

    /// When a load may succeed again, if the error says so.
    private static func end(of error: AdError, at now: Moment) -> Moment? {
        switch error.underlying {
        case let cooldown as Cooldown: cooldown.until
        case let reached as ReachedCap: reached.wait.map { now + $0 }
        default: nil
        }
    }

    /// Sets the pause after a failure: twice the last one with jitter, and at least until a moment that an error names.
    private mutating func pause(until moment: Moment?, at now: Moment, _ random: () -> UInt64) {
        self.failures = min(self.failures + 1, 16)
        let longest = PoolMachine.longestPause.inSeconds
        let pause = min(PoolMachine.firstPause.inSeconds * Double(1 << (self.failures - 1)), longest)
        let cooldown = min(moment ?? now, now + PoolMachine.longestCooldown)
        self.pauseEnd = max(now + .seconds(pause * Jitter.share(random())), cooldown)
    }

    /// Ends the load of an ad that is not wanted any more.
    private mutating func abandonLoad() {
        guard case .running(let number) = self.load else { return }
        self.load = .abandoned(number)
        self.actions.append(.destroy(number))
    }
}

// MARK: - Throwing away

extension PoolMachine {
    /// Ends the pause and the reduction that are over, and destroys the ads that are too old.
    private mutating func endWhatIsOver(at now: Moment, _ random: () -> UInt64) {
        if let pauseEnd, pauseEnd <= now { self.pauseEnd = nil }
        if let reduction, reduction.until <= now { self.reduction = nil }
        while let first = self.held.first, first.end <= now {
            self.held.removeFirst()
            self.actions.append(.destroy(first.number))
            // A server whose ads are over at once is not asked for one after the other.
            if first.isShort, self.pauseEnd == nil { self.pause(until: nil, at: now, random) }
        }
    }

    private mutating func reduce(to keep: Int, at now: Moment) {
        guard self.phase != .stopped else { return }
        let keep = min(max(0, keep), self.reduction?.keep ?? self.size)
        self.reduction = Reduction(keep: keep, until: now + PoolMachine.refillDelay)
        while self.held.count > keep { self.actions.append(.destroy(self.held.removeFirst().number)) }
        if self.held.count >= keep, self.waiting.isEmpty { self.abandonLoad() }
    }

    private mutating func clear() {
        for ad in self.held { self.actions.append(.destroy(ad.number)) }
        self.held = []
        self.abandonLoad()
    }

    private mutating func stop() {
        guard self.phase != .stopped else { return }
        self.phase = .stopped
        self.clear()
        self.pauseEnd = nil
        self.reduction = nil
        self.failWaiting(PoolMachine.isStopped)
    }

    /// Sets the timer to what is next: an ad that is too old, the end of the pause or that of the reduction.
    private mutating func updateTimer() {
        let moments = [self.held.first?.end, self.wantsLoad ? self.pauseEnd : nil, self.reduction?.until]
        let next = moments.compactMap { $0 }.min()
        guard next != self.timer else { return }
        self.timer = next
        self.actions.append(next.map(Action.setTimer) ?? .cancelTimer)
    }
}
