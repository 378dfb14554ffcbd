import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("An ad from load to close", .timeLimit(.minutes(5)))
struct AdTests {
    @Test("thirty seconds of an ad's life pass in no time, in order, with each beacon sent once")
    func wholeLife() async throws {
        let world = World()
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample())
        try await ad.show(on: presenter)
        await world.clock.advance(by: .seconds(2))
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .milliseconds(2999))
        presenter.report(.closeRequested(by: .user))
        #expect(ad.isShowing, "one millisecond too early")
        await world.clock.advance(by: .milliseconds(1))
        await world.clock.advance(by: .seconds(25))
        presenter.report(.closeRequested(by: .user))
        await world.clock.settle()

        // The link opens while the click's beacon is on its way: either may come first.
        let names = world.observer.names
        let start = ["loadStarted", "loaded", "shown", "view", "beaconRecorded", "beaconDelivered", "tap", "click"]
        #expect(names.starts(with: start + ["beaconRecorded"]))
        #expect(names.dropFirst(9).sorted() == ["beaconDelivered", "closeAvailable", "closed", "linkOpened"])
        #expect(names.suffix(2) == ["closeAvailable", "closed"])
        #expect(world.beacons == ["/view", "/click"])
        #expect(world.opener.opened == [landing])
        #expect(presenter.calls.last == .close(.user))
        #expect(world.clock.alarms == 0)
    }

    @Test("a view that nobody can be told of is listed as dead with the reason, and the ad goes on")
    func uncallable() async throws {
        let world = World()
        let call = BeaconCall(.get, BeaconAddress("intent://view"), isBilling: true)
        let offer = Offer.sample(closeDelay: .zero, beacons: [BeaconTemplate(.view, call)])
        let ad = try await world.loader.load(offer)
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        let reason = "the address can't be called: it begins with neither http:// nor https://"
        let ends = world.observer.records.compactMap {
            if case .beaconDead(_, let reason) = $0.event { reason } else { nil }
        }
        #expect(ends == [reason])
        #expect(
            world.observer.names.firstIndex(of: "beaconRecorded") ?? 9 < world.observer.names.firstIndex(
                of: "beaconDead"
            ) ?? 0
        )
        #expect(try await world.services.beacons.entries().map(\.state) == [.dead(reason: reason)])
        #expect(world.beacons.isEmpty)
        ad.close()
        await world.clock.settle()
        #expect(world.observer.names.last == "closed")
    }

    @Test("a view is not recorded by loading, and not by a stage that nobody sees")
    func noViewWithoutSight() async throws {
        let world = World()
        let presenter = RecordingPresenter(.silent)
        let ad = try await world.loader.load(.sample())
        let showing = Task { try await ad.show(on: presenter) }
        await world.clock.settle()
        while presenter.calls.isEmpty { await Task.yield() }
        presenter.report(.ready)
        presenter.report(.revealed)
        try await showing.value
        await world.clock.advance(by: .seconds(20))
        #expect(world.beacons.isEmpty)
        presenter.report(.visible(ratio: 0.01))
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
    }

    @Test("an ad that is over is not told of the host any more")
    func observation() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        #expect(world.board.observers == 2, "the beacons listen for the network as long as there are services")
        ad.close()
        await world.clock.settle()
        #expect(world.board.observers == 1)
    }

    @Test("each subscriber has a stream of its own, and each stream ends with the ad")
    func streams() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        let first = ad.events
        let second = ad.events
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        ad.close()
        var names: [[String]] = []
        for stream in [first, second] {
            var seen: [String] = []
            for await event in stream where !event.name.hasPrefix("beacon") { seen.append(event.name) }
            names.append(seen)
        }
        #expect(names == Array(repeating: ["shown", "closeAvailable", "view", "closed"], count: 2))
        var late = ad.events.makeAsyncIterator()
        #expect(await late.next() == nil)
    }

    @Test("a cancelled load ends at once, and so does its request")
    func cancelledLoad() async throws {
        let world = World { _ in .silence }
        let loading = Task { try await world.loader.load(.sample()) }
        await world.transport.received(1)
        loading.cancel()
        await #expect(throws: AdError.self) { try await loading.value }
        await world.clock.settle()
        #expect(world.transport.cancellations == 1)
        #expect(world.observer.names == ["loadStarted", "loadFailed"])
        #expect(world.clock.alarms == 0)
    }

    @Test("a load that was cancelled before it began sends nothing")
    func cancelledBefore() async throws {
        let world = World { _ in .silence }
        let loading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await world.loader.load(.sample())
        }
        loading.cancel()
        let outcome = await loading.result
        guard case .failure(let error as AdError) = outcome else {
            Testing.Issue.record("the load did not fail")
            return
        }
        #expect(error.code == .cancelled)
        await world.clock.settle()
        #expect(world.transport.requests.isEmpty)
    }

    @Test("a load's deadline is the request's as well, longer or shorter than its own")
    func deadline() async throws {
        for (timeout, total) in [(Duration.seconds(60), Duration.seconds(60)), (.seconds(1), .seconds(1))] {
            let world = World(loadTimeout: timeout)
            _ = try await world.loader.load(.sample())
            #expect(world.transport.requests.first?.limits.total == total)
        }
        let forEver = World(loadTimeout: .seconds(Int64.max))
        _ = try await forEver.loader.load(.sample())
        #expect(forEver.transport.requests.first?.limits.total == .seconds(86_400))
    }

    @Test("a show that was refused has no say in who shows the ad")
    func refusedPresenter() async throws {
        let world = World()
        let (refused, accepted, late) = (RecordingPresenter(), RecordingPresenter(), RecordingPresenter())
        let ad = world.loader.ad(for: .sample())
        await #expect(throws: AdError.self) { try await ad.show(on: refused) }
        try await ad.load()
        try await ad.show(on: accepted)
        await #expect(throws: AdError.self) { try await ad.show(on: late) }
        #expect(refused.calls.isEmpty && late.calls.isEmpty)
        #expect(!accepted.calls.isEmpty)
        ad.destroy()
    }

    @Test("a stage that hangs in what it was told is closed all the same")
    func hungStage() async throws {
        let world = World()
        let presenter = HangingPresenter(clock: world.clock)
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: presenter)
        await world.clock.settle()
        ad.close()
        await world.clock.advance(by: .seconds(4))
        #expect(presenter.closed.withLock { $0 } == 0)
        await world.clock.advance(by: .seconds(2))
        #expect(presenter.closed.withLock { $0 } == 1)
    }

    @Test("a stage that comes into being after the end is closed, and never revealed")
    func lateStage() async throws {
        let world = World()
        let presenter = SlowPresenter(clock: world.clock)
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        let showing = Task { try await ad.show(on: presenter) }
        await presenter.isAsked.value
        await world.clock.advance(by: .seconds(1))
        ad.destroy()
        await world.clock.advance(by: .seconds(5))
        _ = await showing.result
        #expect(presenter.calls.withLock { $0 } == ["close"])
    }

    @Test("an opener that never answers keeps no ad for ever")
    func silentOpener() async throws {
        let world = World(opens: nil)
        let presenter = RecordingPresenter()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: presenter)
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .seconds(9))
        #expect(!world.observer.names.contains("linkOpened"))
        await world.clock.advance(by: .seconds(2))
        #expect(world.observer.names.contains("linkOpened"))
        ad.destroy()
        await world.clock.settle()
    }

    @Test("what was found in an answer without an ad is told before the failure")
    func emptyAnswer() async throws {
        let world = World()
        let loader = AdLoader(EmptyProvider(), services: world.services)
        await #expect {
            _ = try await loader.load(())
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .noFill && error.message.contains("no budget")
        }
        #expect(world.observer.names == ["loadStarted", "issue", "loadFailed"])
    }

    @Test(
        "redirects that lead nowhere are a fault of the address, and trying again is no cure",
        arguments: [TransportError.Reason.tooManyRedirects, .badRedirect]
    )
    func redirects(reason: TransportError.Reason) async throws {
        let world = World { _ in .failure(TransportError(.ambiguous(reason), "http://a.example redirects in a circle"))
        }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .serverStatus && error.message.contains("check the address")
                && !error.message.contains("try again")
        }
    }

    @Test("an answer beyond the bound is told with the bound")
    func tooLarge() async throws {
        let world = World { _ in .failure(TransportError(.tooLarge, "the body was thrown away")) }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .answerTooLarge && error.message.contains("8388608 bytes")
        }
    }

    @Test("a server that never answers ends in a time-out, with the provider's name in the error")
    func loadTimeout() async throws {
        let world = World(loadTimeout: .seconds(3)) { _ in .silence }
        let loading = Task { try await world.loader.load(.sample()) }
        await world.transport.received(1)
        await world.clock.advance(by: .seconds(3))
        let outcome = await loading.result
        guard case .failure(let error as AdError) = outcome else {
            Testing.Issue.record("the load did not fail")
            return
        }
        #expect(error.code == .timedOut)
        #expect(error.place.provider == "test")
        await world.clock.settle()
        #expect(world.transport.cancellations == 1)
    }

    @Test(
        "no fill, a server's error and a broken line are three different errors",
        arguments: [
            (ScriptedTransport.Answer.status(204), AdError.Code.noFill),
            (.status(500), .serverStatus),
            (.failure(TransportError(.notSent(.refused), "refused")), .unreachable),
            (.failure(TransportError(.ambiguous(.truncated), "half a body")), .connectionLost),
            (.failure(TransportError(.tooLarge, "large")), .answerTooLarge),
        ]
    )
    func loadErrors(answer: ScriptedTransport.Answer, code: AdError.Code) async {
        let world = World { _ in answer }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            (error as? AdError)?.code == code
        }
        #expect(world.beacons.isEmpty)
    }

    @Test("a second load and a second show are refused, and disturb nothing")
    func twice() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample())
        await #expect(throws: AdError.self) { try await ad.load() }
        try await ad.show(on: RecordingPresenter())
        await #expect {
            try await ad.show(on: RecordingPresenter())
        } throws: { error in
            (error as? AdError)?.code == .alreadyShown
        }
        #expect(ad.isShowing)
    }

    @Test("an ad that was loaded too long ago fails to show and costs nobody money")
    func expiry() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample(.banner))
        await world.clock.advance(by: .seconds(299))
        #expect(ad.isLoaded)
        await world.clock.advance(by: .seconds(1))
        await #expect {
            try await ad.show(on: RecordingPresenter())
        } throws: { error in
            (error as? AdError)?.code == .expired
        }
        await world.clock.settle()
        #expect(world.beacons.isEmpty)
        #expect(world.clock.alarms == 0)
    }

    @Test("a stage that fails, or never shows, ends the show with its reason", arguments: [true, false])
    func brokenStage(fails: Bool) async throws {
        let world = World()
        let ad = try await world.loader.load(.sample())
        let presenter = RecordingPresenter(fails ? .failing(StageError("no screen")) : .silent)
        let showing = Task { try await ad.show(on: presenter) }
        while presenter.calls.isEmpty { await Task.yield() }
        await world.clock.advance(by: .seconds(10))
        let outcome = await showing.result
        guard case .failure(let error as AdError) = outcome else {
            Testing.Issue.record("the show did not fail")
            return
        }
        #expect(error.code == (fails ? .stageFailed : .stageTimedOut))
        await world.clock.settle()
        #expect(world.clock.alarms == 0)
        if !fails { #expect(presenter.calls.last == .close(.neverShown)) }
    }

    @Test("a stage has as long as the app gives it")
    func patience() async throws {
        let world = World(presentTimeout: .seconds(3))
        let ad = try await world.loader.load(.sample())
        let presenter = RecordingPresenter(.silent)
        let showing = Task { try await ad.show(on: presenter) }
        while presenter.calls.isEmpty { await Task.yield() }
        await world.clock.advance(by: .seconds(3))
        guard case .failure(let error as AdError) = await showing.result else {
            Testing.Issue.record("the show did not fail")
            return
        }
        #expect(error.code == .stageTimedOut && error.message.contains("3"))
    }

    @Test("the close time-out counts only what can be seen")
    func hostSignals() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample())
        try await ad.show(on: RecordingPresenter())
        await world.clock.advance(by: .seconds(3))
        world.board.post(.background(true))
        await world.clock.advance(by: .seconds(10))
        #expect(!world.observer.names.contains("closeAvailable"))
        world.board.post(.background(false))
        world.board.post(.covered(true))
        world.board.post(.covered(false))
        await world.clock.advance(by: .milliseconds(1999))
        #expect(!world.observer.names.contains("closeAvailable"))
        await world.clock.advance(by: .milliseconds(1))
        #expect(world.observer.names.contains("closeAvailable"))
        ad.destroy()
    }

    @Test("an app that is in the background already shows no view until it comes back")
    func inBackground() async throws {
        let world = World()
        world.board.post(.background(true))
        let ad = try await world.loader.load(.sample())
        try await ad.show(on: RecordingPresenter())
        await world.clock.advance(by: .seconds(1))
        #expect(world.beacons.isEmpty)
        world.board.post(.background(false))
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        ad.destroy()
    }

    @Test("an ad on screen lives on when the host lets go of it; one that is only loaded does not")
    func lifetimes() async throws {
        let world = World()
        let presenter = RecordingPresenter()
        weak var shown: Ad?
        weak var loaded: Ad?
        do {
            let first = try await world.loader.load(.sample())
            let second = try await world.loader.load(.sample())
            try await first.show(on: presenter)
            shown = first
            loaded = second
        }
        await world.clock.settle()
        #expect(shown != nil)
        #expect(loaded == nil)
        await world.clock.advance(by: .seconds(5))
        presenter.report(.closeRequested(by: .user))
        await world.clock.settle()
        #expect(shown == nil)
        #expect(world.clock.alarms == 0)
    }

    @Test(
        "destroy ends whatever goes on, and nothing follows it",
        arguments: ["loading", "loaded", "showing", "clicked"]
    )
    func destroy(phase: String) async throws {
        let world = World { phase == "loading" && $0.url.host == "ssp.example" ? .silence : .status(200) }
        let presenter = RecordingPresenter()
        let ad = world.loader.ad(for: .sample())
        let loading = Task { try? await ad.load() }
        if phase == "loading" {
            await world.transport.received(1)
        } else {
            await loading.value
        }
        if phase == "showing" || phase == "clicked" { try await ad.show(on: presenter) }
        if phase == "clicked" { presenter.report(.click(landing, byUser: true)) }
        await world.clock.settle()
        ad.destroy()
        await loading.value
        await world.clock.settle()
        let names = world.observer.names
        presenter.report(.click(landing, byUser: true))
        await world.clock.advance(by: .seconds(3600))
        #expect(world.observer.names == names)
        #expect(world.clock.alarms == 0)
        #expect(names.filter { $0 == "closed" }.count == (names.contains("shown") ? 1 : 0))
    }

    @Test("a thousand ads at once, driven from everywhere, each end once")
    func manyAtOnce() async throws {
        let world = World()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    guard let ad = try? await world.loader.load(.sample(closeDelay: .zero)) else { return }
                    let presenter = RecordingPresenter()
                    async let first: Void? = try? ad.show(on: presenter)
                    async let second: Void? = try? ad.show(on: presenter)
                    _ = await (first, second)
                    async let click: Void = presenter.report(.click(landing, byUser: true))
                    async let again: Void = presenter.report(.click(landing, byUser: true))
                    async let close: Void = number.isMultiple(of: 2) ? ad.close() : ad.destroy()
                    _ = await (click, again, close)
                }
            }
        }
        await world.clock.settle()
        let records = world.observer.records
        func count(_ name: String) -> Int { records.filter { $0.event.name == name }.count }
        #expect(count("shown") == 1000)
        #expect(count("closed") == 1000)
        #expect(count("view") == 1000)
        #expect(world.beacons.filter { $0 == "/view" }.count == 1000)
        #expect(world.beacons.filter { $0 == "/click" }.count == count("click"))
    }
}

/// Its stage never returns from being told to show a control.
private final class HangingPresenter: Presenter {
    let clock: ManualClock
    let closed = Locked(0)

    init(clock: ManualClock) { self.clock = clock }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.ready)
        return HangingStage(presenter: self, report: report)
    }

    private struct HangingStage: Stage {
        let presenter: HangingPresenter
        let report: @Sendable (StageEvent) -> Void

        func reveal() async { self.report(.revealed) }
        func setControl(_ control: StageControl, visible: Bool) async { await self.presenter.clock.rest(until: nil) }
        func control(_ command: VideoCommand) async {}
        func close(_ reason: CloseReason) async { self.presenter.closed.withLock { $0 += 1 } }
    }
}

/// Takes three seconds to make a stage that was ready at once.
private final class SlowPresenter: Presenter {
    let clock: ManualClock
    let calls = Locked<[String]>([])
    let isAsked = OneShot<Void>()

    init(clock: ManualClock) { self.clock = clock }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.ready)
        self.isAsked.resolve(())
        let over = OneShot<Void>()
        _ = self.clock.schedule(at: self.clock.now + .seconds(3)) {
            self.clock.workBegan()
            over.resolve(())
        }
        self.clock.workEnded()
        await over.value
        return SlowStage(presenter: self)
    }

    private struct SlowStage: Stage {
        let presenter: SlowPresenter

        private func note(_ call: String) { self.presenter.calls.withLock { $0.append(call) } }

        func reveal() async { self.note("reveal") }
        func setControl(_ control: StageControl, visible: Bool) async { self.note("control") }
        func control(_ command: VideoCommand) async { self.note("video") }
        func close(_ reason: CloseReason) async { self.note("close") }
    }
}

/// Its server has nothing, and says why.
private struct EmptyProvider: AdProvider {
    let name: ProviderName = "empty"

    func request(for placement: Void, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        AdHTTPRequest(.get, url("http://ssp.example/load"))
    }

    func offers(from response: AdHTTPResponse, for placement: Void, in context: AdContext) throws(AdError) -> OfferBatch
    {
        OfferBatch(offers: [], issues: [AdIssue("nbr", at: .field("nbr"), "no budget")])
    }
}
