import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("BannerSlot", .timeLimit(.minutes(5)))
struct BannerSlotTests {
    /// A slot of sample offers with an interval of 30 s, and what it needs.
    private struct Place {
        let world: World
        let presenter = SlotPresenter()
        let slot: BannerSlot
        private let status: Locked<Int>
        /// What happens when the next ad is requested.
        private let onRequest: Locked<(@Sendable () -> Void)?>

        init(interval: Duration? = .seconds(30)) {
            let (status, onRequest) = (Locked(200), Locked<(@Sendable () -> Void)?>(nil))
            (self.status, self.onRequest) = (status, onRequest)
            self.world = World { request in
                guard request.url.host == "ssp.example" else { return .status(200) }
                onRequest.withLock { $0.take() }?()
                return .status(status.withLock { $0 })
            }
            let offer = Offer.sample(.banner, closeDelay: .zero)
            self.slot = BannerSlot(self.world.loader, offer, on: self.presenter, refreshInterval: interval)
        }

        /// How many ads were requested.
        var requests: Int { self.world.transport.requests.count { $0.url.host == "ssp.example" } }

        /// Sets what the server answers from now on: 200 an ad, 204 none, 500 an error.
        func answer(_ status: Int) { self.status.withLock { $0 = status } }

        /// Starts the slot, and stops it while its request is under way.
        func startAndStop() {
            self.onRequest.withLock { $0 = { [slot] in slot.stop() } }
            self.slot.start()
        }

        func wait(_ seconds: Int) async { await self.world.clock.advance(by: .seconds(seconds)) }

        func settle() async { await self.world.clock.settle() }

        /// Closes the slot, and checks that nothing is left of it.
        func close() async {
            self.slot.close()
            await self.settle()
            #expect(self.slot.ads.isEmpty && self.slot.ad == nil)
            #expect(self.presenter.onScreen == 0)
            #expect(self.world.clock.alarms == 0)
        }
    }

    @Test("the new ad is on screen before the old one is closed, and there is one at a time")
    func order() async {
        let place = Place()
        #expect(place.requests == 0 && place.slot.ad == nil, "it waits for start")
        place.slot.start()
        await place.settle()
        let first = place.slot.ad?.id
        #expect(first != nil)
        await place.wait(29)
        #expect(place.requests == 1)
        await place.wait(1)
        #expect(place.slot.ad.map { $0.id != first } == true)
        await place.wait(30)
        #expect(place.presenter.log == ["reveal 1", "reveal 2", "close 1", "reveal 3", "close 2"])
        #expect(place.slot.ads.count == 1)
        await place.close()
        #expect(place.presenter.log.last == "close 3")
    }

    @Test("each ad has its own impression, by its own lifecycle")
    func billing() async {
        let place = Place(interval: .seconds(15))
        place.slot.start()
        await place.wait(15 * 20)
        #expect(place.requests == 21)
        let views = place.world.observer.records.filter { if case .view = $0.event { true } else { false } }
        #expect(Set(views.map(\.ad)).count == 21 && views.count == 21)
        #expect(place.world.beacons.count { $0 == "/view" } == 21)
        await place.close()
    }

    @Test("without an interval there is one request", arguments: [200, 204])
    func noRefresh(status: Int) async {
        let place = Place(interval: nil)
        place.answer(status)
        place.slot.start()
        await place.wait(3600)
        #expect(place.requests == 1)
        place.answer(200)
        place.slot.refreshNow()
        await place.settle()
        #expect(place.requests == 2 && place.slot.ad != nil)
        await place.close()
    }

    @Test("a refresh without an ad keeps the old one, and is repeated less and less often", arguments: [204, 500])
    func failing(status: Int) async {
        let place = Place()
        place.slot.start()
        await place.settle()
        let first = place.slot.ad?.id
        place.answer(status)
        await place.wait(3600)
        #expect(place.slot.ad?.id == first)
        #expect(place.presenter.log == ["reveal 1"])
        // A server error may be retried within a load.
        #expect((6...30).contains(place.requests), "\(place.requests)")
        place.answer(200)
        await place.wait(600)
        #expect(place.slot.ad.map { $0.id != first } == true)
        await place.close()
    }

    @Test("a stage that can't show the new ad leaves the old one on screen")
    func brokenStage() async {
        let place = Place()
        place.slot.start()
        await place.settle()
        let first = place.slot.ad?.id
        place.presenter.isBroken = true
        await place.wait(100)
        #expect(place.requests > 1 && place.slot.ad?.id == first)
        #expect(place.slot.ads.count == 1)
        place.presenter.isBroken = false
        await place.wait(600)
        #expect(place.slot.ad.map { $0.id != first } == true)
        await place.close()
    }

    @Test("a slot that is hidden, covered or in the background requests nothing, and its time stands still")
    func hidden() async {
        let place = Place()
        place.slot.setVisible(0.2)
        place.slot.start()
        await place.wait(100)
        #expect(place.requests == 0)
        place.slot.setVisible(1)
        await place.wait(20)
        #expect(place.requests == 1)
        place.world.signals.post(.background(true))
        await place.wait(1000)
        place.world.signals.post(.background(false))
        place.world.signals.post(.covered(true))
        await place.wait(1000)
        place.world.signals.post(.covered(false))
        await place.wait(9)
        #expect(place.requests == 1)
        await place.wait(1)
        #expect(place.requests == 2)
        await place.close()
    }

    @Test("after a click-through the refresh waits until the user is back")
    func click() async {
        let place = Place()
        place.slot.start()
        await place.wait(10)
        place.presenter.report(.click(landing, byUser: true))
        await place.wait(100)
        #expect(place.requests == 1)
        place.world.signals.post(.background(true))
        place.world.signals.post(.background(false))
        await place.wait(20)
        #expect(place.requests == 2)
        await place.close()
    }

    @Test("stop holds for a request that is under way, and resume continues")
    func stop() async {
        let place = Place()
        place.startAndStop()
        await place.wait(100)
        #expect(place.requests == 1 && place.presenter.log.isEmpty && place.slot.ads.count == 1)
        place.slot.resume()
        await place.wait(10)
        #expect(place.presenter.log == ["reveal 1"])
        place.slot.stop()
        await place.wait(500)
        place.slot.resume()
        await place.wait(19)
        #expect(place.requests == 1)
        await place.wait(1)
        #expect(place.requests == 2)
        await place.close()
    }

    @Test("an ad that was loaded before a change of consent is never shown")
    func consent() async {
        let place = Place()
        place.startAndStop()
        await place.settle()
        let void = place.slot.ads.first
        place.slot.consentChanged()
        place.slot.resume()
        await place.settle()
        #expect(place.requests == 2)
        #expect(place.slot.ad.map { $0.id != void?.id } == true && void?.isLoaded == false)
        await place.close()
    }

    @Test("the events are those of all ads, in order; an interval that was changed is an issue")
    func events() async {
        let place = Place(interval: .seconds(1))
        let events = place.slot.events
        place.slot.start()
        await place.wait(15)
        await place.close()
        var names: [String] = []
        for await event in events {
            switch event {
            case .loaded, .shown, .closed: names.append(event.name)
            case .issue(let issue): names.append(issue.code)
            default: break
            }
        }
        let expected = ["refreshInterval.short", "loaded", "shown", "loaded", "shown", "closed", "closed"]
        #expect(names == expected)
        for await _ in place.slot.events { Testing.Issue.record("a closed slot has no events") }
    }

    @Test("an ad that the user closes is the last until start")
    func closedByUser() async {
        let place = Place()
        place.slot.start()
        await place.settle()
        place.presenter.report(.closeRequested(by: .user))
        await place.wait(1000)
        #expect(place.requests == 1 && place.slot.ad == nil)
        place.slot.start()
        await place.settle()
        #expect(place.requests == 2)
        await place.close()
    }

    @Test("a slot that is released closes its ads and observes nothing any more")
    func released() async {
        let world = World()
        let presenter = SlotPresenter()
        do {
            let slot = BannerSlot(world.loader, .sample(.banner), on: presenter, refreshInterval: .seconds(30))
            slot.start()
            await world.clock.settle()
            #expect(presenter.onScreen == 1)
        }
        await world.clock.settle()
        #expect(presenter.onScreen == 0)
        #expect(world.clock.alarms == 0)
        #expect(world.signals.observerCount <= 1, "the dispatcher's")
    }

    @Test("a hundred slots are refreshed side by side")
    func many() async {
        let world = World()
        let presenter = SlotPresenter()
        let slots = (0..<100).map { _ in
            BannerSlot(world.loader, .sample(.banner, closeDelay: .zero), on: presenter, refreshInterval: .seconds(30))
        }
        for slot in slots { slot.start() }
        await world.clock.advance(by: .seconds(300))
        #expect(world.transport.requests.count { $0.url.host == "ssp.example" } == 1100)
        #expect(presenter.onScreen == 100)
        for slot in slots { slot.close() }
        await world.clock.settle()
        #expect(presenter.onScreen == 0 && world.clock.alarms == 0)
    }
}
