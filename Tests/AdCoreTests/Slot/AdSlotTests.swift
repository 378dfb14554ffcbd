import Testing

@testable import AdCore

@Suite("A placement's slot")
struct AdSlotTests {
    private static let error = AdError(.noFill, "for the test")

    /// A slot brought to a state by news that came at the clock's origin.
    private func slot(_ kind: AdSlot.Kind = .banner, _ inputs: AdSlot.Input...) -> AdSlot {
        var slot = AdSlot(kind)
        for input in inputs { _ = slot.handle(input, at: .origin) }
        return slot
    }

    private func number(_ value: Int) -> AdSlot.Number { AdSlot.Number(value) }

    @Test("loaded means it can't be loaded again; shown means it can")
    func vocabulary() {
        var slot = self.slot()
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.load, at: .origin) == [.startLoad(self.number(1))])
        #expect(!slot.canLoad && slot.isLoading && !slot.isLoaded)
        #expect(slot.handle(.loaded(self.number(1)), at: .origin) == [.tell(.loaded)])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.show, at: .origin) == [.show(self.number(1))])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.shown(self.number(1)), at: .origin) == [.tell(.shown)])
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.closed(self.number(1)), at: .origin) == [.tell(.closed)])
    }

    @Test("what can't be done is told, and disturbs nothing")
    func refusals() {
        func code(_ actions: [AdSlot.Action]) -> AdError.Code? {
            guard actions.count == 1, case .tell(let callback) = actions[0] else { return nil }
            switch callback {
            case .loadFailed(let error), .showFailed(let error): return error.code
            case .loaded, .shown, .impression, .closed: return nil
            }
        }
        var empty = self.slot()
        #expect(code(empty.handle(.show, at: .origin)) == .notLoaded)
        var loading = self.slot(.banner, .load)
        #expect(code(loading.handle(.load, at: .origin)) == .alreadyLoading)
        #expect(code(loading.handle(.show, at: .origin)) == .notLoaded)
        var loaded = self.slot(.banner, .load, .loaded(self.number(1)))
        #expect(code(loaded.handle(.load, at: .origin)) == .alreadyLoaded)
        var presenting = self.slot(.banner, .load, .loaded(self.number(1)), .show)
        #expect(code(presenting.handle(.show, at: .origin)) == .alreadyShown)
        var covered = self.slot(
            .fullScreen,
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .load,
            .loaded(self.number(2))
        )
        #expect(code(covered.handle(.show, at: .origin)) == .alreadyShown)
        #expect(covered.isLoaded)
    }

    @Test("a banner is refreshed after its view, and the old one goes when the new one is there")
    func refresh() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1))
        )
        #expect(
            slot.handle(.viewed(self.number(1)), at: .origin) == [
                .tell(.impression), .setRefresh(at: Moment(.seconds(30))),
            ]
        )
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(30))) == [.startLoad(self.number(2))])
        #expect(slot.handle(.loaded(self.number(2)), at: Moment(.seconds(31))) == [.show(self.number(2))])
        #expect(
            slot.handle(.shown(self.number(2)), at: Moment(.seconds(32))) == [.destroy(self.number(1)), .tell(.shown)]
        )
        #expect(slot.handle(.closed(self.number(1)), at: Moment(.seconds(32))).isEmpty, "the old one's end is no news")
    }

    @Test("a refresh waits until the place can be seen, and never comes without a view")
    func hidden() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1))
        )
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(30))).isEmpty, "nothing was viewed")
        _ = slot.handle(.viewed(self.number(1)), at: Moment(.seconds(40)))
        #expect(slot.handle(.visible(false), at: Moment(.seconds(41))).isEmpty)
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(70))).isEmpty)
        #expect(slot.handle(.visible(true), at: Moment(.seconds(99))) == [.startLoad(self.number(2))])
    }

    @Test("a refresh that fails keeps the old banner and comes again")
    func failedRefresh() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .viewed(self.number(1)),
            .refreshDue
        )
        let again = [AdSlot.Action.setRefresh(at: Moment(.seconds(61)))]
        #expect(slot.handle(.loadFailed(self.number(2), Self.error), at: Moment(.seconds(31))) == again)
        #expect(slot.canLoad)
    }

    @Test("a host that loads while a refresh is loading gets what is being loaded")
    func adopted() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .viewed(self.number(1)),
            .refreshDue
        )
        #expect(slot.handle(.load, at: .origin).isEmpty)
        #expect(slot.handle(.loaded(self.number(2)), at: .origin) == [.tell(.loaded)])
    }

    @Test("an expired ad leaves room for another, and late news of it is nothing")
    func expired() {
        var slot = self.slot(.fullScreen, .load, .loaded(self.number(1)), .expired(self.number(1)))
        #expect(slot.canLoad)
        #expect(slot.handle(.shown(self.number(1)), at: .origin).isEmpty)
        #expect(slot.handle(.loaded(self.number(1)), at: .origin) == [.destroy(self.number(1))])
    }

    @Test("destroy ends everything, with an outcome for whoever waits")
    func destroy() {
        var loading = self.slot(.fullScreen, .load)
        #expect(loading.handle(.destroy, at: .origin).count == 2)
        var shown = self.slot(.banner, .load, .loaded(self.number(1)), .show, .shown(self.number(1)))
        #expect(shown.handle(.destroy, at: .origin) == [.destroy(self.number(1)), .tell(.closed)])
        #expect(shown.handle(.destroy, at: .origin).isEmpty)
    }

    @Test("20,000 random lives of a slot: each command one outcome, one ad to come, one on screen, no refresh unseen")
    func random() async {
        for seed in 0..<20_000 {
            var random = SeededRandom(seed: UInt64(seed))
            let fault = SlotAudit.live(&random)
            if seed.isMultiple(of: 500) { await Task.yield() }
            guard fault == nil else {
                Testing.Issue.record("seed \(seed): \(fault ?? "")")
                return
            }
        }
    }
}

/// Drives one slot at random and watches from outside.
private struct SlotAudit {
    static func live(_ random: inout SeededRandom) -> String? {
        let kind: AdSlot.Kind = Bool.random(using: &random) ? .banner : .fullScreen
        var slot = AdSlot(kind)
        var now = Moment.origin
        var loads = 0
        var loadOutcomes = 0
        var shows = 0
        var showOutcomes = 0
        var alive: Set<AdSlot.Number> = []
        var isVisible = true
        var viewed: Set<AdSlot.Number> = []
        var onScreen: AdSlot.Number?
        for _ in 0..<40 {
            now = now + .seconds(Int.random(in: 0...20, using: &random))
            let some = alive.union([AdSlot.Number(99)]).sorted { $0.value < $1.value }.randomElement(using: &random)
            let number = some ?? AdSlot.Number(99)
            let error = AdError(.noFill, "for the test")
            let inputs: [AdSlot.Input] = [
                .load, .load, .show, .show, .loaded(number), .loaded(number), .loadFailed(number, error),
                .shown(number),
                .shown(number), .showFailed(number, error), .viewed(number), .closed(number), .expired(number),
                .visible(Bool.random(using: &random)), .refreshDue, .refreshEvery(.seconds(15)), .destroy,
            ]
            let input = inputs.randomElement(using: &random) ?? .destroy
            if input == .load { loads += 1 }
            if input == .show { shows += 1 }
            if case .visible(let now) = input { isVisible = now }
            let before = onScreen
            for action in slot.handle(input, at: now) {
                switch action {
                case .startLoad(let number):
                    guard alive.insert(number).inserted else { return "number \(number.value) was used twice" }
                    if input != .load {
                        guard isVisible else { return "refreshed while hidden" }
                        guard let before, viewed.contains(before) else { return "refreshed before a view" }
                    }
                case .show: break
                case .destroy(let number): alive.remove(number)
                case .tell(.loaded), .tell(.loadFailed): loadOutcomes += 1
                case .tell(.shown):
                    if case .shown(let number) = input { onScreen = number }
                case .tell(.showFailed): showOutcomes += 1
                case .tell(.impression):
                    guard let before, viewed.insert(before).inserted else { return "an impression twice" }
                case .tell(.closed):
                    guard before != nil else { return "closed what was not on screen" }
                    onScreen = nil
                case .setRefresh(let at): guard at > now else { return "a refresh in the past" }
                case .cancelRefresh: break
                }
            }
        }
        _ = slot.handle(.destroy, at: now).map { action in
            if case .tell(.loadFailed) = action { loadOutcomes += 1 }
        }
        if loads != loadOutcomes { return "\(loads) loads, \(loadOutcomes) outcomes" }
        return showOutcomes > shows ? "more failed shows than shows" : nil
    }
}
