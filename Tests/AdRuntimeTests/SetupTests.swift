import AdCore
import Testing
import YabbiTesting

@testable import AdRuntime

/// What an app forgot is told where it has an effect.
@Suite("What is missing in the setup of an app", .timeLimit(.minutes(1)))
struct SetupTests {
    private static func services(
        _ clock: ManualClock,
        _ observer: RecordingObserver,
        userAgent: String?,
        signals: (any HostSignals)?
    ) -> AdServices {
        AdServices(
            transport: ScriptedTransport(clock: clock) { _ in .status(200) },
            opener: NoOpener(),
            signals: signals,
            context: ContextSource(known: AdContext(userAgent: userAgent)),
            clock: clock,
            observer: observer
        )
    }

    @Test("a load without a User-Agent, or without signals of the host, has an issue that says what it costs")
    func issues() async throws {
        let missing: [(String?, (any HostSignals)?, [String])] = [
            ("Test/1.0", HostSignalSource(), []), (nil, HostSignalSource(), ["setup.userAgent"]),
            ("", HostSignalSource(), ["setup.userAgent"]), ("Test/1.0", nil, ["setup.signals"]),
            (nil, nil, ["setup.userAgent", "setup.signals"]),
        ]
        for (userAgent, signals, codes) in missing {
            let (clock, observer) = (ManualClock(), RecordingObserver())
            let services = Self.services(clock, observer, userAgent: userAgent, signals: signals)
            let loader = AdLoader(OfferProvider(endpoint: url("http://ssp.example/load")), services: services)
            for _ in 0..<2 {
                let ad = try await loader.load(.sample())
                #expect((ad.offer?.issues ?? []).map(\.code).filter { $0.hasPrefix("setup.") } == codes)
                ad.destroy()
            }
        }
    }

    @Test("outcomes of beacons have a stream of their own, which hears of ads that are gone")
    func outcomes() async throws {
        let world = World()
        let outcomes = world.services.beacons.outcomes
        let ad = try await world.loader.load(.sample(closeDelay: .zero))
        try await ad.show(on: RecordingPresenter())
        // The view is recorded before the ad is gone.
        await world.clock.settle()
        ad.destroy()
        await world.clock.settle()
        for await record in outcomes {
            #expect(record.event.name == "beaconDelivered" && record.ad == ad.id)
            break
        }
    }

    @Test("a loaded ad whose last reference is gone tells its stream so before that ends")
    func released() async throws {
        let world = World()
        var ad: Ad? = try await world.loader.load(.sample())
        let events = try #require(ad?.events)
        ad = nil
        var names: [String] = []
        for await event in events {
            if case .issue(let issue) = event { names.append(issue.code) } else { names.append(event.name) }
        }
        #expect(names == ["ad.released"])
        #expect(world.beacons.isEmpty)
    }

    @Test("an ad that was shown or destroyed ends without that issue")
    func shown() async throws {
        let world = World()
        let shown = try await world.loader.load(.sample(closeDelay: .zero))
        try await shown.show(on: RecordingPresenter())
        shown.close()
        try await world.loader.load(.sample()).destroy()
        await world.clock.settle()
        #expect(!world.observer.names.contains("issue"))
    }

    @Test("a request stops before its load does, so that the error of a silent server names the address")
    func timedOut() async throws {
        let world = World(loadTimeout: .seconds(3)) { request in
            .after(request.limits.total, .failure(TransportError(.ambiguous(.timedOut), "no answer")))
        }
        let loading = Task { await failure { () async throws(AdError) in try await world.loader.load(.sample()) } }
        await world.transport.waitForRequests(1)
        await world.clock.advance(by: .seconds(4))
        let error = try #require(await loading.value)
        #expect(error.code == .timedOut && error.description.contains("http://ssp.example"), "\(error)")
    }
}
