import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Where the context of a request comes from", .timeLimit(.minutes(5)))
struct ContextSourceTests {
    @Test("a child's identifier and place are given to nobody, and not even asked for")
    func child() async {
        let asked = Locked(0)
        var source = ContextSource(
            known: AdContext(ifa: "known", consent: AdContext.Consent(coppa: true)),
            ifa: {
                asked.withLock { $0 += 1 }
                return "asked"
            },
            userAgent: { "agent" },
            location: {
                asked.withLock { $0 += 1 }
                return AdContext.Location(latitude: 1, longitude: 2, precision: 3)
            }
        )
        let child = await source.context(by: SystemClock())
        #expect(child.ifa == nil && child.location == nil && child.isWithheld && child.userAgent == "agent")
        #expect(asked.withLock { $0 } == 0)
        source.known.consent.coppa = false
        var refused = source
        refused.known = source.known.withholding()
        let nobody = await refused.context(by: SystemClock())
        #expect(nobody.ifa == nil && nobody.location == nil && asked.withLock { $0 } == 0)
        let other = await source.context(by: SystemClock())
        #expect(other.ifa == "asked" && other.location != nil && !other.isWithheld)
    }

    @Test("a source that is late leaves its field empty; the others are in the request")
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
        clock.workBegan()
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
