import AdCore
import AdProviders
import Testing
import YabbiAds

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Waiting for a pushed ad")
struct EngagementWaitTests {
    @Test("a lost connection is waited for until the timeout, whose message has the reason")
    func reconnects() {
        var wait = EngagementWait()
        let gone = SocketEnd(.byPeer(code: 1001), "it went away")
        #expect(wait.handle(.disconnected(gone, retryIn: .seconds(1))) == .wait)
        #expect(wait.handle(.disconnected(gone, retryIn: nil)) == .wait)
        let (code, message) = wait.timeUp(after: .seconds(20))
        #expect(code == .loadFailed && message == "it went away (retried for 20 s)")
    }

    @Test("a widget that can't be opened ends the wait")
    func ends() {
        var wait = EngagementWait()
        let message = "the widget can't be opened: no product"
        #expect(wait.handle(.gamificationUnavailable("no product")) == .end(.noFill, message))
    }

    @Test("events for the app do not change the wait")
    func unaffected() {
        var wait = EngagementWait()
        for event in [SmarticoEvent.pushTokenAccepted, .deepLink("dp:x"), .publicProperties(.object([]))] {
            #expect(wait.handle(event) == .wait)
        }
    }

    @Test("a timeout before the user is identified is a failed load")
    func timeUp() {
        let (code, message) = EngagementWait().timeUp(after: .milliseconds(1500))
        #expect(code == .loadFailed && message.contains("within 1.5 s"))
    }
}
