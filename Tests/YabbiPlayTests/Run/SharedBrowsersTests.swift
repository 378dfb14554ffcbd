import AdCore
import BrowserSupport
import PlayStages
import Testing
import WebStage

@testable import YabbiPlay

/// Sends nothing: these browsers show nothing.
private struct NoNetwork: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        throw TransportError(.notSent(.other), "there is no network in this test")
    }
}

@Suite("The browsers of several runs", .needsBrowser, .timeLimit(.minutes(1)))
struct SharedBrowsersTests {
    private let browsers = SharedBrowsers(transport: NoNetwork())

    private func take(_ width: Double) throws -> any SharedBrowser {
        try self.browsers.take(BrowserOptions(), screen: Size(width: width, height: 800), limit: 8)
    }

    @Test("ads of one screen share a browser, and one that is used is kept however many there are")
    func kept() throws {
        let first = try self.take(100)
        #expect(try self.take(100) === first)
        let others = try (2...6).map { try self.take(Double($0) * 100) }
        #expect(try self.take(100) === first)
        #expect(try self.take(200) === others[0])
    }

    @Test("of those that are not used the last three are kept")
    func unused() throws {
        let all = try (1...4).map { try self.take(Double($0) * 100) }
        for one in all { self.browsers.release(one) }
        #expect(try self.take(400) === all[3])
        #expect(try self.take(100) !== all[0])
    }

    @Test("after the end there is none")
    func closed() async throws {
        _ = try self.take(100)
        await self.browsers.close()
        #expect(throws: BrowserFailure(message: "the run has ended")) { try self.take(100) }
    }
}
