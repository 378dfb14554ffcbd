import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("An ad from load to close", .timeLimit(.minutes(5)))
struct AdTests {
    @Test("an ad reports its events in order and sends each beacon once")
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

        // The link opens while the click's beacon is sent: either may come first.
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

    @Test("a view beacon with an invalid URL is dead with the reason, and the ad continues")
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

    @Test("neither a load nor a stage that is not visible records a view")
    func noViewWithoutSight() async throws {
        let world = World()
        let presenter = RecordingPresenter(.manual)
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

    @Test("an ended ad no longer observes host signals")
    func observation() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: RecordingPresenter())
        await world.clock.settle()
        #expect(world.signals.observerCount == 2, "the beacon dispatcher observes the network")
        ad.close()
        await world.clock.settle()
        #expect(world.signals.observerCount == 1)
    }

    @Test("each call of events returns a new stream, which ends with the ad")
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

    @Test("cancelling a load ends it and its request at once")
    func cancelledLoad() async throws {
        let world = World { _ in .silence }
        let loading = Task { try await world.loader.load(.sample()) }
        await world.transport.waitForRequests(1)
        loading.cancel()
        await #expect(throws: AdError.self) { try await loading.value }
        await world.clock.settle()
        #expect(world.transport.cancellations == 1)
        #expect(world.observer.names == ["loadStarted", "loadFailed"])
        #expect(world.clock.alarms == 0)
    }

    @Test("a load that is cancelled before it starts sends no request")
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

    @Test(
        "a request stops before the load timeout, by a twentieth of it and half a second at most; it is at most a day"
    )
    func deadline() async throws {
        for (timeout, total) in [
            (Duration.seconds(60), Duration.milliseconds(59_500)), (.seconds(1), .milliseconds(950)),
        ] {
            let world = World(loadTimeout: timeout)
            _ = try await world.loader.load(.sample())
            #expect(world.transport.requests.first?.limits.total == total)
        }
        let unlimited = World(loadTimeout: .seconds(Int64.max))
        _ = try await unlimited.loader.load(.sample())
        #expect(unlimited.transport.requests.first?.limits.total == .milliseconds(86_399_500))
    }

    @Test("a refused show does not replace the presenter")
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

    @Test("a stage whose command does not return is closed after five seconds")
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

    @Test("a stage that is created after the ad has ended is closed and never revealed")
    func lateStage() async throws {
        let world = World()
        let presenter = SlowPresenter(clock: world.clock)
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        let showing = Task { try await ad.show(on: presenter) }
        await presenter.isPresented.value
        await world.clock.advance(by: .seconds(1))
        ad.destroy()
        await world.clock.advance(by: .seconds(5))
        _ = await showing.result
        #expect(presenter.calls.withLock { $0 } == ["close"])
    }

    @Test("a link counts as not opened when the opener does not return in ten seconds")
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

    @Test("the issues of a no-fill response are reported before the failure")
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
        "a redirect loop or an invalid redirect is a server error that suggests checking the address, not a retry",
        arguments: [TransportError.Reason.tooManyRedirects, .badRedirect]
    )
    func redirects(reason: TransportError.Reason) async throws {
        let world = World { _ in .failure(TransportError(.ambiguous(reason), "http://a.example redirects in a circle"))
        }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .serverStatus && error.message.contains("check the URL")
                && !error.message.contains("try again")
        }
    }

    @Test("the error of a response that is too large names the limit")
    func tooLarge() async throws {
        let world = World { _ in .failure(TransportError(.tooLarge, "the body was thrown away")) }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .responseTooLarge && error.message.contains("8388608 bytes")
        }
    }

    @Test("a load from a server that never answers times out, and the error names the provider")
    func loadTimeout() async throws {
        let world = World(loadTimeout: .seconds(3)) { _ in .silence }
        let loading = Task { try await world.loader.load(.sample()) }
        await world.transport.waitForRequests(1)
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
        "no fill, a server error and network failures have different error codes",
        arguments: [
            (ScriptedTransport.Outcome.status(204), AdError.Code.noFill),
            (.status(500), .serverStatus),
            (.failure(TransportError(.notSent(.refused), "refused")), .unreachable),
            (.failure(TransportError(.ambiguous(.truncated), "half a body")), .connectionLost),
            (.failure(TransportError(.tooLarge, "large")), .responseTooLarge),
        ]
    )
    func loadErrors(answer: ScriptedTransport.Outcome, code: AdError.Code) async {
        let world = World { _ in answer }
        await #expect {
            try await world.loader.load(.sample())
        } throws: { error in
            (error as? AdError)?.code == code
        }
        #expect(world.beacons.isEmpty)
    }

    @Test("a second load and a second show are refused and change nothing")
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

    @Test("an expired ad fails to show and records no beacon")
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

    @Test("a stage that fails or is never revealed ends the show with an error", arguments: [true, false])
    func brokenStage(fails: Bool) async throws {
        let world = World()
        let ad = try await world.loader.load(.sample())
        let presenter = RecordingPresenter(fails ? .failing(StageError("no screen")) : .manual)
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

    @Test("the present timeout limits how long a stage may take")
    func timeLimit() async throws {
        let world = World(presentTimeout: .seconds(3))
        let ad = try await world.loader.load(.sample())
        let presenter = RecordingPresenter(.manual)
        let showing = Task { try await ad.show(on: presenter) }
        while presenter.calls.isEmpty { await Task.yield() }
        await world.clock.advance(by: .seconds(3))
        guard case .failure(let error as AdError) = await showing.result else {
            Testing.Issue.record("the show did not fail")
            return
        }
        #expect(error.code == .stageTimedOut && error.message.contains("3"))
    }

    @Test("the close delay counts visible time only")
    func hostSignals() async throws {
        let world = World()
        let ad = try await world.loader.load(.sample())
        try await ad.show(on: RecordingPresenter())
        await world.clock.advance(by: .seconds(3))
        world.signals.post(.background(true))
        await world.clock.advance(by: .seconds(10))
        #expect(!world.observer.names.contains("closeAvailable"))
        world.signals.post(.background(false))
        world.signals.post(.covered(true))
        world.signals.post(.covered(false))
        await world.clock.advance(by: .milliseconds(1999))
        #expect(!world.observer.names.contains("closeAvailable"))
        await world.clock.advance(by: .milliseconds(1))
        #expect(world.observer.names.contains("closeAvailable"))
        ad.destroy()
    }

    @Test("an ad that is shown in the background records its view when the app returns to the foreground")
    func inBackground() async throws {
        let world = World()
        world.signals.post(.background(true))
        let ad = try await world.loader.load(.sample())
        try await ad.show(on: RecordingPresenter())
        await world.clock.advance(by: .seconds(1))
        #expect(world.beacons.isEmpty)
        world.signals.post(.background(false))
        await world.clock.settle()
        #expect(world.beacons == ["/view"])
        ad.destroy()
    }

    @Test("an ad on screen stays alive without a reference from the host; a loaded ad does not")
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
        "destroy ends the ad in every phase, and no event follows",
        arguments: ["loading", "loaded", "showing", "clicked"]
    )
    func destroy(phase: String) async throws {
        let world = World { phase == "loading" && $0.url.host == "ssp.example" ? .silence : .status(200) }
        let presenter = RecordingPresenter()
        let ad = world.loader.ad(for: .sample())
        let loading = Task { try? await ad.load() }
        if phase == "loading" {
            await world.transport.waitForRequests(1)
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

    @Test("a thousand ads that are driven by concurrent tasks are each shown and closed once")
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

/// A presenter whose stage never returns from `setControl`.
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

/// A presenter that takes three seconds to return a stage that has reported `ready`.
private final class SlowPresenter: Presenter {
    let clock: ManualClock
    let calls = Locked<[String]>([])
    let isPresented = OneShot<Void>()

    init(clock: ManualClock) { self.clock = clock }

    func container(for kind: ShowRules.Kind) async -> AdContainer { .fullScreen(Size(width: 390, height: 844)) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.ready)
        self.isPresented.set(())
        let over = OneShot<Void>()
        _ = self.clock.schedule(at: self.clock.now + .seconds(3)) {
            self.clock.workStarted()
            over.set(())
        }
        self.clock.workEnded()
        await over.value
        return SlowStage(presenter: self)
    }

    private struct SlowStage: Stage {
        let presenter: SlowPresenter

        private func record(_ call: String) { self.presenter.calls.withLock { $0.append(call) } }

        func reveal() async { self.record("reveal") }
        func setControl(_ control: StageControl, visible: Bool) async { self.record("control") }
        func control(_ command: VideoCommand) async { self.record("video") }
        func close(_ reason: CloseReason) async { self.record("close") }
    }
}

/// A provider whose responses have no ad, only an issue.
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
