import TestSupport

@testable import AdCore

/// A slot with real ad lifecycles, whose events arrive late and interleaved at random, as through the slot's shell.
struct SlotSimulation {
    private(set) var audit: SlotAudit
    private var slot: SlotMachine
    private var random: TestRandom
    private var now = Moment.origin
    private var ads: [SlotMachine.Number: SimulatedAd] = [:]
    private let kind: SlotMachine.Kind
    /// Whether the app loads and shows single ads; otherwise the slot does.
    private let isCommanded: Bool
    private let isVerbose: Bool

    /// One ad, with its undelivered events.
    private struct SimulatedAd {
        var lifecycle = AdLifecycle()
        var isOver = false
        var events: [AdEvent] = []
        /// The show command is not delivered yet.
        var isShowPending = false
        /// The undelivered error of the show command.
        var pendingError: AdError?

        var isIdle: Bool { self.events.isEmpty && !self.isShowPending && self.pendingError == nil }
    }

    init(seed: UInt64, isVerbose: Bool = false) {
        self.random = TestRandom(seed: seed)
        self.kind = Int.random(in: 0..<3, using: &self.random) > 0 ? .banner : .fullScreen
        self.slot = SlotMachine(self.kind, seed: seed)
        self.audit = SlotAudit(self.kind)
        self.isCommanded = self.kind == .fullScreen || Int.random(in: 0..<2, using: &self.random) > 0
        self.isVerbose = isVerbose
    }

    /// Runs random steps, waits until everything is idle, and destroys the slot.
    mutating func run() {
        if self.kind == .banner { self.send(.refreshEvery(.seconds(15))) }
        if !self.isCommanded { self.send(.start) }
        for _ in 0..<160 {
            self.step()
            guard self.audit.violations.isEmpty else { return }
        }
        self.settle()
        self.checkIdle()
        self.send(.close)
        self.audit.finish()
        for ad in self.ads.values { self.audit.check(ad.isOver, "an ad is left behind") }
    }

    private mutating func step() {
        self.now = self.now + .seconds(Int.random(in: 0...4, using: &self.random))
        if let timer = self.audit.timer, timer <= self.now, self.chance(2) { self.send(.timer) }
        switch Int.random(in: 0..<40, using: &self.random) {
        case 0, 1: if self.isCommanded { self.send(.load) } else if self.chance(8) { self.send(.start) }
        case 2, 3, 4: if self.isCommanded { self.send(.show) } else if self.chance(20) { self.send(.refreshNow) }
        case 5: self.send(.visible(ratio: Double.random(in: -0.5...1.5, using: &self.random)))
        case 6: self.send(.signal(self.chance(2) ? .background(self.chance(2)) : .covered(self.chance(2))))
        case 7 where self.kind == .banner && self.chance(4):
            self.send(.refreshEvery(self.chance(4) ? nil : .seconds(self.chance(2) ? 15 : 20)))
        case 8 where self.chance(30): self.send(.consentChanged)
        case 9 where self.kind == .banner: self.send(self.chance(2) ? .stop : self.chance(2) ? .linkOpened : .resume)
        case 10..<24: self.deliver(self.randomAd { !$0.isIdle })
        default: self.advance(self.randomAd { !$0.isOver })
        }
    }

    private mutating func randomAd(_ isWanted: (SimulatedAd) -> Bool) -> SlotMachine.Number? {
        self.ads.filter { isWanted($0.value) }.keys.sorted { $0.value < $1.value }.randomElement(using: &self.random)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self.random) == 0 }

    /// Sends an ad its next random input.
    private mutating func advance(_ number: SlotMachine.Number?) {
        guard let number, let ad = self.ads[number] else { return }
        switch ad.lifecycle.phase {
        case .loading:
            let failure = AdError(.noFill, "for the test")
            self.send(self.chance(4) ? .loadFailed(failure) : .offerArrived(self.rules), number)
        case .loaded:
            if self.chance(8) { self.send(.timer(.expiry), number) }
        case .presenting, .replacing:
            let end: StageEvent = self.chance(5) ? .gone : .revealed
            self.send(.stage(self.chance(3) ? .ready : end), number)
        case .showing:
            self.send(.stage(self.chance(12) ? .closeRequested(by: .creative) : .visible(ratio: 1)), number)
        case .idle, .closed, .failed, .expired: break
        }
    }

    private var rules: ShowRules { ShowRules(self.kind == .banner ? .banner : .interstitial) }

    /// Delivers an event of an ad, or its show command.
    private mutating func deliver(_ number: SlotMachine.Number?) {
        guard let number, let ad = self.ads[number] else { return }
        if ad.isShowPending, self.chance(2) {
            self.ads[number]?.isShowPending = false
            self.send(.show(CommandID(2)), number)
        } else if let error = ad.pendingError, self.chance(2) {
            self.ads[number]?.pendingError = nil
            self.send(.showFailed(number, error))
        } else if let event = ad.events.first {
            self.ads[number]?.events.removeFirst()
            self.forward(event, number)
        }
    }

    private mutating func forward(_ event: AdEvent, _ number: SlotMachine.Number) {
        switch event {
        case .loaded: self.send(.loaded(number))
        case .loadFailed(let error): self.send(.loadFailed(number, error))
        case .shown: self.send(.shown(number))
        case .showFailed(let error): self.send(.showFailed(number, error))
        case .view: self.send(.viewed(number))
        case .click: self.send(.clicked(number))
        case .closed: self.send(.closed(number))
        case .expired: self.send(.expired(number))
        default: break
        }
    }

    /// Finishes everything that is in progress.
    private mutating func settle() {
        for _ in 0..<2000 {
            let late = self.randomAd { !$0.isIdle }
            let busy = self.randomAd { !$0.isOver && [.loading, .presenting].contains($0.lifecycle.phase) }
            guard late != nil || busy != nil else { return }
            if let late { self.deliver(late) } else { self.advance(busy) }
        }
        self.audit.check(false, "the slot never becomes idle")
    }

    private mutating func checkIdle() {
        self.audit.check(self.audit.pendingLoads == 0, "a load has no outcome")
        self.audit.check(self.audit.pendingShows == 0, "a show has no outcome")
        switch self.slot.next {
        case .none: break
        case .loaded(let number, _):
            self.audit.check(self.ads[number]?.lifecycle.phase == .loaded, "an ad that has ended counts as loaded")
        case .loading, .presenting: self.audit.check(false, "the slot hangs")
        }
        for (number, ad) in self.ads where !ad.isOver {
            let isHeld = self.slot.next.number == number || self.slot.current == number
            self.audit.check(isHeld, "an unused ad is left behind")
        }
    }

    private mutating func send(_ input: SlotMachine.Input) {
        let actions = self.slot.handle(input, at: self.now)
        if self.isVerbose { print(self.now.sinceOrigin, input, "→", actions) }
        self.audit.handle(input, actions, self.slot, at: self.now)
        for action in actions {
            switch action {
            case .load(let number):
                self.ads[number] = SimulatedAd()
                self.send(.load(CommandID(1)), number)
            case .show(let number, _): self.ads[number]?.isShowPending = true
            case .destroy(let number): self.send(AdInput.destroy, number)
            case .call, .report, .setTimer, .cancelTimer: break
            }
        }
    }

    private mutating func send(_ input: AdInput, _ number: SlotMachine.Number) {
        guard let actions = self.ads[number]?.lifecycle.handle(input, at: self.now).actions else { return }
        if self.isVerbose { print("   ", number.value, input) }
        for action in actions {
            switch action {
            case .emit(let event):
                // The events of an ad that has ended are not observed.
                if self.ads[number]?.isOver == false { self.ads[number]?.events.append(event) }
            case .finish(CommandID(2), let error): self.ads[number]?.pendingError = error
            case .record(let event): self.send(.recorded(event), number)
            case .release: self.ads[number]?.isOver = true
            default: break
            }
        }
    }
}
