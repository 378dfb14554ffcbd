import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Pages that are made ahead", .needsBrowser, .timeLimit(.minutes(1)))
struct BrowserPlacesTests {
    private let screen = Size(width: 390, height: 844)
    private let full = HostPageKind.creative(.full)

    /// A browser, until a test is through with it.
    private func with(_ test: (Browser, PagePool) async throws -> Void) async throws {
        let browser = try Installed.start()
        try await test(browser, PagePool(self.screen, hasWindows: false))
        browser.close()
        await browser.untilGone()
    }

    /// The pages of the browser at addresses of ours, when there are so many.
    private func pages(_ count: Int, in browser: Browser) async throws -> [AdJSON] {
        for _ in 0..<2_000 {
            let targets = try await browser.call(DevToolsCommand("Target.getTargets"))["targetInfos"]?.array ?? []
            let ours = targets.filter { $0["url"]?.string?.contains(".yabbi-stage.invalid/") == true }
            if ours.count == count { return ours }
        }
        throw EngineFault.refused("there are not \(count) pages of ours")
    }

    /// Whether our script in a page answers.
    private func hasHost(_ place: PooledPage) async throws -> Bool {
        guard case .query(let command, _, _)? = place.hostPage(self.full).open(on: self.screen).last else {
            return false
        }
        return try await place.page.query(command) == .value(0)
    }

    @Test("the second creative of a kind finds our page there, with our script in it")
    func ahead() async throws {
        try await self.with { browser, places in
            let first = try await places.next(for: self.full, in: browser)
            #expect(first.hostPage(self.full).open(on: self.screen).count > 1, "it is to be opened yet")
            places.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let second = try await places.next(for: self.full, in: browser)
            #expect(second.hostPage(self.full).open(on: self.screen).count == 1, "it is asked whether it is there")
            #expect(try await self.hasHost(second))
            #expect(second.name != first.name && second.page.context != first.page.context)
        }
    }

    @Test("a page for another kind is thrown away, and what is a page itself gets one where nothing was")
    func other() async throws {
        try await self.with { browser, places in
            _ = try await places.next(for: self.full, in: browser)
            places.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let place = try await places.next(for: nil, in: browser)
            let url = try await browser.call(
                DevToolsCommand("Runtime.evaluate", ["expression": "location.href"], in: place.page.session)
            )
            #expect(url["result"]?["value"] == "about:blank")
            _ = try await self.pages(0, in: browser)
        }
    }

    @Test("after two kinds in a row the page that is made suits any")
    func any() async throws {
        try await self.with { browser, places in
            _ = try await places.next(for: self.full, in: browser)
            _ = try await places.next(for: .video(isStored: true), in: browser)
            places.prepare(in: browser)
            let place = try await places.next(for: self.full, in: browser)
            #expect(place.hostPage(self.full).open(on: self.screen).count > 1, "it is to be opened yet")
            #expect(await place.page.isAlive())
        }
    }

    @Test("a page that crashed while it waited is not used")
    func dead() async throws {
        try await self.with { browser, places in
            _ = try await places.next(for: self.full, in: browser)
            places.prepare(in: browser)
            let spare = try #require(try await self.pages(1, in: browser).first)
            _ = try await browser.call(DevToolsCommand("Target.closeTarget", ["targetId": spare["targetId"] ?? .null]))
            let place = try await places.next(for: self.full, in: browser)
            #expect(place.page.frame != spare["targetId"]?.string)
            #expect(await place.page.isAlive())
        }
    }
}
