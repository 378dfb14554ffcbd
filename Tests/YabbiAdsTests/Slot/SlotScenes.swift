import AdCore
import TestSupport

@testable import YabbiAds

/// A slot among real lives of ads, whose news comes late and interleaved at random: what the shell around a slot is to
/// it, without a task.
struct SlotScene {
    private(set) var audit: SlotAudit
    private var slot: AdSlot
    private var random: TestRandom
    private var now = Moment.origin
    private var lives: [AdSlot.Number: Life] = [:]
    private let kind: AdSlot.Kind
    private let isTalking: Bool

    /// One ad, and the news of it that is still under way.
    private struct Life {
        var lifecycle = AdLifecycle()
        var isOver = false
        var events: [AdEvent] = []
        /// The command to show it has not arrived yet.
        var isToBeShown = false
        /// What the command to show it has thrown.
        var thrown: AdError?

        var isAtRest: Bool { self.events.isEmpty && !self.isToBeShown && self.thrown == nil }
    }

    init(seed: UInt64, isTalking: Bool = false) {
        self.random = TestRandom(seed: seed)
        self.kind = Int.random(in: 0..<3, using: &self.random) > 0 ? .banner : .fullScreen
        self.slot = AdSlot(self.kind)
        self.audit = SlotAudit(self.kind)
        self.isTalking = isTalking
    }

    /// Lives for a while, lets everything come to rest, and ends.
    mutating func run() {
        if self.kind == .banner { self.put(.refreshEvery(.seconds(15))) }
        for _ in 0..<120 {
            self.step()
            guard self.audit.violations.isEmpty else { return }
        }
        self.settle()
        self.checkRest()
        self.put(.destroy)
        self.audit.finish()
        for life in self.lives.values { self.audit.check(life.isOver, "an ad is left behind") }
    }

    private mutating func step() {
        self.now = self.now + .seconds(Int.random(in: 0...4, using: &self.random))
        if let alarm = self.audit.refreshAlarm, alarm <= self.now, self.chance(2) { self.put(.refreshDue) }
        switch Int.random(in: 0..<40, using: &self.random) {
        case 0, 1: self.put(.load)
        case 2, 3, 4: self.put(.show)
        case 5: self.put(.visible(self.chance(2)))
        case 6: self.put(.inFront(self.chance(2)))
        case 7 where self.kind == .banner && self.chance(4):
            self.put(.refreshEvery(self.chance(4) ? nil : .seconds(15)))
        case 8 where self.chance(10): self.put(.destroy)
        case 9..<24: self.deliver(self.someone { !$0.isAtRest })
        default: self.stir(self.someone { !$0.isOver })
        }
    }

    private mutating func someone(_ isWanted: (Life) -> Bool) -> AdSlot.Number? {
        self.lives.filter { isWanted($0.value) }.keys.sorted { $0.value < $1.value }.randomElement(using: &self.random)
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self.random) == 0 }

    /// Lets something happen to an ad.
    private mutating func stir(_ number: AdSlot.Number?) {
        guard let number, let life = self.lives[number] else { return }
        switch life.lifecycle.phase {
        case .loading:
            let failure = AdError(.noFill, "for the test")
            self.put(self.chance(4) ? .loadFailed(failure) : .offerArrived(self.rules), number)
        case .loaded:
            if self.chance(8) { self.put(.timer(.expiry), number) }
        case .presenting:
            let end: StageEvent = self.chance(5) ? .gone : .revealed
            self.put(.stage(self.chance(3) ? .ready : end), number)
        case .showing:
            self.put(.stage(self.chance(12) ? .closeRequested(by: .creative) : .visible(ratio: 1)), number)
        case .idle, .closed, .failed, .expired: break
        }
    }

    private var rules: ShowRules { ShowRules(self.kind == .banner ? .banner : .interstitial) }

    /// Lets news of an ad arrive, or the command to show it.
    private mutating func deliver(_ number: AdSlot.Number?) {
        guard let number, let life = self.lives[number] else { return }
        if life.isToBeShown, self.chance(2) {
            self.lives[number]?.isToBeShown = false
            self.put(.show(CommandID(2)), number)
        } else if let error = life.thrown, self.chance(2) {
            self.lives[number]?.thrown = nil
            self.put(.showFailed(number, error))
        } else if let event = life.events.first {
            self.lives[number]?.events.removeFirst()
            self.hear(event, number)
        }
    }

    private mutating func hear(_ event: AdEvent, _ number: AdSlot.Number) {
        switch event {
        case .loaded: self.put(.loaded(number))
        case .loadFailed(let error): self.put(.loadFailed(number, error))
        case .shown: self.put(.shown(number))
        case .showFailed(let error): self.put(.showFailed(number, error))
        case .view: self.put(.viewed(number))
        case .closed: self.put(.closed(number))
        case .expired: self.put(.expired(number))
        default: break
        }
    }

    /// Brings everything that was begun to its end.
    private mutating func settle() {
        for _ in 0..<2000 {
            let late = self.someone { !$0.isAtRest }
            let busy = self.someone { !$0.isOver && [.loading, .presenting].contains($0.lifecycle.phase) }
            guard late != nil || busy != nil else { return }
            if let late { self.deliver(late) } else { self.stir(busy) }
        }
        self.audit.check(false, "the slot never comes to rest")
    }

    private mutating func checkRest() {
        self.audit.check(self.audit.pendingLoads == 0, "a load has no outcome")
        self.audit.check(self.audit.pendingShows == 0, "a show has no outcome")
        switch self.slot.next {
        case .none: break
        case .loaded(let number):
            self.audit.check(self.lives[number]?.lifecycle.phase == .loaded, "an ad that is over counts as loaded")
        case .loading, .presenting: self.audit.check(false, "the slot hangs")
        }
        for (number, life) in self.lives where !life.isOver {
            let isHeld = self.slot.next == .loaded(number) || self.slot.current == number
            self.audit.check(isHeld, "an ad that nobody wants is left behind")
        }
    }

    private mutating func put(_ input: AdSlot.Input) {
        let actions = self.slot.handle(input, at: self.now)
        if self.isTalking { print(self.now.sinceOrigin, input, "→", actions) }
        self.audit.take(input, actions, self.slot, at: self.now)
        for action in actions {
            switch action {
            case .startLoad(let number):
                self.lives[number] = Life()
                self.put(.load(CommandID(1)), number)
            case .show(let number), .replace(_, with: let number): self.lives[number]?.isToBeShown = true
            case .destroy(let number): self.put(AdInput.destroy, number)
            case .call, .setRefresh, .cancelRefresh: break
            }
        }
    }

    private mutating func put(_ input: AdInput, _ number: AdSlot.Number) {
        guard let actions = self.lives[number]?.lifecycle.handle(input, at: self.now).actions else { return }
        if self.isTalking { print("   ", number.value, input) }
        for action in actions {
            switch action {
            case .emit(let event):
                // Nobody listens to an ad that is over.
                if self.lives[number]?.isOver == false { self.lives[number]?.events.append(event) }
            case .finish(CommandID(2), let error): self.lives[number]?.thrown = error
            case .record(let event): self.put(.recorded(event), number)
            case .release: self.lives[number]?.isOver = true
            default: break
            }
        }
    }
}
