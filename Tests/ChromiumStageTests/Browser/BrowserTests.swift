import AdCore
import BrowserSupport
import EngineSupport
import LibC
import Testing

@testable import ChromiumStage
@testable import WebStage

/// The installed browser.
enum Installed {
    static func start() throws -> Browser {
        var options = ChromiumOptions()
        options.network = .closed
        return try Browser(ChromiumBinary.find(named: ProcessEnvironment.variables["CHROME"]), options)
    }
}

@Suite("A running browser", .needsBrowser, .timeLimit(.minutes(1)))
struct BrowserTests {
    @Test("a browser answers, takes a screenshot, and ends with its folder when it is closed")
    func life() async throws {
        let browser = try Installed.start()
        let version = try await browser.call(DevToolsCommand("Browser.getVersion"))
        #expect(version["product"]?.string?.contains("Chrome/") == true)
        let page = try await browser.makePage(on: Size(width: 390, height: 844), within: EngineTime.limit)
        let picture = try await browser.call(
            DevToolsCommand("Page.captureScreenshot", ["format": "png"], in: page.target)
        )
        #expect(picture["data"]?.string?.hasPrefix("iVBOR") == true)
        await #expect(throws: EngineError.self) { _ = try await browser.call(DevToolsCommand("No.such")) }
        browser.close()
        await browser.untilGone()
        #expect(browser.hasEnded && kill(browser.connection.process.id, 0) == -1)
        await #expect(throws: EngineError.gone) { _ = try await browser.call(DevToolsCommand("Browser.getVersion")) }
    }

    @Test("the end of a killed browser is detected, and its folder is removed")
    func killed() async throws {
        let browser = try Installed.start()
        _ = try await browser.call(DevToolsCommand("Browser.getVersion"))
        kill(browser.connection.process.id, SIGKILL)
        await browser.untilGone()
        #expect(browser.hasEnded)
    }

    @Test("the last error is known after the browser has ended and its folder is removed")
    func lastError() async throws {
        // `ls` rejects the browser's arguments with an error.
        let browser = try Browser(ChromiumBinary(path: "/bin/ls"), ChromiumOptions())
        await browser.untilGone()
        #expect(browser.lastError?.contains("ls") == true, "\(browser.lastError ?? "nothing")")
    }

    @Test("a program that is not a browser fails with gone")
    func noBrowser() async throws {
        let browser = try Browser(ChromiumBinary(path: "/bin/true"), ChromiumOptions())
        await #expect(throws: EngineError.gone) { _ = try await browser.call(DevToolsCommand("Browser.getVersion")) }
        await browser.untilGone()
    }
}
