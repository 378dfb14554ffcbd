public import AdCore
import SystemSupport

/// Keeps ads of one placement loaded, so that one can be shown without waiting for a server.
///
/// ```swift
/// let pool = AdPool(loader, for: placement, size: 2)
/// if let ad = pool.next() { try await ad.show(on: presenter) }
/// ```
///
/// A pool loads one ad at a time, and loads another for each that it hands out and for each that becomes too old. An ad
/// that it hands out can be shown for at least ten more seconds. After a load without an ad it pauses, for longer each
/// time, up to about two minutes. It loads nothing in the background and without a network (`AdServices.signals`).
///
/// An ad that is thrown away was never visible, so neither a view nor a click of it is recorded.
///
/// Safe to use from any task. The pool ends with its last reference, and destroys the ads that it holds.
public final class AdPool: Sendable {
    private struct State {
        var machine: PoolMachine
        /// The ads that are held or being loaded.
        var ads: [PoolMachine.Number: Ad] = [:]
        var callers: [CommandID: OneShot<Result<Ad, AdError>>] = [:]
        var lastCommand: UInt64 = 0
        var alarm: AlarmID?
        var observations: [HostObservation] = []
    }

    private let services: AdServices
    private let makeAd: @Sendable () -> Ad
    private let state: Locked<State>
    /// The actions in the order in which the machine returned them.
    private let mailbox = SerialMailbox<PoolMachine.Action>()

    /// Creates a pool, which starts to load at once.
    ///
    /// - Parameters:
    ///   - loader: Loads the ads.
    ///   - placement: The placement of all ads.
    ///   - size: How many ads are kept ready, from 1 to 10.
    public init<Placement>(_ loader: AdLoader<Placement>, for placement: Placement, size: Int = 1) {
        self.services = loader.services
        self.makeAd = { loader.ad(for: placement) }
        self.state = Locked(State(machine: PoolMachine(size: size)))
        let signals = self.services.signals.observe { [weak self] signal in
            switch signal {
            case .background(let isInBackground): self?.handle(.background(isInBackground))
            case .network(let kind): self?.handle(.offline(kind == .offline))
            case .covered, .volume, .obstructed: break
            }
        }
        let consent = self.services.context.observeWithdrawals { [weak self] in self?.clear() }
        self.state.withLock { $0.observations = [signals, consent] }
        self.handle(.start)
    }

    deinit {
        let state = self.state.withLock { $0 }
        for observation in state.observations { observation.cancel() }
        if let alarm = state.alarm { self.services.clock.cancel(alarm) }
        for ad in state.ads.values { ad.destroy() }
    }

    /// An ad that can be shown now; nil if none is ready.
    ///
    /// Returns at once. Each ad is handed out once, and belongs to the caller from then on.
    public func next() -> Ad? { self.handle(.next) }

    /// An ad that can be shown now, as soon as there is one.
    ///
    /// If none is ready, it waits for the pool's next load, also through a pause, in the background and without a
    /// network, and throws the error of that load if it fails. Cancelling the task ends the wait.
    public func ad() async throws(AdError) -> Ad {
        let outcome = OneShot<Result<Ad, AdError>>()
        let command = self.state.withLock { state in
            state.lastCommand += 1
            let command = CommandID(state.lastCommand)
            state.callers[command] = outcome
            return command
        }
        return try await withTaskCancellationHandler {
            self.handle(.wait(command))
            // A cancellation that came before the wait had no effect.
            if Task.isCancelled { self.handle(.cancelWait(command)) }
            return await outcome.value
        } onCancel: {
            self.handle(.cancelWait(command))
        }.get()
    }

    /// How many ads can be handed out now.
    public var readyCount: Int {
        let now = self.services.clock.now
        return self.state.withLock { $0.machine.readyCount(at: now) }
    }

    /// How many callers wait for an ad.
    var waitingCount: Int { self.state.withLock { $0.machine.waiting.count } }

    /// Destroys all ads that are held or being loaded, and loads new ones.
    ///
    /// For another user: what is held was requested for the one before. A consent that is withdrawn
    /// (`ContextSource.consent`) does the same by itself.
    public func clear() { self.handle(.clear) }

    /// Holds at most so many ads for the next minute, and destroys the others.
    ///
    /// For the system's warnings that memory is short.
    public func freeMemory(keeping count: Int = 1) { self.handle(.memoryPressure(keep: count)) }

    /// Destroys all ads that are held or being loaded, and ends every wait with an error; the pool loads no others.
    public func stop() {
        self.handle(.stop)
        for observation in self.state.withLock({ $0.observations }) { observation.cancel() }
    }
}

// MARK: - The shell of the machine

extension AdPool {
    /// Lets the machine handle an input and executes its actions; returns the ad for the caller of `next`.
    @discardableResult
    private func handle(_ input: PoolMachine.Input) -> Ad? {
        self.services.clock.workStarted()
        let now = self.services.clock.now
        let ad = self.state.withLock { state -> Ad? in
            var ad: Ad?
            for action in state.machine.handle(input, at: now, random: self.services.random) {
                if case .handOut(let number, to: nil) = action {
                    ad = state.ads.removeValue(forKey: number)
                } else {
                    self.mailbox.enqueue(action)
                }
            }
            return ad
        }
        if ad == nil {
            self.mailbox.drain { self.execute($0) }
        } else {
            // The caller is about to show the ad: the load of the next one is not started at its expense.
            self.services.clock.work { self.mailbox.drain { self.execute($0) } }
        }
        self.services.clock.workEnded()
        return ad
    }

    private func execute(_ action: PoolMachine.Action) {
        switch action {
        case .load(let number): self.load(number)
        case .destroy(let number): self.state.withLock { $0.ads.removeValue(forKey: number) }?.destroy()
        case .handOut(let number, to: let command):
            guard let command, let ad = self.state.withLock({ $0.ads.removeValue(forKey: number) }) else { return }
            self.finish(command, .success(ad))
        case .fail(let command, let error): self.finish(command, .failure(error))
        case .setTimer(let moment):
            self.cancelAlarm()
            let alarm = self.services.clock.schedule(at: moment) { [weak self] in self?.handle(.timer) }
            self.state.withLock { $0.alarm = alarm }
        case .cancelTimer: self.cancelAlarm()
        }
    }

    private func cancelAlarm() {
        let alarm = self.state.withLock { $0.alarm.take() }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func finish(_ command: CommandID, _ outcome: Result<Ad, AdError>) {
        self.state.withLock { $0.callers.removeValue(forKey: command) }?.set(outcome)
    }

    private func load(_ number: PoolMachine.Number) {
        let ad = self.makeAd()
        self.state.withLock { $0.ads[number] = ad }
        self.services.clock.work { [weak self] in
            let outcome: PoolMachine.Input
            do throws(AdError) {
                try await ad.loadSuspendingWork()
                // It may be over already: destroyed by the pool, or with a lifetime of zero.
                outcome = .loaded(number, expires: ad.expires ?? .origin)
            } catch {
                outcome = .loadFailed(number, error)
            }
            guard let self else { return ad.destroy() }
            if case .loadFailed = outcome { self.state.withLock { $0.ads[number] = nil } }
            self.handle(outcome)
        }
    }
}
