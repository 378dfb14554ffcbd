import AdCore
import AdRuntime
import SystemSupport
import Testing

@Suite("The user's answer to the question of tracking")
struct TrackingTests {
    /// The context of a request, and whether the identifier was asked for.
    private func context(_ answer: TrackingAuthorization) async -> (AdContext, Bool) {
        let wasAsked = Locked(false)
        var source = ContextSource(
            known: AdContext(location: AdContext.Location(latitude: 42.5, longitude: 23.25, precision: 10)),
            ifa: {
                wasAsked.withLock { $0 = true }
                return "7D1F2E9A-0000-4000-8000-000000000000"
            },
            timeout: .seconds(60)
        )
        source.authorization = { answer }
        let context = await source.context(by: SystemClock())
        return (context, wasAsked.withLock(\.self))
    }

    @Test("without it the identifier is not asked for, and nothing personal is in the context")
    func refused() async {
        for answer in [TrackingAuthorization.notDetermined, .restricted, .denied] {
            let (context, wasAsked) = await self.context(answer)
            #expect(!wasAsked && context.ifa == nil && context.location == nil && context.isWithheld)
            #expect(context.authorization == answer)
        }
    }

    @Test("with it the identifier is in the context")
    func authorized() async {
        let (context, wasAsked) = await self.context(.authorized)
        #expect(wasAsked && context.ifa != nil && context.location != nil && !context.isWithheld)
    }

    @Test("an answer that is taken back counts for what was requested before it")
    func later() async {
        let answer = Locked(TrackingAuthorization.authorized)
        var source = ContextSource(known: AdContext(ifa: "7D1F2E9A-0000-4000-8000-000000000000"))
        source.authorization = { answer.withLock(\.self) }
        let context = await source.context(by: SystemClock())
        #expect(source.current(context).ifa != nil)
        answer.withLock { $0 = .denied }
        #expect(source.current(context).ifa == nil && source.current(context).isWithheld)
    }
}
