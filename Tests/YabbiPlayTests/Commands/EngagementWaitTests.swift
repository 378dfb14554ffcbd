import AdCore
import AdProviders
import Testing
import YabbiAds

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Waiting for something to be pushed")
struct EngagementWaitTests {
    @Test("a connection that ends is made anew until the time is over, and how it ended is told then")
    func reconnects() {
        var wait = EngagementWait()
        let gone = SocketEnd(.byPeer(code: 1001), "it went away")
        #expect(wait.handle(.disconnected(gone, retryIn: .seconds(1))) == .goOn)
        #expect(wait.handle(.disconnected(gone, retryIn: nil)) == .goOn)
        let (code, message) = wait.timeUp(after: .seconds(20))
        #expect(code == .loadFailed && message == "it went away (tried again for 20 s)")
    }

    @Test("a widget that can't be opened is an end")
    func ends() {
        var wait = EngagementWait()
        let words = "the widget can't be opened: no product"
        #expect(wait.handle(.gamificationUnavailable("no product")) == .end(.noFill, words))
    }

    @Test("what is for the app alone changes nothing")
    func goesOn() {
        var wait = EngagementWait()
        for news in [SmarticoEvent.pushTaken, .deepLink("dp:x"), .publicProperties(.object([]))] {
            #expect(wait.handle(news) == .goOn)
        }
    }

    @Test("a time that is over is no answer of the server's, or no fill where it knew the user")
    func timeUp() {
        let (code, message) = EngagementWait().timeUp(after: .milliseconds(1500))
        #expect(code == .loadFailed && message.contains("within 1.5 s"))
    }
}
