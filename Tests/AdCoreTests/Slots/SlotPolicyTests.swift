import Testing

@testable import AdCore

/// The clauses of the refresh policy, as `SlotMachine` lists them.
@Suite("SlotMachine: the refresh policy")
struct SlotPolicyTests {
    @Test("without an interval a banner is never refreshed")
    func offByDefault() {
        var slot = SlotDriver(.banner, .start, .loaded(ad(1)), .shown(ad(1)))
        #expect(slot.send(.viewed(ad(1))) == [.call(.impression)])
        #expect(slot.timer == nil)
        #expect(slot.send(.timer, at: 1000).isEmpty)
        #expect(slot.send(.refreshEvery(.seconds(30)), at: 1000) == [.timer(1030)], "until there is one")
    }

    @Test(
        "an interval outside 15 s to 120 s is changed to the next one inside, with an issue",
        arguments: [
            (-3, 15, "refreshInterval.short"), (0, 15, "refreshInterval.short"), (14, 15, "refreshInterval.short"),
            (15, 15, nil), (120, 120, nil), (121, 120, "refreshInterval.long"),
            (Int.max, 120, "refreshInterval.long"),
        ] as [(Int, Double, String?)]
    )
    func clamped(given: Int, used: Double, code: String?) {
        var slot = SlotDriver(.banner)
        let issues = slot.send(.refreshEvery(.seconds(given))).compactMap { action in
            if case .report(let issue) = action { issue } else { nil }
        }
        #expect(issues.map(\.code) == (code.map { [$0] } ?? []))
        #expect(issues.allSatisfy { $0.place == .field("refreshInterval") })
        for input in [.start, .loaded(ad(1)), .shown(ad(1)), .viewed(ad(1))] as [SlotMachine.Input] { slot.send(input) }
        #expect(slot.timer == Moment(.seconds(used)))
    }

    @Test("another interval starts the count again, nil ends it, and the same one changes nothing")
    func changedInterval() {
        var slot = SlotDriver.viewed()
        #expect(slot.send(.refreshEvery(.seconds(30)), at: 29).isEmpty)
        #expect(slot.send(.refreshEvery(.seconds(20)), at: 29) == [.cancelTimer, .timer(49)])
        #expect(slot.send(.refreshEvery(nil), at: 29) == [.cancelTimer])
        #expect(slot.send(.timer, at: 60).isEmpty)
        var failed = SlotDriver(.banner, .refreshEvery(.seconds(30)), .start, .loadFailed(ad(1), slotError))
        #expect(failed.send(.refreshEvery(.seconds(20)), at: 5) == [.cancelTimer, .timer(25)])
        #expect(failed.send(.refreshEvery(nil), at: 6) == [.cancelTimer])
        var due = SlotDriver.viewed(.visible(ratio: 0), .refreshNow, .refreshEvery(.seconds(20)))
        #expect(due.send(.visible(ratio: 1), at: 1) == [.timer(21)])
    }

    @Test("the interval starts at the impression, and the old ad is destroyed when the new one is on screen")
    func afterImpression() {
        var slot = SlotDriver(.banner, .refreshEvery(.seconds(30)), .start, .loaded(ad(1)))
        #expect(slot.send(.shown(ad(1)), at: 1) == [.call(.shown)])
        #expect(slot.timer == nil, "there was no impression")
        #expect(slot.send(.viewed(ad(1)), at: 2) == [.timer(32), .call(.impression)])
        #expect(slot.send(.timer, at: 31).isEmpty, "a timer that was replaced is ignored")
        #expect(slot.fire() == [.load(ad(2))])
        #expect(slot.send(.loaded(ad(2)), at: 33) == [.show(ad(2), replacing: ad(1))])
        #expect(slot.send(.shown(ad(2)), at: 34) == [.destroy(ad(1)), .call(.shown)])
        #expect(slot.send(.closed(ad(1)), at: 34).isEmpty, "the end of the old ad is not reported")
        #expect(slot.slot.currentNumber == ad(2))
    }

    @Test("a failed request keeps the old ad; pauses have random parts, grow with each failure and are bounded")
    func backOff() {
        for seed in 1...50 as ClosedRange<UInt64> {
            var slot = SlotDriver(
                .banner,
                seed: seed,
                .refreshEvery(.seconds(120)),
                .start,
                .loaded(ad(1)),
                .shown(ad(1)),
                .viewed(ad(1))
            )
            var pauses: [Double] = []
            for number in 2...9 {
                #expect(slot.fire() == [.load(ad(number))])
                let failed = slot.now
                let actions = slot.send(.loadFailed(ad(number), slotError))
                #expect(actions.count == 1 && slot.slot.currentNumber == ad(1))
                pauses.append(((slot.timer ?? failed) - failed).inSeconds)
            }
            #expect((180...240).contains(pauses[0]))
            #expect((300...480).contains(pauses[1]))
            #expect(pauses[2...].allSatisfy { (360...600).contains($0) })
            #expect(Set(pauses).count > 4, "random")
            slot.fire()
            for input in [.loaded(ad(10)), .shown(ad(10)), .viewed(ad(10))] as [SlotMachine.Input] { slot.send(input) }
            #expect(slot.timer == slot.now + .seconds(120), "a success ends the back-off")
        }
    }

    @Test("a show that fails keeps the old ad, and backs off too; so does a first ad that fails")
    func failedShow() {
        var slot = SlotDriver.viewed()
        slot.fire()
        slot.send(.loaded(ad(2)))
        #expect(slot.send(.showFailed(ad(2), slotError), at: 40).count == 1)
        #expect((45...60).contains(((slot.timer ?? .origin) - slot.now).inSeconds))
        #expect(slot.slot.currentNumber == ad(1))
        var first = SlotDriver(.banner, .refreshEvery(.seconds(30)), .start)
        first.send(.loadFailed(ad(1), slotError))
        #expect(first.fire() == [.load(ad(2))])
        var once = SlotDriver(.banner, .start)
        #expect(once.send(.loadFailed(ad(1), slotError)).isEmpty, "without an interval there is one request")
    }

    @Test("time counts only while half of the container is on screen")
    func scrolledAway() {
        var slot = SlotDriver.viewed()
        #expect(slot.send(.visible(ratio: 0.5), at: 1).isEmpty)
        #expect(slot.send(.visible(ratio: 0.49), at: 10) == [.cancelTimer])
        #expect(slot.send(.visible(ratio: 1), at: 1000) == [.timer(1020)])
        #expect(slot.send(.visible(ratio: .nan), at: 1010) == [.cancelTimer])
        #expect(slot.send(.visible(ratio: -.infinity), at: 1011).isEmpty)
        #expect(slot.send(.visible(ratio: .infinity), at: 2000) == [.timer(2010)])
        #expect(slot.fire() == [.load(ad(2))])
    }

    @Test(
        "time counts only while the app is in the foreground and does not cover the slot",
        arguments: [[HostSignal.background(true), .background(false)], [.covered(true), .covered(false)]]
    )
    func notInFront(signals: [HostSignal]) {
        var slot = SlotDriver.viewed()
        #expect(slot.send(.signal(signals[0]), at: 10) == [.cancelTimer])
        #expect(slot.send(.visible(ratio: 1), at: 500).isEmpty, "still not in front")
        #expect(slot.send(.signal(.network(.wifi)), at: 600).isEmpty)
        #expect(slot.send(.signal(signals[1]), at: 1000) == [.timer(1020)])
    }

    @Test("a slot that is covered in the background is seen when both have ended")
    func bothInFront() {
        var slot = SlotDriver.viewed(.signal(.covered(true)), .signal(.background(true)))
        #expect(slot.send(.signal(.background(false)), at: 100).isEmpty)
        #expect(slot.send(.signal(.covered(false)), at: 200) == [.timer(230)])
    }

    @Test("after a click-through nothing counts until the user is back")
    func clickThrough() {
        let returns: [[SlotMachine.Input]] = [
            [.signal(.background(true)), .signal(.background(false))],
            [.signal(.covered(true)), .signal(.covered(false))],
            [.visible(ratio: 0), .visible(ratio: 1)], [.resume], [.start],
        ]
        for inputs in returns {
            var slot = SlotDriver.viewed()
            #expect(slot.send(.linkOpened, at: 10) == [.cancelTimer])
            #expect(slot.send(.visible(ratio: 1), at: 50).isEmpty, "it was seen all the time")
            for input in inputs.dropLast() { #expect(slot.send(input, at: 60).isEmpty) }
            #expect(slot.send(inputs.last ?? .resume, at: 100) == [.timer(120)])
        }
        var asked = SlotDriver.viewed(.linkOpened)
        #expect(asked.send(.refreshNow, at: 5) == [.load(ad(2))], "a host that asks knows that the user is there")
    }

    @Test("no request is made while the slot is hidden: what is due waits until it is seen")
    func dueWhileHidden() {
        var slot = SlotDriver.viewed(.visible(ratio: 0))
        #expect(slot.send(.refreshNow, at: 5).isEmpty)
        #expect(slot.send(.timer, at: 50).isEmpty)
        #expect(slot.send(.visible(ratio: 1), at: 99) == [.load(ad(2))])
        var first = SlotDriver(.banner, .visible(ratio: 0), .start)
        #expect(first.send(.visible(ratio: 1), at: 9) == [.load(ad(1))])
        var late = SlotDriver.viewed()
        #expect(late.send(.signal(.background(true)), at: 31) == [.cancelTimer], "the timer has not fired yet")
        #expect(late.send(.timer, at: 31).isEmpty)
        #expect(late.send(.signal(.background(false)), at: 40) == [.load(ad(2))])
    }

    @Test("an ad that was loaded while the slot got hidden is shown when it is seen")
    func loadedWhileHidden() {
        var slot = SlotDriver.viewed()
        slot.fire()
        #expect(slot.send(.visible(ratio: 0), at: 31).isEmpty)
        #expect(slot.send(.loaded(ad(2)), at: 32).isEmpty)
        #expect(slot.send(.visible(ratio: 1), at: 90) == [.show(ad(2), replacing: ad(1))])
    }

    @Test("stop keeps the ad and the rest of the interval, and resume continues")
    func stopped() {
        var slot = SlotDriver.started()
        #expect(slot.send(.stop, at: 10) == [.cancelTimer])
        #expect(slot.send(.stop, at: 20).isEmpty)
        #expect(slot.send(.refreshNow, at: 30).isEmpty, "it waits for resume")
        #expect(slot.slot.currentNumber == ad(1))
        #expect(slot.send(.resume, at: 500) == [.load(ad(2))])
        var counting = SlotDriver.started(.stop)
        #expect(counting.send(.resume, at: 500) == [.timer(530)])
    }

    @Test("a stop while an ad is loading holds it back until resume")
    func stoppedWhileLoading() {
        var slot = SlotDriver.started()
        slot.fire()
        #expect(slot.send(.stop, at: 31).isEmpty)
        #expect(slot.send(.loaded(ad(2)), at: 32).isEmpty)
        #expect(slot.send(.resume, at: 60) == [.show(ad(2), replacing: ad(1))])
        var expired = SlotDriver.started()
        expired.fire()
        for input in [.stop, .loaded(ad(2)), .expired(ad(2))] as [SlotMachine.Input] { expired.send(input) }
        #expect(expired.send(.resume).count == 1, "it waits for the interval, without a back-off")
        #expect((expired.timer ?? .origin) - expired.now == .seconds(30))
        var empty = SlotDriver()
        empty.send(.start)
        for input in [.visible(ratio: 0), .loaded(ad(1)), .expired(ad(1))] as [SlotMachine.Input] { empty.send(input) }
        #expect(empty.send(.visible(ratio: 1)) == [.load(ad(2))], "an empty place is filled at once")
    }

    @Test("refreshNow requests at once, and starts a slot; it changes nothing while an ad is on its way")
    func refreshNow() {
        var slot = SlotDriver.started()
        #expect(slot.send(.refreshNow, at: 3) == [.cancelTimer, .load(ad(2))])
        #expect(slot.send(.refreshNow, at: 4).isEmpty)
        var empty = SlotDriver(.banner)
        #expect(empty.send(.refreshNow) == [.load(ad(1))])
        var full = SlotDriver(.fullScreen)
        #expect(full.send(.refreshNow).isEmpty && full.send(.start).isEmpty)
    }

    @Test("start works once, and again after the user has closed the ad")
    func startedAgain() {
        var slot = SlotDriver(.banner, .refreshEvery(.seconds(30)))
        #expect(slot.send(.start) == [.load(ad(1))])
        #expect(slot.send(.start).isEmpty)
        for input in [.loaded(ad(1)), .shown(ad(1)), .viewed(ad(1))] as [SlotMachine.Input] { slot.send(input) }
        #expect(slot.send(.start, at: 5).isEmpty)
        #expect(slot.send(.closed(ad(1)), at: 10) == [.cancelTimer, .call(.closed)])
        #expect(slot.send(.timer, at: 100).isEmpty, "who closed an ad wants no other one")
        #expect(slot.send(.start, at: 100) == [.load(ad(2))])
    }

    @Test("a change of consent drops an ad that is not on screen, and requests another")
    func consent() {
        var loading = SlotDriver.started()
        loading.fire()
        #expect(loading.send(.consentChanged) == [.destroy(ad(2)), .load(ad(3))])
        #expect(loading.send(.loaded(ad(2))) == [.destroy(ad(2))])
        var held = SlotDriver.started()
        held.fire()
        for input in [.visible(ratio: 0), .loaded(ad(2))] as [SlotMachine.Input] { held.send(input) }
        #expect(held.send(.consentChanged) == [.destroy(ad(2))])
        #expect(held.send(.visible(ratio: 1)) == [.load(ad(3))])
        var presenting = SlotDriver.started()
        presenting.fire()
        presenting.send(.loaded(ad(2)))
        #expect(presenting.send(.consentChanged) == [.destroy(ad(2)), .load(ad(3))])
        var shown = SlotDriver.started()
        #expect(shown.send(.consentChanged).isEmpty, "what is on screen stays")
    }

    @Test("a change of consent leaves each command of the app with one outcome")
    func consentAndCommands() {
        var loading = SlotDriver(.fullScreen, .load)
        #expect(loading.send(.consentChanged) == [.destroy(ad(1)), .load(ad(2))])
        #expect(loading.send(.loaded(ad(2))) == [.call(.loaded)])
        #expect(loading.send(.consentChanged) == [.destroy(ad(2)), .call(.expired)])
        #expect(loading.slot.canLoad)
        var presenting = SlotDriver(.fullScreen, .load, .loaded(ad(1)), .show)
        let actions = presenting.send(.consentChanged)
        #expect(actions.count == 2 && actions.first == .destroy(ad(1)))
        #expect(presenting.send(.shown(ad(1))).isEmpty)
    }
}
