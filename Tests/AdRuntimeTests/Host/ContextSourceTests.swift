import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The context of a request", .timeLimit(.minutes(5)))
struct ContextSourceTests {
    @Test("with COPPA the identifier and the location are left out, and their closures are not called")
    func child() async {
        let callCount = Locked(0)
        var source = ContextSource(
            known: AdContext(ifa: "known", consent: AdContext.Consent(coppa: true)),
            ifa: {
                callCount.withLock { $0 += 1 }
                return "asked"
            },
            userAgent: { "agent" },
            location: {
                callCount.withLock { $0 += 1 }
                return AdContext.Location(latitude: 1, longitude: 2, precision: 3)
            }
        )
        let child = await source.context(by: SystemClock())
        #expect(child.ifa == nil && child.location == nil && child.isWithheld && child.userAgent == "agent")
        #expect(callCount.withLock { $0 } == 0)
        source.known.consent.coppa = false
        var refused = source
        refused.known = source.known.withholding()
        let withheld = await refused.context(by: SystemClock())
        #expect(withheld.ifa == nil && withheld.location == nil && callCount.withLock { $0 } == 0)
        let other = await source.context(by: SystemClock())
        #expect(other.ifa == "asked" && other.location != nil && !other.isWithheld)
    }

    @Test("creatives may have the position of the last request, as long as the consent allows it")
    func lastLocation() async {
        let consent = ConsentSource()
        let source = ContextSource(
            location: { AdContext.Location(latitude: 1.23, longitude: 2, precision: 3) },
            consent: consent
        )
        consent.post(AdContext.Consent(gdprApplies: false))
        #expect(source.lastLocation == nil, "nothing was requested")
        _ = await source.context(by: SystemClock())
        #expect(source.lastLocation?.latitude == 1.23)
        consent.post(AdContext.Consent(coppa: true))
        #expect(source.lastLocation == nil)
    }

    @Test("the stage of an ad is told when the user takes the position back")
    func locationIsTakenBack() async throws {
        let consent = ConsentSource()
        consent.post(AdContext.Consent(gdprApplies: false))
        let source = ContextSource(
            known: AdContext(userAgent: "Test/1.0"),
            location: { AdContext.Location(latitude: 1.23, longitude: 2, precision: 3) },
            consent: consent
        )
        let world = World(context: source) { _ in .status(200) }
        let ad = try await AdLoader(OfferProvider(endpoint: url("http://ssp.example/")), services: world.services).load(
            .sample()
        )
        let presenter = RecordingPresenter()
        try await ad.show(on: presenter)
        #expect(presenter.options?.location?.latitude == 1.23)
        consent.post(AdContext.Consent(coppa: true))
        await world.clock.settle()
        #expect(presenter.notices.contains(.location(nil)))
        ad.destroy()
        await world.clock.settle()
        #expect(consent.observerCount == 1, "of the source itself")
    }

    @Test("a copy with another consent has no position that the first one was allowed to have")
    func lastLocationOfCopy() async {
        let source = ContextSource(location: { AdContext.Location(latitude: 1.23, longitude: 2, precision: 3) })
        _ = await source.context(by: SystemClock())
        #expect(source.lastLocation != nil)
        var copy = source
        copy.known.consent.coppa = true
        #expect(copy.lastLocation == nil)
    }

    @Test("a late value is left out, and the others are in the request")
    func lateContext() async throws {
        let clock = ManualClock()
        let source = ContextSource(
            known: AdContext(userAgent: "known"),
            ifa: {
                await clock.rest(until: nil)
                return "late"
            },
            location: { AdContext.Location(latitude: 1, longitude: 2, precision: 3) }
        )
        clock.workStarted()
        let asking = Task {
            defer { clock.workEnded() }
            return await source.context(by: clock)
        }
        while clock.alarms == 0 { await Task.yield() }
        await clock.advance(by: .milliseconds(200))
        let known = await asking.value
        #expect(known.ifa == nil)
        #expect(known.userAgent == "known")
        #expect(known.location?.precision == 3)
    }
}
