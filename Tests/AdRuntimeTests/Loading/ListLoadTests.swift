import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Several ads of one request")
struct ListLoadTests {
    @Test("one request loads several ads, in the provider's order")
    func several() async throws {
        let world = World.serving("a,b,c")
        let ads = try await world.loader(ListProvider()).loadAll("q")
        #expect(ads.map(\.headline) == ["a", "b", "c"])
        #expect(Set(ads.map(\.id)).count == 3 && ads.allSatisfy(\.isLoaded))
        #expect(world.adRequests == ["q"])
        #expect(
            world.observer.names.filter { $0 != "issue" } == ["loadStarted", "loaded"] + [
                "loadStarted", "loaded", "loadStarted", "loaded",
            ]
        )
        #expect(ads[0].offer?.issues.map(\.code) == ["list.read"])
    }

    @Test("each ad records its own view and click once")
    func beacons() async throws {
        let world = World.serving("a,b,c")
        let ads = try await world.loader(ListProvider()).loadAll("q")
        let presenters = ads.map { _ in RecordingPresenter() }
        for (ad, presenter) in zip(ads, presenters).dropLast() { try await ad.show(on: presenter) }
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/view/a", "/view/b"], "the third ad was not shown")
        for _ in 0..<3 {
            presenters[1].report(.click(nil, byUser: true))
            presenters[1].report(.visible(ratio: 0))
            presenters[1].report(.visible(ratio: 1))
            await world.clock.settle()
        }
        #expect(world.beacons.sorted() == ["/click/b", "/view/a", "/view/b"])
        #expect(world.opener.opened == [landing, landing, landing])
        for ad in ads { ad.destroy() }
        await world.clock.settle()
        #expect(world.clock.alarms == 0)
    }

    @Test("destroying or closing one ad does not affect the others")
    func apart() async throws {
        let world = World.serving("a,b,c")
        let ads = try await world.loader(ListProvider()).loadAll("q")
        ads[0].destroy()
        try await ads[1].show(on: RecordingPresenter())
        // The stage reports what is visible after the reveal, by which the ad is shown.
        await world.clock.settle()
        ads[1].close()
        await world.clock.settle()
        #expect(ads[2].isLoaded)
        try await ads[2].show(on: RecordingPresenter())
        await world.clock.settle()
        #expect(world.beacons.sorted() == ["/view/b", "/view/c"])
    }

    @Test("no fill is one error with the response's issues")
    func noFill() async throws {
        let world = World.serving("")
        let error = try #require(
            await failure { () async throws(AdError) in try await world.loader(ListProvider()).loadAll("q") }
        )
        #expect(error.code == .noFill && error.place.provider == "test")
        #expect(error.issues.map(\.code) == ["list.read"])
        #expect(world.observer.names == ["loadStarted", "issue", "loadFailed"])
        #expect(world.adRequests == ["q"])
    }

    @Test("a server that fails is one error for all of them")
    func failing() async throws {
        let world = World { _ in .status(503) }
        let loader = world.loader(ListProvider())
        let error = await failure { () async throws(AdError) in try await loader.loadAll("q") }
        #expect(error?.code == .serverStatus)
        #expect(world.observer.names == ["loadStarted", "loadFailed"])
    }

    @Test(
        "an ad that can't be loaded is left out",
        arguments: [
            ("!x,b,c", ["b", "c"]), ("a,!x,c", ["a", "c"]), ("a,b,!x", ["a", "b"]), ("!x,!y,c", ["c"]),
            ("!x,b,!y", ["b"]),
        ]
    )
    func leftOut(list: String, left: [String]) async throws {
        let world = World.serving(list)
        let ads = try await world.loader(ListProvider()).loadAll("q")
        #expect(ads.map(\.headline) == left)
        #expect(world.adRequests == ["q"])
        let skipped = ads[0].offer?.issues.count { $0.code == "video.passedOver" }
        #expect(skipped == list.split(separator: ",").firstIndex { !$0.hasPrefix("!") })
        for ad in ads { try await ad.show(on: RecordingPresenter()) }
        await world.clock.settle()
        #expect(world.beacons.sorted() == left.map { "/view/\($0)" })
    }

    @Test("when no ad can be loaded, the error is the first one's")
    func none() async throws {
        let world = World.serving("!x,!y")
        let loader = world.loader(ListProvider())
        let error = await failure { () async throws(AdError) in try await loader.loadAll("q") }
        #expect(error?.code == .unreadableResponse)
        #expect(world.adRequests == ["q"])
    }

    @Test(
        "ads are served in the order of the provider's choice, and invalid indices are ignored",
        arguments: [([2, 0], ["c", "a"]), ([1, 1, 9, -1, 2], ["b", "c"]), ([], nil)] as [([Int], [String]?)]
    )
    func choice(picked: [Int], served: [String]?) async throws {
        let world = World.serving("a,b,c")
        let loader = world.loader(ListProvider(pick: { _ in picked }))
        guard let served else {
            let error = await failure { () async throws(AdError) in try await loader.loadAll("q") }
            #expect(error?.code == .noFill)
            return
        }
        #expect(try await loader.loadAll("q").map(\.headline) == served)
        #expect(try await loader.load("q").headline == served.first, "a single load gets the first of them")
    }

    @Test("cancelling the load of a list cancels its request")
    func cancelled() async throws {
        let world = World { _ in .silence }
        let loader = world.loader(ListProvider())
        let loading = Task { try await loader.loadAll("q") }
        await world.transport.waitForRequests(1)
        loading.cancel()
        await #expect(throws: AdError.self) { try await loading.value }
        await world.clock.settle()
        #expect(world.transport.cancellations == 1 && world.clock.alarms == 0)
    }

    @Test("a list load that is cancelled midway fails as cancelled and returns no partial list")
    func cancelledMidway() async throws {
        let world = World.serving("a,b,c")
        let canceller = Canceller()
        let services = AdServices(
            transport: world.transport,
            opener: NoOpener(),
            clock: world.clock,
            observer: canceller
        )
        let start = OneShot<Void>()
        let loading = Task {
            await start.value
            return try await AdLoader(ListProvider(), services: services).loadAll("q").count
        }
        canceller.task.withLock { $0 = loading }
        #expect(start.set(()))
        let error = await #expect(throws: AdError.self) { try await loading.value }
        #expect(error?.code == .cancelled)
    }

    /// An observer that cancels a task when an ad is loaded.
    private final class Canceller: AdObserver {
        let task = Locked<Task<Int, any Error>?>(nil)

        func observe(_ record: AdRecord) {
            if record.event == .loaded { self.task.withLock { $0 }?.cancel() }
        }
    }

    @Test("the provider's choice is not called for a single ad")
    func single() async throws {
        let world = World.serving("a")
        let ads = try await world.loader(ListProvider(pick: { _ in [7] })).loadAll("q")
        #expect(ads.map(\.headline) == ["a"])
    }
}
