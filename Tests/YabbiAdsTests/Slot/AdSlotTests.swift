import AdCore
import Testing

@testable import YabbiAds

@Suite("AdSlot")
struct AdSlotTests {
    private static let error = AdError(.noFill, "for the test")

    /// A slot after inputs at the clock's origin.
    private func slot(_ kind: AdSlot.Kind = .banner, _ inputs: AdSlot.Input...) -> AdSlot {
        var slot = AdSlot(kind)
        for input in inputs { _ = slot.handle(input, at: .origin) }
        return slot
    }

    private func number(_ value: Int) -> AdSlot.Number { AdSlot.Number(value) }

    @Test("a loaded slot can't be loaded again; a shown one can")
    func vocabulary() {
        var slot = self.slot()
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.load, at: .origin) == [.startLoad(self.number(1))])
        #expect(!slot.canLoad && slot.isLoading && !slot.isLoaded)
        #expect(slot.handle(.loaded(self.number(1)), at: .origin) == [.call(.loaded)])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.show, at: .origin) == [.show(self.number(1))])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.shown(self.number(1)), at: .origin) == [.call(.shown)])
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.closed(self.number(1)), at: .origin) == [.call(.closed)])
    }

    @Test("a refused command reports an error and changes nothing")
    func refusals() {
        var empty = self.slot()
        #expect(self.code(empty.handle(.show, at: .origin)) == .notLoaded)
        var loading = self.slot(.banner, .load)
        #expect(self.code(loading.handle(.load, at: .origin)) == .alreadyLoading)
        #expect(self.code(loading.handle(.show, at: .origin)) == .notLoaded)
        var loaded = self.slot(.banner, .load, .loaded(self.number(1)))
        #expect(self.code(loaded.handle(.load, at: .origin)) == .alreadyLoaded)
        var presenting = self.slot(.banner, .load, .loaded(self.number(1)), .show)
        #expect(self.code(presenting.handle(.show, at: .origin)) == .alreadyShown)
        var covered = self.slot(
            .fullScreen,
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .load,
            .loaded(self.number(2))
        )
        #expect(self.code(covered.handle(.show, at: .origin)) == .alreadyShown)
        #expect(covered.isLoaded)
    }

    @Test("a banner is refreshed after its impression, and the old ad is destroyed when the new one is shown")
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
                .setRefresh(at: Moment(.seconds(30))), .call(.impression),
            ]
        )
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(30))) == [.startLoad(self.number(2))])
        #expect(
            slot.handle(.loaded(self.number(2)), at: Moment(.seconds(31))) == [
                .replace(self.number(1), with: self.number(2))
            ]
        )
        #expect(
            slot.handle(.shown(self.number(2)), at: Moment(.seconds(32))) == [.destroy(self.number(1)), .call(.shown)]
        )
        #expect(
            slot.handle(.closed(self.number(1)), at: Moment(.seconds(32))).isEmpty,
            "the end of the old ad is not reported"
        )
    }

    @Test("a refresh waits until the slot is visible, and needs an impression")
    func hidden() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1))
        )
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(30))).isEmpty, "there was no impression")
        _ = slot.handle(.viewed(self.number(1)), at: Moment(.seconds(40)))
        #expect(slot.handle(.visible(false), at: Moment(.seconds(41))).isEmpty)
        #expect(slot.handle(.refreshDue, at: Moment(.seconds(70))).isEmpty)
        #expect(slot.handle(.visible(true), at: Moment(.seconds(99))) == [.startLoad(self.number(2))])
    }

    @Test("a refresh that fails keeps the old banner and is retried")
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

    @Test("a load during a refresh's load gets the ad that is loading")
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
        #expect(slot.handle(.loaded(self.number(2)), at: .origin) == [.call(.loaded)])
    }

    @Test("after expiry the slot can load again, and late inputs about the old ad are ignored")
    func expired() {
        var slot = self.slot(.fullScreen, .load, .loaded(self.number(1)), .expired(self.number(1)))
        #expect(slot.canLoad)
        #expect(slot.handle(.shown(self.number(1)), at: .origin).isEmpty)
        #expect(slot.handle(.loaded(self.number(1)), at: .origin) == [.destroy(self.number(1))])
    }

    @Test("destroy ends everything, with an outcome for each pending command")
    func destroy() {
        let error = AdError(.destroyed, "the placement was destroyed by the host")
        let first = AdSlot.Action.destroy(self.number(1))
        let second = AdSlot.Action.destroy(self.number(2))
        var loading = self.slot(.fullScreen, .load)
        #expect(loading.handle(.destroy, at: .origin) == [first, .call(.loadFailed(error))])
        var presenting = self.slot(.fullScreen, .load, .loaded(self.number(1)), .show)
        #expect(presenting.handle(.destroy, at: .origin) == [first, .call(.showFailed(error))])
        var loaded = self.slot(.fullScreen, .load, .loaded(self.number(1)))
        #expect(loaded.handle(.destroy, at: .origin) == [first])
        var refreshing = self.viewed(.refreshDue)
        #expect(refreshing.handle(.destroy, at: .origin) == [second, first, .call(.closed)])
        var both = self.viewed(.load)
        let end: [AdSlot.Action] = [second, .cancelRefresh, first, .call(.loadFailed(error)), .call(.closed)]
        #expect(both.handle(.destroy, at: .origin) == end)
        var shown = self.slot(.banner, .load, .loaded(self.number(1)), .show, .shown(self.number(1)))
        #expect(shown.handle(.destroy, at: .origin) == [.destroy(self.number(1)), .call(.closed)])
        #expect(shown.handle(.destroy, at: .origin).isEmpty)
    }

    @Test("an ad that expires before it is shown fails the show, and the slot can load again")
    func expiredBeforeShown() {
        var slot = self.slot(.fullScreen, .load, .loaded(self.number(1)), .show)
        #expect(self.code(slot.handle(.expired(self.number(1)), at: .origin)) == .expired)
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.showFailed(self.number(1), Self.error), at: .origin).isEmpty, "one outcome only")
        #expect(slot.handle(.load, at: .origin) == [.startLoad(self.number(2))])
    }

    @Test("a refresh that expires before it is shown is not reported, and is retried")
    func expiredRefresh() {
        var slot = self.viewed(.refreshDue, .loaded(self.number(2)))
        #expect(slot.handle(.expired(self.number(2)), at: .origin) == [self.again])
        #expect(slot.canLoad)
    }

    @Test("a refresh that gave way to the app's load is retried if that load fails")
    func hostFails() {
        let error = Self.error
        var loading = self.viewed(.load, .refreshDue)
        #expect(
            loading.handle(.loadFailed(self.number(2), error), at: .origin) == [self.again, .call(.loadFailed(error))]
        )
        var loaded = self.viewed(.load, .refreshDue, .loaded(self.number(2)))
        #expect(loaded.handle(.expired(self.number(2)), at: .origin) == [self.again])
        var shown = self.viewed(.load, .refreshDue, .loaded(self.number(2)), .show)
        #expect(
            shown.handle(.showFailed(self.number(2), error), at: .origin) == [self.again, .call(.showFailed(error))]
        )
        var adopted = self.viewed(.refreshDue, .load)
        #expect(
            adopted.handle(.loadFailed(self.number(2), error), at: .origin) == [self.again, .call(.loadFailed(error))]
        )
    }

    @Test("a failed load of the app does not delay a pending refresh, and causes none without an impression")
    func hostFailsEarly() {
        let error = Self.error
        var scheduled = self.viewed(.load)
        let late = Moment(.seconds(29))
        #expect(scheduled.handle(.loadFailed(self.number(2), error), at: late) == [.call(.loadFailed(error))])
        var hidden = self.viewed(.visible(false), .refreshDue, .load)
        #expect(hidden.handle(.loadFailed(self.number(2), error), at: late) == [.call(.loadFailed(error))])
        #expect(hidden.handle(.visible(true), at: late) == [.startLoad(self.number(3))])
        var unseen = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .load
        )
        #expect(unseen.handle(.loadFailed(self.number(2), error), at: late) == [.call(.loadFailed(error))])
    }

    @Test("a refresh waits until the app is in the foreground and the slot is visible")
    func notInFront() {
        var slot = self.viewed(.inFront(false))
        #expect(slot.handle(.refreshDue, at: .origin).isEmpty)
        #expect(slot.handle(.visible(true), at: .origin).isEmpty, "still not in the foreground")
        #expect(slot.handle(.visible(false), at: .origin).isEmpty)
        #expect(slot.handle(.inFront(true), at: .origin).isEmpty, "still not visible")
        #expect(slot.handle(.visible(true), at: .origin) == [.startLoad(self.number(2))])
        #expect(slot.handle(.inFront(true), at: .origin).isEmpty, "one refresh only")
    }

    @Test("canLoad is true while a refresh is loading")
    func canLoadDuringRefresh() {
        let refreshing = self.viewed(.refreshDue)
        #expect(refreshing.canLoad && !refreshing.isLoading && !refreshing.isLoaded)
        let presenting = self.viewed(.refreshDue, .loaded(self.number(2)))
        #expect(!presenting.canLoad && !presenting.isLoaded)
    }

    @Test("the same interval keeps the refresh; another one restarts it, and nil cancels it")
    func intervals() {
        var slot = self.viewed()
        let late = Moment(.seconds(29))
        #expect(slot.handle(.refreshEvery(.seconds(30)), at: late).isEmpty)
        #expect(
            slot.handle(.refreshEvery(.seconds(20)), at: late) == [
                .cancelRefresh, .setRefresh(at: Moment(.seconds(49))),
            ]
        )
        #expect(slot.handle(.refreshEvery(nil), at: late) == [.cancelRefresh])
        #expect(slot.handle(.refreshDue, at: late).isEmpty)
    }

    @Test("a full-screen slot is never refreshed")
    func fullScreen() {
        var slot = self.slot(
            .fullScreen,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1))
        )
        #expect(slot.handle(.viewed(self.number(1)), at: .origin) == [.call(.impression)])
        #expect(slot.handle(.viewed(self.number(1)), at: .origin).isEmpty, "one impression only")
    }

    @Test("closing a banner ends its refresh in any state")
    func closedWithRefresh() {
        let end: [AdSlot.Action] = [.destroy(self.number(2)), .call(.closed)]
        var loading = self.viewed(.refreshDue)
        #expect(loading.handle(.closed(self.number(1)), at: .origin) == end)
        var presenting = self.viewed(.refreshDue, .loaded(self.number(2)))
        #expect(presenting.handle(.closed(self.number(1)), at: .origin) == end)
        var waiting = self.viewed()
        #expect(waiting.handle(.closed(self.number(1)), at: .origin) == [.cancelRefresh, .call(.closed)])
        var hosts = self.viewed(.load)
        #expect(hosts.handle(.closed(self.number(1)), at: .origin) == [.cancelRefresh, .call(.closed)])
        #expect(hosts.isLoading, "the app's own load goes on")
    }

    @Test("a repeated input, or one about another ad, changes nothing")
    func unknownAds() {
        let unknown = self.number(99)
        let (first, second) = (self.number(1), self.number(2))
        var loading = self.slot(.banner, .load)
        #expect(loading.handle(.loadFailed(unknown, Self.error), at: .origin).isEmpty)
        #expect(loading.isLoading)
        var loaded = self.slot(.banner, .load, .loaded(first))
        #expect(loaded.handle(.loaded(first), at: .origin).isEmpty)
        #expect(loaded.handle(.expired(unknown), at: .origin).isEmpty)
        #expect(loaded.isLoaded)
        var presenting = self.slot(.banner, .load, .loaded(first), .show)
        for input in [AdSlot.Input.expired(unknown), .showFailed(unknown, Self.error), .shown(unknown)] {
            #expect(presenting.handle(input, at: .origin).isEmpty)
        }
        #expect(presenting.isLoaded)
        var shown = self.viewed()
        #expect(shown.handle(.loaded(first), at: .origin).isEmpty)
        #expect(shown.handle(.viewed(unknown), at: .origin).isEmpty)
        var both = self.viewed(.load, .loaded(second))
        #expect(both.handle(.loaded(first), at: .origin).isEmpty)
        #expect(both.handle(.loaded(second), at: .origin).isEmpty)
        #expect(both.handle(.loaded(unknown), at: .origin) == [.destroy(unknown)])
    }

    private var again: AdSlot.Action { .setRefresh(at: Moment(.seconds(30))) }

    /// A banner with a refresh interval of 30 s and an impression at the clock's origin, after further inputs.
    private func viewed(_ inputs: AdSlot.Input...) -> AdSlot {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(self.number(1)),
            .show,
            .shown(self.number(1)),
            .viewed(self.number(1))
        )
        for input in inputs { _ = slot.handle(input, at: .origin) }
        return slot
    }

    /// The error of the only action, if it is a failure callback.
    private func code(_ actions: [AdSlot.Action]) -> AdError.Code? {
        guard actions.count == 1, case .call(let callback) = actions[0] else { return nil }
        switch callback {
        case .loadFailed(let error), .showFailed(let error): return error.code
        case .loaded, .shown, .impression, .closed: return nil
        }
    }
}
