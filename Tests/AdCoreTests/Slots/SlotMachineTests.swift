import Testing

@testable import AdCore

@Suite("SlotMachine")
struct SlotMachineTests {
    /// A slot after inputs at the clock's origin.
    private func slot(_ kind: SlotMachine.Kind = .banner, _ inputs: SlotMachine.Input...) -> SlotMachine {
        var slot = SlotMachine(kind, seed: 1)
        for input in inputs { _ = slot.handle(input, at: .origin) }
        return slot
    }

    @Test("a loaded slot can't be loaded again; a shown one can")
    func vocabulary() {
        var slot = self.slot()
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.load, at: .origin) == [.load(ad(1))])
        #expect(!slot.canLoad && slot.isLoading && !slot.isLoaded)
        #expect(slot.handle(.loaded(ad(1)), at: .origin) == [.call(.loaded)])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.show, at: .origin) == [.show(ad(1), replacing: nil)])
        #expect(!slot.canLoad && slot.isLoaded)
        #expect(slot.handle(.shown(ad(1)), at: .origin) == [.call(.shown)])
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.closed(ad(1)), at: .origin) == [.call(.closed)])
    }

    @Test("a refused command reports an error and changes nothing")
    func refusals() {
        var empty = self.slot()
        #expect(self.code(empty.handle(.show, at: .origin)) == .notLoaded)
        var loading = self.slot(.banner, .load)
        #expect(self.code(loading.handle(.load, at: .origin)) == .alreadyLoading)
        #expect(self.code(loading.handle(.show, at: .origin)) == .notLoaded)
        var loaded = self.slot(.banner, .load, .loaded(ad(1)))
        #expect(self.code(loaded.handle(.load, at: .origin)) == .alreadyLoaded)
        var presenting = self.slot(.banner, .load, .loaded(ad(1)), .show)
        #expect(self.code(presenting.handle(.show, at: .origin)) == .alreadyShown)
        var covered = self.slot(
            .fullScreen,
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1)),
            .load,
            .loaded(ad(2))
        )
        #expect(self.code(covered.handle(.show, at: .origin)) == .alreadyShown)
        #expect(covered.isLoaded)
    }

    @Test("a load during a refresh's load gets the ad that is loading")
    func adopted() {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1)),
            .viewed(ad(1)),
            .refreshNow
        )
        #expect(slot.handle(.load, at: .origin).isEmpty)
        #expect(slot.handle(.loaded(ad(2)), at: .origin) == [.call(.loaded)])
    }

    @Test("after expiry the slot can load again, and late inputs about the old ad are ignored")
    func expired() {
        var slot = self.slot(.fullScreen, .load, .loaded(ad(1)))
        #expect(slot.handle(.expired(ad(1)), at: .origin) == [.call(.expired)])
        #expect(slot.handle(.expired(ad(1)), at: .origin).isEmpty, "reported once")
        #expect(slot.canLoad)
        #expect(slot.handle(.shown(ad(1)), at: .origin).isEmpty)
        #expect(slot.handle(.loaded(ad(1)), at: .origin) == [.destroy(ad(1))])
    }

    @Test("destroy ends everything, with an outcome for each pending command")
    func destroy() {
        let error = AdError(.destroyed, "the placement was destroyed by the host")
        let first = SlotMachine.Action.destroy(ad(1))
        let second = SlotMachine.Action.destroy(ad(2))
        var loading = self.slot(.fullScreen, .load)
        #expect(loading.handle(.close, at: .origin) == [first, .call(.loadFailed(error))])
        var presenting = self.slot(.fullScreen, .load, .loaded(ad(1)), .show)
        #expect(presenting.handle(.close, at: .origin) == [first, .call(.showFailed(error))])
        var loaded = self.slot(.fullScreen, .load, .loaded(ad(1)))
        #expect(loaded.handle(.close, at: .origin) == [first])
        var refreshing = self.viewed(.refreshNow)
        #expect(refreshing.handle(.close, at: .origin) == [second, first, .call(.closed)])
        var both = self.viewed(.load)
        let end: [SlotMachine.Action] = [.cancelTimer, second, first, .call(.loadFailed(error)), .call(.closed)]
        #expect(both.handle(.close, at: .origin) == end)
        var shown = self.slot(.banner, .load, .loaded(ad(1)), .show, .shown(ad(1)))
        #expect(shown.handle(.close, at: .origin) == [.destroy(ad(1)), .call(.closed)])
        #expect(shown.handle(.close, at: .origin).isEmpty)
    }

    @Test("an ad that expires before it is shown fails the show, and the slot can load again")
    func expiredBeforeShown() {
        var slot = self.slot(.fullScreen, .load, .loaded(ad(1)), .show)
        #expect(self.code(slot.handle(.expired(ad(1)), at: .origin)) == .expired)
        #expect(slot.canLoad && !slot.isLoaded)
        #expect(slot.handle(.showFailed(ad(1), slotError), at: .origin).isEmpty, "one outcome only")
        #expect(slot.handle(.load, at: .origin) == [.load(ad(2))])
    }

    @Test("a refresh that expires before it is shown is not reported, and is retried")
    func expiredRefresh() {
        var slot = SlotDriver.viewed(.refreshNow, .loaded(ad(2)))
        #expect(slot.send(.expired(ad(2))).count == 1)
        #expect(slot.slot.canLoad)
        #expect(slot.fire() == [.load(ad(3))])
    }

    @Test("a refresh that gave way to the app's load is retried if that load fails")
    func hostFails() {
        let again = SlotMachine.Action.timer(60)
        func due(_ inputs: SlotMachine.Input...) -> SlotDriver {
            var driver = SlotDriver.viewed(.load)
            #expect(driver.fire().isEmpty, "the app loads the next ad by itself")
            for input in inputs { driver.send(input) }
            return driver
        }
        var loading = due()
        #expect(loading.send(.loadFailed(ad(2), slotError)) == [again, .call(.loadFailed(slotError))])
        var loaded = due(.loaded(ad(2)))
        #expect(loaded.send(.expired(ad(2))) == [again, .call(.expired)])
        var shown = due(.loaded(ad(2)), .show)
        #expect(shown.send(.showFailed(ad(2), slotError)) == [again, .call(.showFailed(slotError))])
        var adopted = SlotDriver.viewed(.refreshNow, .load)
        #expect(adopted.send(.loadFailed(ad(2), slotError)) == [.timer(30), .call(.loadFailed(slotError))])
    }

    @Test("the app's load gets an ad of the refresh that waits to be seen")
    func adoptedWhileHidden() {
        var slot = SlotDriver.viewed(.refreshNow, .visible(ratio: 0), .loaded(ad(2)))
        #expect(slot.slot.canLoad && !slot.slot.isLoaded)
        #expect(slot.send(.load) == [.call(.loaded)])
        #expect(slot.send(.visible(ratio: 1)).isEmpty, "the app shows it")
    }

    @Test("a closed slot ignores everything, refuses commands, and destroys an ad that arrives late")
    func closed() {
        var slot = self.slot(.banner, .start, .close)
        #expect(self.code(slot.handle(.load, at: .origin)) == .destroyed)
        #expect(self.code(slot.handle(.show, at: .origin)) == .destroyed)
        for input in [.start, .refreshNow, .resume, .visible(ratio: 1), .timer] as [SlotMachine.Input] {
            #expect(slot.handle(input, at: .origin).isEmpty)
        }
        #expect(slot.handle(.loaded(ad(1)), at: .origin) == [.destroy(ad(1))])
        #expect(!slot.canLoad)
    }

    @Test("a failed load of the app does not delay a pending refresh, and causes none without an impression")
    func hostFailsEarly() {
        let error = slotError
        var scheduled = self.viewed(.load)
        let late = Moment(.seconds(29))
        #expect(scheduled.handle(.loadFailed(ad(2), error), at: late) == [.call(.loadFailed(error))])
        var hidden = self.viewed(.visible(ratio: 0), .refreshNow, .load)
        #expect(hidden.handle(.loadFailed(ad(2), error), at: late) == [.call(.loadFailed(error))])
        #expect(hidden.handle(.visible(ratio: 1), at: late) == [.load(ad(3))])
        var unseen = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1)),
            .load
        )
        #expect(unseen.handle(.loadFailed(ad(2), error), at: late) == [.call(.loadFailed(error))])
    }

    @Test("canLoad is true while a refresh is loading")
    func canLoadDuringRefresh() {
        let refreshing = self.viewed(.refreshNow)
        #expect(refreshing.canLoad && !refreshing.isLoading && !refreshing.isLoaded)
        let presenting = self.viewed(.refreshNow, .loaded(ad(2)))
        #expect(!presenting.canLoad && !presenting.isLoaded)
    }

    @Test("a full-screen slot is never refreshed")
    func fullScreen() {
        var slot = self.slot(
            .fullScreen,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1))
        )
        #expect(slot.handle(.viewed(ad(1)), at: .origin) == [.call(.impression)])
        #expect(slot.handle(.viewed(ad(1)), at: .origin).isEmpty, "one impression only")
    }

    @Test("a click of the ad on screen is reported; one of another ad is not")
    func clicked() {
        var slot = self.viewed(.load, .loaded(ad(2)))
        #expect(slot.handle(.clicked(ad(1)), at: .origin) == [.call(.clicked)])
        #expect(slot.handle(.clicked(ad(2)), at: .origin).isEmpty)
        var full = self.slot(.fullScreen, .load, .loaded(ad(1)), .show, .shown(ad(1)))
        #expect(
            full.handle(.clicked(ad(1)), at: .origin) == [.call(.clicked)],
            "a click may come before the impression"
        )
        #expect(full.handle(.closed(ad(1)), at: .origin) == [.call(.closed)])
        #expect(full.handle(.clicked(ad(1)), at: .origin).isEmpty)
    }

    @Test("an ad that the app has loaded expires with the consent, and a pending show of it fails")
    func expiresWithConsent() {
        var loaded = self.slot(.fullScreen, .load, .loaded(ad(1)))
        #expect(loaded.handle(.consentChanged, at: .origin) == [.destroy(ad(1)), .call(.expired)])
        #expect(loaded.canLoad)
        var presenting = self.slot(.fullScreen, .load, .loaded(ad(1)), .show)
        let actions = presenting.handle(.consentChanged, at: .origin)
        #expect(actions.first == .destroy(ad(1)))
        #expect(self.code(Array(actions.dropFirst())) == .expired)
    }

    @Test("closing a banner ends its refresh in any state")
    func closedWithRefresh() {
        let end: [SlotMachine.Action] = [.destroy(ad(2)), .call(.closed)]
        var loading = self.viewed(.refreshNow)
        #expect(loading.handle(.closed(ad(1)), at: .origin) == end)
        var presenting = self.viewed(.refreshNow, .loaded(ad(2)))
        #expect(presenting.handle(.closed(ad(1)), at: .origin) == end)
        var waiting = self.viewed()
        #expect(waiting.handle(.closed(ad(1)), at: .origin) == [.cancelTimer, .call(.closed)])
        var hosts = self.viewed(.load)
        #expect(hosts.handle(.closed(ad(1)), at: .origin) == [.cancelTimer, .call(.closed)])
        #expect(hosts.isLoading, "the app's own load goes on")
    }

    @Test("a repeated input, or one about another ad, changes nothing")
    func unknownAds() {
        let unknown = ad(99)
        let (first, second) = (ad(1), ad(2))
        var loading = self.slot(.banner, .load)
        #expect(loading.handle(.loadFailed(unknown, slotError), at: .origin).isEmpty)
        #expect(loading.isLoading)
        var loaded = self.slot(.banner, .load, .loaded(first))
        #expect(loaded.handle(.loaded(first), at: .origin).isEmpty)
        #expect(loaded.handle(.expired(unknown), at: .origin).isEmpty)
        #expect(loaded.isLoaded)
        var presenting = self.slot(.banner, .load, .loaded(first), .show)
        for input in [SlotMachine.Input.expired(unknown), .showFailed(unknown, slotError), .shown(unknown)] {
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

    /// A banner with a refresh interval of 30 s and an impression at the clock's origin, after further inputs.
    private func viewed(_ inputs: SlotMachine.Input...) -> SlotMachine {
        var slot = self.slot(
            .banner,
            .refreshEvery(.seconds(30)),
            .load,
            .loaded(ad(1)),
            .show,
            .shown(ad(1)),
            .viewed(ad(1))
        )
        for input in inputs { _ = slot.handle(input, at: .origin) }
        return slot
    }

    /// The error of the only action, if it is a failure callback.
    private func code(_ actions: [SlotMachine.Action]) -> AdError.Code? {
        guard actions.count == 1, case .call(let callback) = actions[0] else { return nil }
        switch callback {
        case .loadFailed(let error), .showFailed(let error): return error.code
        case .loaded, .shown, .impression, .clicked, .closed, .expired: return nil
        }
    }
}
