import AdCore
import Testing
import YabbiAds

@testable import YabbiPlay

@Suite("Waiting for something to be pushed")
struct EngagementWaitTests {
    @Test("a connection that ends or never was is an end, and so is a widget that can't be opened")
    func ends() {
        var wait = EngagementWait()
        let gone = SocketEnd(.lost, "it broke")
        #expect(wait.take(.disconnected(gone, retryIn: .seconds(1))) == .end(.loadFailed, "it broke"))
        let words = "the widget can't be opened: no product"
        #expect(wait.take(.gamificationUnavailable("no product")) == .end(.noFill, words))
    }

    @Test("what is for the app alone changes nothing")
    func goesOn() {
        var wait = EngagementWait()
        for news in [SmarticoNews.pushTaken, .deepLink("dp:x"), .publicProperties(.object([]))] {
            #expect(wait.take(news) == .goOn)
        }
    }

    @Test("a time that is over is no answer of the server's, or no fill where it knew the user")
    func timeUp() {
        let (code, message) = EngagementWait().timeUp(after: .milliseconds(1500))
        #expect(code == .loadFailed && message.contains("within 1.5 s"))
    }
}
