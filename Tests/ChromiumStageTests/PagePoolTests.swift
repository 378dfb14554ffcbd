import AdCore
import BrowserSupport
import EngineSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Pages created in advance", .needsBrowser, .timeLimit(.minutes(1)))
struct PagePoolTests {
    private let screen = Size(width: 390, height: 844)
    private let full = HostPageKind.creative(.full)

    /// Runs a test with a browser and a pool.
    private func with(_ test: (Browser, PagePool<Browser>) async throws -> Void) async throws {
        let browser = try Installed.start()
        try await test(browser, PagePool(self.screen))
        browser.close()
        await browser.untilGone()
    }

    /// Waits until the browser has this number of host pages.
    private func pages(_ count: Int, in browser: Browser) async throws -> [AdJSON] {
        for _ in 0..<2_000 {
            let targets = try await browser.call(DevToolsCommand("Target.getTargets"))["targetInfos"]?.array ?? []
            let hostPages = targets.filter { $0["url"]?.string?.contains(".yabbi-stage.invalid/") == true }
            if hostPages.count == count { return hostPages }
        }
        throw EngineError.refused("there are not \(count) host pages")
    }

    /// Whether the host's script in a page answers.
    private func hasHost(_ place: PooledPage<ChromiumPage>) async throws -> Bool {
        try await place.page.query(place.hostPage(self.full).ping) == .value(0)
    }

    @Test("the second creative of a kind gets a host page that was opened in advance")
    func ahead() async throws {
        try await self.with { browser, pool in
            let first = try await pool.page(for: self.full, in: browser)
            #expect(!first.hostPage(self.full).isOpen)
            await first.page.dispose()
            pool.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let second = try await pool.page(for: self.full, in: browser)
            #expect(second.hostPage(self.full).isOpen)
            #expect(try await self.hasHost(second))
            #expect(second.name != first.name && second.page.context != first.page.context)
        }
    }

    @Test("a page that is made for an address loads nothing before it is resumed, and then that address first")
    func held() async throws {
        try await self.with { browser, _ in
            let address = HostPage.address("held")
            let page = try await browser.makePage(at: address, on: self.screen, within: EngineTime.limit)
            #expect(page.isHeld)
            let (events, sending) = AsyncStream.makeStream(of: EngineEvent.self)
            page.setHandler { sending.yield($0) }
            page.send(.observe(page.target))
            // Commands of the browser's own are executed while the page is held.
            _ = try await browser.call(
                DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: page.target)
            )
            page.send(.resume(page.target))
            var documents: [String?] = []
            for await event in events {
                switch event.kind {
                case .requestHeld(let request):
                    #expect(documents.isEmpty && request.url == address)
                    page.send(request.response(document: "<!doctype html><p>held</p>", []))
                case .committed(let document): documents.append(document.url)
                case .pageLoaded: sending.finish()
                default: break
                }
            }
            #expect(documents == [address], "there was no empty document before it")
            let length = EngineCommand.evaluate(EngineEvaluation("history.length"), in: page.target)
            #expect(try await page.query(length) == .value(1))
            await page.dispose()
        }
    }

    @Test("a held page can be removed before it is resumed")
    func unused() async throws {
        try await self.with { browser, _ in
            let page = try await browser.makePage(
                at: HostPage.address("unused"),
                on: self.screen,
                within: EngineTime.limit
            )
            await page.dispose()
            let contexts = try await browser.call(DevToolsCommand("Target.getBrowserContexts"))
            #expect(contexts["browserContextIds"]?.array?.isEmpty == true)
        }
    }

    @Test("a page for another kind is discarded, and a provider's page gets a new one")
    func other() async throws {
        try await self.with { browser, pool in
            await (try await pool.page(for: self.full, in: browser)).page.dispose()
            pool.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let place = try await pool.page(for: nil, in: browser)
            let url = try await browser.call(
                DevToolsCommand("Runtime.evaluate", ["expression": "location.href"], in: place.page.target)
            )
            #expect(url["result"]?["value"] == "about:blank")
            _ = try await self.pages(0, in: browser)
        }
    }

    @Test("after two different kinds the page in advance suits any kind")
    func any() async throws {
        try await self.with { browser, pool in
            _ = try await pool.page(for: self.full, in: browser)
            _ = try await pool.page(for: .video(isStored: true), in: browser)
            pool.prepare(in: browser)
            let place = try await pool.page(for: self.full, in: browser)
            #expect(!place.hostPage(self.full).isOpen)
            #expect(await place.page.isAlive())
        }
    }

    @Test("a page that crashed in the pool is not used")
    func dead() async throws {
        try await self.with { browser, pool in
            await (try await pool.page(for: self.full, in: browser)).page.dispose()
            pool.prepare(in: browser)
            let spare = try #require(try await self.pages(1, in: browser).first)
            _ = try await browser.call(DevToolsCommand("Target.closeTarget", ["targetId": spare["targetId"] ?? .null]))
            _ = try await self.pages(0, in: browser)
            var place = try await pool.page(for: self.full, in: browser)
            #expect(place.page.frame != spare["targetId"]?.string)
            try await place.open(self.full, on: self.screen, within: EngineTime.limit)
            #expect(await place.isAlive())
        }
    }
}
