import AdCore
import BrowserSupport
import LibC
import Testing

@testable import ChromiumStage
@testable import WebStage

/// The browser of this machine.
enum Installed {
    static func start() throws -> Browser {
        var options = ChromiumOptions()
        options.network = .closed
        return try Browser(ChromiumBinary.find(named: Browser.environment()["CHROME"]), options)
    }
}

@Suite("A running browser", .needsBrowser, .timeLimit(.minutes(1)))
struct BrowserTests {
    @Test("it answers, makes a picture, and is gone with its folder when it is closed")
    func life() async throws {
        let browser = try Installed.start()
        let version = try await browser.call(DevToolsCommand("Browser.getVersion"))
        #expect(version["product"]?.string?.contains("Chrome/") == true)
        let target = try await browser.call(DevToolsCommand("Target.createTarget", ["url": "about:blank"]))
        let session = try await browser.call(
            DevToolsCommand("Target.attachToTarget", ["targetId": target["targetId"] ?? nil, "flatten": true])
        )
        let name = try #require(session["sessionId"]?.string)
        let picture = try await browser.call(
            DevToolsCommand("Page.captureScreenshot", ["format": "png"], in: DevToolsSession(name: name))
        )
        #expect(picture["data"]?.string?.hasPrefix("iVBOR") == true)
        await #expect(throws: EngineFault.self) { _ = try await browser.call(DevToolsCommand("No.such")) }
        browser.close()
        await browser.untilGone()
        #expect(browser.hasEnded && kill(browser.process.id, 0) == -1)
        await #expect(throws: EngineFault.gone) { _ = try await browser.call(DevToolsCommand("Browser.getVersion")) }
    }

    @Test("one that is killed is noticed, and leaves nothing")
    func killed() async throws {
        let browser = try Installed.start()
        _ = try await browser.call(DevToolsCommand("Browser.getVersion"))
        kill(browser.process.id, SIGKILL)
        await browser.untilGone()
        #expect(browser.hasEnded)
    }

    @Test("what it complained of last is known when it and its folder are gone")
    func lastWords() async throws {
        // It knows no option of a browser's, and says so.
        let browser = try Browser(ChromiumBinary(path: "/bin/ls"), ChromiumOptions())
        await browser.untilGone()
        #expect(browser.lastError?.contains("ls") == true, "\(browser.lastError ?? "nothing")")
    }

    @Test("a program that is no browser is said to be none")
    func noBrowser() async throws {
        let browser = try Browser(ChromiumBinary(path: "/bin/true"), ChromiumOptions())
        await #expect(throws: EngineFault.gone) { _ = try await browser.call(DevToolsCommand("Browser.getVersion")) }
        await browser.untilGone()
    }
}
