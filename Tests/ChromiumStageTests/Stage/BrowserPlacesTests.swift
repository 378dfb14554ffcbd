import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage

@Suite("Pages that are made ahead", .needsBrowser, .timeLimit(.minutes(1)))
struct BrowserPlacesTests {
    private let screen = Size(width: 390, height: 844)
    private let full = WrapperKind.creative(.full)

    /// A browser, until a test is through with it.
    private func with(_ test: (Browser, BrowserPlaces) async throws -> Void) async throws {
        let browser = try Installed.start()
        try await test(browser, BrowserPlaces(self.screen, hasWindows: false))
        browser.close()
        await browser.untilGone()
    }

    /// The pages of the browser at addresses of ours, when there are so many.
    private func pages(_ count: Int, in browser: Browser) async throws -> [JSON] {
        for _ in 0..<2_000 {
            let targets = try await browser.call(DevToolsCommand("Target.getTargets"))["targetInfos"]?.array ?? []
            let ours = targets.filter { $0["url"]?.string?.contains(".yabbi-stage.invalid/") == true }
            if ours.count == count { return ours }
        }
        throw DevToolsFault.refused("there are not \(count) pages of ours")
    }

    /// Whether our script in a page answers.
    private func hasHost(_ place: BrowserPlace, in browser: Browser) async throws -> Bool {
        guard case .ask(let command, _, _)? = place.wrapper(self.full).open(on: self.screen).last else { return false }
        return try await browser.call(command)["result"]?["value"]?.number == 0
    }

    @Test("the second creative of a kind finds our page there, with our script in it")
    func ahead() async throws {
        try await self.with { browser, places in
            let first = try await places.take(for: self.full, in: browser)
            #expect(first.wrapper(self.full).open(on: self.screen).count > 2, "it is to be opened yet")
            places.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let second = try await places.take(for: self.full, in: browser)
            #expect(second.wrapper(self.full).open(on: self.screen).count == 2, "it is asked whether it is there")
            #expect(try await self.hasHost(second, in: browser))
            #expect(second.name != first.name && second.context != first.context)
        }
    }

    @Test("a page for another kind is thrown away, and what is a page itself gets one where nothing was")
    func other() async throws {
        try await self.with { browser, places in
            _ = try await places.take(for: self.full, in: browser)
            places.prepare(in: browser)
            _ = try await self.pages(1, in: browser)
            let place = try await places.take(for: nil, in: browser)
            let url = try await browser.call(
                DevToolsCommand("Runtime.evaluate", ["expression": "location.href"], in: place.session)
            )
            #expect(url["result"]?["value"] == "about:blank")
            _ = try await self.pages(0, in: browser)
        }
    }

    @Test("after two kinds in a row the page that is made suits any")
    func any() async throws {
        try await self.with { browser, places in
            _ = try await places.take(for: self.full, in: browser)
            _ = try await places.take(for: .video(isShelved: true), in: browser)
            places.prepare(in: browser)
            let place = try await places.take(for: self.full, in: browser)
            #expect(place.wrapper(self.full).open(on: self.screen).count > 2, "it is to be opened yet")
            #expect(await place.isAlive(in: browser))
        }
    }

    @Test("a page that died while it waited is not given to anybody")
    func dead() async throws {
        try await self.with { browser, places in
            _ = try await places.take(for: self.full, in: browser)
            places.prepare(in: browser)
            let spare = try #require(try await self.pages(1, in: browser).first)
            _ = try await browser.call(DevToolsCommand("Target.closeTarget", ["targetId": spare["targetId"] ?? .null]))
            let place = try await places.take(for: self.full, in: browser)
            #expect(place.frame != spare["targetId"]?.string)
            #expect(await place.isAlive(in: browser))
        }
    }
}
