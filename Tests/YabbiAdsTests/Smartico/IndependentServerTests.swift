import AdCore
import AdRuntime
import TestSupport
import Testing
import YabbiAds
import YabbiTesting

@Suite(
    "Smartico session against Python's websockets",
    .timeLimit(.minutes(1)),
    .enabled(
        if: PythonServer.python != nil,
        "no Python here has the module websockets: install python3-websockets, as Scripts/setup.sh does"
    )
)
struct IndependentServerTests {
    @Test("a session with a lost connection satisfies an independent server")
    func life() async throws {
        let server = try #require(PythonServer())
        let observer = RecordingObserver()
        let services = try AdServices.standard(opener: NoOpener(), observer: observer)
        let smartico = Smartico(try SmarticoFixture.app(port: server.port), services: services)
        var sessionEvents = SessionEventWaiter(smartico)
        var ads = smartico.ads.makeAsyncIterator()
        smartico.logIn(userID: "u-7")
        #expect(await sessionEvents.identified())
        let first = ScriptedPage()
        try await (try #require(await ads.next())).show(on: first)
        #expect(first.posts.first?["engagement_uid"]?.string == "e-1" && first.posts.first?["bcid"]?.number == 3)
        let game = try #require(await ads.next())
        #expect(
            game.page?.text
                == "https://wrapper.example/gf?hash=a%3A1&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue"
        )
        smartico.changeLanguage("BG")
        #expect(await sessionEvents.disconnected()?.cause == .lost)
        #expect(await sessionEvents.identified())
        let second = ScriptedPage()
        try await (try #require(await ads.next())).show(on: second)
        #expect(second.posts.first?["engagement_uid"]?.string == "e-2")
        #expect(await sessionEvents.caughtUp())
        smartico.logOut()
        #expect(await sessionEvents.initialized())
        smartico.end()
        let (text, status) = server.process.finish()
        #expect(status == 0, "\(text)")
        #expect(observer.sessionIssues == ["push.repeated"])
    }
}
