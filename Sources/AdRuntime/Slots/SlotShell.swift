package import AdCore
import SystemSupport

/// The shell of a slot: executes the actions of its machine, and passes the events of its ads to it.
package final class SlotShell: Sendable {
    /// What the owner of a slot receives.
    package struct Owner: Sendable {
        /// Calls a closure where events are handled; nil for the thread on which they happen.
        let hop: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
        /// Receives every event of the slot's ads, after the slot has handled it, and the slot's own issues.
        let event: @Sendable (AdEvent) -> Void
        /// Receives the outcomes of `load` and `show`, and what happens to an ad that the host loaded or showed.
        let call: @Sendable (SlotMachine.Callback) -> Void

        /// Creates an owner.
        package init(
            hop: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil,
            event: @escaping @Sendable (AdEvent) -> Void,
            call: @escaping @Sendable (SlotMachine.Callback) -> Void = { _ in }
        ) {
            self.hop = hop
            self.event = event
            self.call = call
        }
    }

    /// An ad of the slot, and the presenter that it was shown on.
    private struct Held {
        let number: SlotMachine.Number
        let ad: Ad
        var presenter: (any Presenter)?
    }

    private struct State {
        var machine: SlotMachine
        var ads: [Held] = []
        var alarm: AlarmID?
        var signals: HostObservation?
        var consent: HostObservation?
    }

    /// What happens to a slot without a command.
    private enum Item: Sendable {
        case event(AdEvent, SlotMachine.Number)
        case input(SlotMachine.Input)
    }

    /// An action, and the presenter of the command that caused it.
    private struct Step: Sendable {
        let action: SlotMachine.Action
        let presenter: (any Presenter)?
    }

    /// What the slot shares with its loader.
    private let context: ProviderContext
    private let makeAd: @Sendable () -> Ad
    /// Where ads are shown that no command shows and that replace none.
    private let presenter: (any Presenter)?
    private let owner: Owner
    private let state: Locked<State>
    private let inbox = SerialMailbox<Item>()
    /// Actions in the order in which the machine returned them.
    private let steps = SerialMailbox<Step>()

    private var clock: any AdClock { self.context.services.clock }

    /// Creates a slot that does nothing before its first command.
    package init<Placement>(
        _ kind: SlotMachine.Kind,
        _ loader: AdLoader<Placement>,
        presenter: (any Presenter)? = nil,
        owner: Owner,
        makeAd: @escaping @Sendable () -> Ad
    ) {
        let services = loader.services
        self.context = loader.context
        self.presenter = presenter
        self.makeAd = makeAd
        self.owner = owner
        self.state = Locked(State(machine: SlotMachine(kind, seed: services.random())))
        // A signal is handled before a timer that has fired and waits: the refresh depends on it.
        let signals = services.signals.observe { [weak self] in self?.post(.input(.signal($0)), isUrgent: true) }
        let consent = services.context.observeWithdrawals { [weak self] in self?.post(.input(.consentChanged)) }
        self.state.withLock { ($0.signals, $0.consent) = (signals, consent) }
    }

    deinit {
        let state = self.state.withLock { $0 }
        state.signals?.cancel()
        state.consent?.cancel()
        if let alarm = state.alarm { self.clock.cancel(alarm) }
        for held in state.ads { held.ad.destroy() }
    }

    /// The machine as it is now.
    package var machine: SlotMachine { self.state.withLock { $0.machine } }

    /// The ads that are loading, loaded or on screen.
    package var ads: [Ad] { self.state.withLock { $0.ads.map(\.ad) } }

    /// The ad on screen.
    package var current: Ad? {
        self.state.withLock { state in state.ads.first { $0.number == state.machine.currentNumber }?.ad }
    }

    /// Passes an input to the machine and executes its actions; `presenter` is where an ad is to be shown.
    ///
    /// The machine's state has changed when this returns. A thread that is executing actions executes these too.
    package func handle(_ input: SlotMachine.Input, on presenter: (any Presenter)? = nil) {
        self.clock.workStarted()
        let now = self.clock.now
        self.state.withLock { state in
            for action in state.machine.handle(input, at: now) {
                self.steps.enqueue(Step(action: action, presenter: presenter))
            }
        }
        self.steps.drain(self.execute)
        self.clock.workEnded()
    }

    private func post(_ item: Item, isUrgent: Bool = false) {
        self.clock.workStarted()
        self.inbox.enqueue(item, isUrgent: isUrgent)
        guard let hop = self.owner.hop else { return self.handleInbox() }
        hop { self.handleInbox() }
    }

    private func handleInbox() {
        self.inbox.drain { item in
            self.process(item)
            self.clock.workEnded()
        }
    }

    private func process(_ item: Item) {
        switch item {
        case .event(let event, let number):
            if let input = SlotMachine.Input(event, of: number) { self.handleOutcome(input) }
            self.owner.event(event)
        case .input(let input): self.handleOutcome(input)
        }
    }

    /// Handles what happened to an ad; one that has ended for the slot is released first.
    ///
    /// One that a frequency cap does not allow is still loaded, so that its auction has no outcome yet.
    private func handleOutcome(_ input: SlotMachine.Input) {
        if let ended = input.endedAd, let ad = self.forget(ended), ad.isLoaded { ad.destroy() }
        self.handle(input)
    }

    private func forget(_ number: SlotMachine.Number) -> Ad? {
        self.state.withLock { state in
            guard let index = state.ads.firstIndex(where: { $0.number == number }) else { return nil }
            return state.ads.remove(at: index).ad
        }
    }

    // MARK: Actions

    private func execute(_ step: Step) {
        switch step.action {
        case .load(let number): self.load(number)
        case .show(let number, let old): self.show(number, for: old, on: step.presenter)
        case .destroy(let number): self.forget(number)?.destroy()
        case .call(let callback): self.owner.call(callback)
        case .report(let issue): self.owner.event(.issue(issue))
        case .setTimer(let moment):
            self.cancelAlarm()
            let alarm = self.clock.schedule(at: moment) { [weak self] in self?.post(.input(.timer)) }
            self.state.withLock { $0.alarm = alarm }
        case .cancelTimer: self.cancelAlarm()
        }
    }

    private func cancelAlarm() {
        if let alarm = self.state.withLock({ $0.alarm.take() }) { self.clock.cancel(alarm) }
    }

    private func load(_ number: SlotMachine.Number) {
        let ad = self.makeAd()
        self.state.withLock { $0.ads.append(Held(number: number, ad: ad)) }
        ad.listen { [weak self] event in self?.post(.event(event, number)) }
        self.clock.work { [weak self] in
            do throws(AdError) {
                try await ad.loadSuspendingWork()
            } catch {
                // An ad that was over before has no event; an outcome that the slot has already is ignored.
                self?.post(.input(.loadFailed(number, error)))
            }
        }
    }

    private func show(_ number: SlotMachine.Number, for old: SlotMachine.Number?, on presenter: (any Presenter)?) {
        let shown = self.state.withLock { state -> (ad: Ad, presenter: any Presenter)? in
            let oldPresenter = state.ads.first { $0.number == old }?.presenter
            guard let index = state.ads.firstIndex(where: { $0.number == number }),
                let presenter = presenter ?? oldPresenter ?? self.presenter
            else { return nil }
            state.ads[index].presenter = presenter
            return (state.ads[index].ad, presenter)
        }
        guard let shown else {
            // The ad, or the one that it replaces, has ended since: its event follows.
            let error = AdError(.notLoaded, "the ad ended before it was shown; load another")
            return self.post(.input(.showFailed(number, error)))
        }
        self.clock.work { [weak self] in
            do throws(AdError) {
                try await shown.ad.showSuspendingWork(on: shown.presenter)
            } catch {
                self?.post(.input(.showFailed(number, error)))
            }
        }
    }
}

extension SlotMachine.Input {
    /// The input that an event of an ad is for its slot; nil for none.
    fileprivate init?(_ event: AdEvent, of number: SlotMachine.Number) {
        switch event {
        case .loaded: self = .loaded(number)
        case .loadFailed(let error): self = .loadFailed(number, error)
        case .shown: self = .shown(number)
        case .showFailed(let error): self = .showFailed(number, error)
        case .view: self = .viewed(number)
        case .click: self = .clicked(number)
        case .closed: self = .closed(number)
        case .expired: self = .expired(number)
        case .linkOpened(_, .opened): self = .linkOpened
        case .linkOpened(_, .notOpened), .loadStarted, .paid, .auctionStarted, .bid, .auctionEnded, .offerFailed,
            .tap, .blocked, .diagnostic, .closeAvailable, .quartile, .skipAvailable, .skipped, .rewarded, .issue,
            .beaconRecorded, .beaconDelivered, .beaconUnconfirmed, .beaconDead:
            return nil
        }
    }

    /// The ad that ends with this input.
    fileprivate var endedAd: SlotMachine.Number? {
        switch self {
        case .loadFailed(let number, _), .showFailed(let number, _), .closed(let number), .expired(let number): number
        default: nil
        }
    }
}
