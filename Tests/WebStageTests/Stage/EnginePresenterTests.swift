import AdCore
import SystemSupport
import Testing

@testable import WebStage

@Suite("Presenting in an engine", .timeLimit(.minutes(1)))
struct EnginePresenterTests {
    private static let link = "https://a.example/landing"

    // MARK: Life

    @Test("the engine starts with the first creative, and each creative has a page of its own")
    func load() async throws {
        let harness = PresenterHarness()
        #expect(harness.engines.isEmpty)
        let first = try await harness.load()
        #expect(harness.events == [.ready] && harness.notifications == [.started])
        let second = try await harness.load()
        #expect(harness.engines.count == 1 && harness.engines.first?.pages.count == 2)
        #expect(first.page != second.page)
    }

    @Test("a page that the engine holds for its host page loads it when it is set up, without an empty document first")
    func held() async throws {
        let harness = PresenterHarness([.holdsPages])
        let (stage, page) = try await harness.show()
        #expect(page.isHeld && harness.events == [.ready, .revealed, .visible(ratio: 1)])
        let resumed = try #require(page.commands.firstIndex(of: .resume(page.target)))
        #expect(
            page.commands[..<resumed] == [
                .observe(page.target), .setScreen(Size(width: 390, height: 844), in: page.target),
            ]
        )
        #expect(!page.commands.contains { if case .load = $0 { true } else { $0 == .ping(page.target) } })
        await stage.close(.host)
    }

    @Test("a held page is opened in advance, too, and then only pinged")
    func heldAhead() async throws {
        let harness = PresenterHarness([.holdsPages], opensPagesAhead: true)
        for _ in 0..<3 { await (try await harness.show()).0.close(.host) }
        await harness.presenter.host.whenIdle()
        let pages = try #require(harness.engines.first?.pages)
        #expect(pages.count >= 3)
        for page in pages.prefix(3) {
            let opened = page.commands.count { $0 == .resume(page.target) || $0 == .load("", in: page.target) }
            #expect(opened == 1, "each page was opened once")
        }
    }

    @Test("a creative's frame runs no script before the host's scripts are in it, and gets its document from the stage")
    func scripts() async throws {
        let harness = PresenterHarness()
        _ = try await harness.load()
        let page = try harness.page()
        let resumed = try #require(page.commands.firstIndex(of: .resume(page.creative)))
        let scripts = page.commands[..<resumed].compactMap { command -> EngineScript? in
            if case .addScript(let script, page.creative) = command { script } else { nil }
        }
        #expect(scripts.map(\.isHost) == [true, false, false], "the gesture's script has a world of its own")
        let documents = page.commands[resumed...].compactMap { command -> String? in
            guard case .answer(_, let response) = command, let body = response.body else { return nil }
            return String(decoding: body, as: UTF8.self)
        }
        #expect(documents == ["<!DOCTYPE html><p>ad</p>"])
    }

    @Test("an ad is revealed, reports that it is visible, and its page is disposed of when it closes")
    func show() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        #expect(harness.events == [.ready, .revealed, .visible(ratio: 1)])
        await stage.setControl(.close, visible: true)
        #expect(page.scripts.last == "yabbiControl(\"close\", true)")
        #expect(!page.disposal.isSet)
        await stage.close(.host)
        // The page is removed in the background, before its place is free.
        await harness.presenter.host.whenIdle()
        #expect(page.disposal.isSet)
    }

    @Test("a page that was made ahead of time gets the layout of the simulated device, if that is no phone's")
    func desktop() async throws {
        for isMobile in [false, true] {
            var settings = StageSettings(screen: Size(width: 1280, height: 800))
            var device = EngineDevice(userAgent: "Example/1.0")
            device.isMobile = isMobile
            settings.device = device
            let harness = PresenterHarness(opensPagesAhead: true, settings: settings)
            for _ in 0..<2 {
                let stage = try await harness.load()
                let page = try #require(harness.engines.first?.pages.first { $0.target == stage.page })
                let emulated = try #require(page.commands.firstIndex(of: .emulate(device, in: page.target)))
                let screens = page.commands[emulated...].filter { $0 == .setScreen(settings.screen, in: page.target) }
                #expect(screens.isEmpty == isMobile || page.commands.prefix(emulated).isEmpty)
            }
        }
    }

    @Test("at most four creatives are shown at once; the fifth waits for a place, and can be cancelled")
    func limit() async throws {
        let harness = PresenterHarness()
        var stages: [BrowserStage] = []
        for _ in 0..<4 { stages.append(try await harness.load()) }
        let cancelled = Task { try await harness.load() }
        cancelled.cancel()
        let error = await #expect(throws: StageError.self) { _ = try await cancelled.value }
        #expect(error?.message == "the presentation was cancelled while it waited for other creatives")
        async let fifth = harness.load()
        await stages[0].close(.host)
        _ = try await fifth
        #expect(harness.engines.first?.pages.count == 5)
    }

    // MARK: Failures

    @Test("a creative whose process crashes is reported as crashed, and can be closed")
    func crash() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        page.report(.crashed, in: page.creative)
        #expect(harness.events.last == .crashed("the creative crashed"))
        await stage.close(.host)
        await page.disposal.value
        #expect(harness.engines.first?.hasEnded == false)
    }

    @Test("when the engine ends, the ad on screen is gone, and the next one gets a new engine")
    func end() async throws {
        let harness = PresenterHarness()
        _ = try await harness.show()
        harness.engines.first?.close()
        #expect(harness.events.last == .gone)
        _ = try await harness.load()
        #expect(harness.engines.count == 2)
    }

    @Test(
        "an engine that ends while a creative loads, or makes no page in time, is replaced once",
        arguments: [ScriptedEngine.Behavior.endsWhileLoading, .makesNoPage]
    )
    func replacement(behavior: ScriptedEngine.Behavior) async throws {
        let harness = PresenterHarness([behavior])
        _ = try await harness.load()
        #expect(harness.engines.count == 2 && harness.engines.first?.hasEnded == true)
        let other = PresenterHarness([behavior, behavior], lastError: "out of memory")
        let error = await #expect(throws: StageError.self) { _ = try await other.load() }
        #expect(
            error?.message == "the browser ended while the creative was loading; its last error: out of memory"
        )
        #expect(other.engines.count == 2)
    }

    @Test("a known error of the engine's log is explained")
    func explanation() async throws {
        let harness = PresenterHarness([.endsWhileLoading, .endsWhileLoading], lastError: "no screen")
        let error = await #expect(throws: StageError.self) { _ = try await harness.load() }
        #expect(error?.message == "connect a screen")
    }

    @Test("a closed presenter ends its engine and shows nothing more")
    func closed() async throws {
        let harness = PresenterHarness()
        _ = try await harness.load()
        await harness.presenter.host.close()
        #expect(harness.engines.first?.hasEnded == true)
        let error = await #expect(throws: StageError.self) { _ = try await harness.load() }
        #expect(error?.message == "the presenter was closed")
        #expect(harness.engines.count == 1)
    }

    // MARK: Pages in advance

    @Test("the second creative of a kind gets the page that was made in advance, with the host page in it")
    func pool() async throws {
        let harness = PresenterHarness(opensPagesAhead: true)
        _ = try await harness.load()
        let engine = try #require(harness.engines.first)
        #expect(engine.pages.count == 1, "none is made while the first creative is drawn")
        engine.pages[0].passTime()
        let second = try await harness.load()
        let page = try #require(engine.pages.dropFirst().first)
        #expect(second.page == page.target)
        let loads = page.commands.filter { if case .load = $0 { true } else { false } }
        #expect(loads.count == 1, "the host page is not loaded again")
        let pings = page.commands.filter { $0 == .ping(page.target) }
        #expect(pings.count == 1, "before the host page was loaded")
        #expect(page.scripts.count { $0 == "0" } == 1, "the open page was checked before it was used, once")
    }

    @Test("a page in advance that crashed, is of another kind or is left over is disposed of", arguments: [0, 1, 2])
    func unused(reason: Int) async throws {
        let pool = PagePool<ScriptedEngine>(Size(width: 390, height: 844))
        let engine = ScriptedEngine(opensPagesAhead: true)
        _ = try await pool.page(for: .creative(.full), in: engine)
        pool.prepare(in: engine)
        while engine.pages.count < 2 { await Task.yield() }
        let spare = engine.pages[1]
        // The host's script is in the page.
        while spare.scripts.isEmpty { await Task.yield() }
        switch reason {
        case 0:
            spare.crash()
            #expect(try await pool.page(for: .creative(.full), in: engine).page !== spare)
        case 1: #expect(try await pool.page(for: .creative(.inline), in: engine).page !== spare)
        default: pool.removeSpare()
        }
        await spare.disposal.value
    }

    @Test("an engine with windows makes no page in advance")
    func windows() async throws {
        let pool = PagePool<ScriptedEngine>(Size(width: 390, height: 844))
        let engine = ScriptedEngine(opensPagesAhead: false)
        _ = try await pool.page(for: .creative(.full), in: engine)
        pool.prepare(in: engine)
        _ = try await pool.page(for: .creative(.full), in: engine)
        #expect(engine.pages.count == 2)
    }

    // MARK: Decisions

    @Test("a navigation or window without a user's gesture opens nothing, whatever the creative says")
    func redirect() async throws {
        let harness = PresenterHarness()
        let (_, page) = try await harness.show()
        page.report(
            .navigationRequested(url: "market://details?id=1", frame: nil, gesture: nil, byPage: true),
            in: page.creative
        )
        page.report(.windowRequested(url: Self.link, frame: nil, gesture: nil), in: page.creative)
        page.message(.creative, ["k": "open", "url": .string(Self.link), "gesture": true], in: page.creative)
        // The creative's own channel can't send a gesture.
        page.message(.creative, ["k": "gesture", "type": "pointerdown", "pointer": "mouse"], in: page.creative)
        page.request(Self.link, .document)
        #expect(harness.clicks.isEmpty)
        #expect(
            harness.blocked.count == 4 && harness.blocked.allSatisfy { $0.detail.contains("without a user's gesture") }
        )
        #expect(page.commands.contains { if case .fail(_, .aborted) = $0 { true } else { false } })
    }

    @Test("a press opens one link: the first is the click, the next is blocked")
    func click() async throws {
        let harness = PresenterHarness()
        let (_, page) = try await harness.show()
        page.press()
        page.report(.windowRequested(url: Self.link, frame: nil, gesture: nil), in: page.creative)
        #expect(harness.clicks == [Self.link] && harness.blocked.isEmpty)
        page.report(.windowRequested(url: "https://b.example/", frame: nil, gesture: nil), in: page.creative)
        #expect(harness.clicks == [Self.link] && harness.blocked.map(\.kind) == [.popup])
    }

    @Test("a press on the host's close button is read from the host page only")
    func closeButton() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        await stage.setControl(.close, visible: true)
        page.message(.host, ["k": "close"], in: page.creative)
        #expect(!harness.events.contains(.closeRequested(by: .user)))
        page.message(.host, ["k": "close"], in: page.target)
        #expect(harness.events.contains(.closeRequested(by: .user)))
    }

    @Test("requests: a public server is reached, this network is not, an allowed host is requested by the stage")
    func requests() async throws {
        let allowed = try #require(HTTPURL("http://127.0.0.1:8080/"))
        let settings = StageSettings(
            screen: Size(width: 390, height: 844),
            allowedHosts: [allowed],
            transport: Greeting()
        )
        let harness = PresenterHarness(settings: settings)
        let (_, page) = try await harness.show()
        let open = page.request("https://cdn.example/a.js", .script)
        #expect(page.commands.last == .proceed(open))
        let local = page.request("http://192.168.0.1/router")
        #expect(page.commands.last == .fail(local, .blocked))
        #expect(harness.blocked.map(\.detail) == ["a request to the local network: http://192.168.0.1/router"])
        let own = page.request("http://127.0.0.1:8080/a")
        var isAnswered = false
        for await command in page.sent {
            guard case .answer(own, let response) = command else { continue }
            #expect(response.status == 200 && response.body == Array("hi".utf8))
            isAnswered = true
            break
        }
        #expect(isAnswered)
    }

    @Test("a script that measures has requests after the close, all recorded, and none once the stage has ended")
    func lateRequests() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        let listens: AdJSON = ["k": "listen", "type": "impression", "n": 1]
        let message = EngineMessage(.omid, listens.text(), from: .page(frame: page.creative.name))
        page.report(.message(message), in: page.creative)
        let isClosed = Locked(false)
        let closing = Task {
            await stage.close(.host)
            isClosed.withLock { $0 = true }
        }
        // Another thread may be handling the close, and then handles the request after it.
        var sent = page.sent.makeAsyncIterator()
        while let command = await sent.next() {
            if case .evaluate(let run, _) = command, run.script == "yabbiHide()" { break }
        }
        let last = page.request("https://vendor.example/sessionFinish")
        while let command = await sent.next(), command != .proceed(last) {}
        #expect(page.commands.contains(.proceed(last)))
        while !isClosed.withLock({ $0 }) {
            page.passTime()
            await Task.yield()
        }
        await closing.value
        #expect(
            harness.notifications.contains {
                if case .request(let request) = $0 {
                    request.url == "https://vendor.example/sessionFinish"
                } else {
                    false
                }
            }
        )
        let late = page.request("https://vendor.example/sessionFinish")
        while let command = await sent.next(), command != .fail(late, .aborted) {}
        #expect(page.commands.contains(.fail(late, .aborted)) && !page.commands.contains(.proceed(late)))
    }

    // MARK: Messages, pictures, errors

    @Test("a provider's page and the app exchange messages; a nested frame can't")
    func messages() async throws {
        let harness = PresenterHarness()
        let address = try #require(HTTPURL("https://p.example/"))
        let (stage, page) = try await harness.show(.page(PageCreative(address, userAgent: "ua", bridges: ["App"])))
        await stage.post("to the page")
        let received = page.commands.compactMap { command -> String? in
            if case .call(_, let argument, .page(page.frame), page.target) = command { argument } else { nil }
        }
        #expect(received == ["to the page"])
        let own = EngineMessage(.bridge, "to the app", from: .page(frame: page.frame))
        page.report(.message(own))
        #expect(harness.events.last == .message("to the app"))
        page.report(.message(EngineMessage(.bridge, "forged", from: .page(frame: "nested"))))
        #expect(!harness.events.contains(.message("forged")) && harness.blocked.count == 1)
    }

    @Test("a picture has the size of the screen, and is decoded")
    func picture() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        #expect(try await stage.screenshot(.webp) == Array("hello".utf8))
        let capture = EngineCapture(format: .webp, clip: Size(width: 390, height: 844))
        #expect(page.commands.last == .capture(capture, in: page.target))
    }

    @Test("script errors and calls of console.error are reported once")
    func errors() async throws {
        let harness = PresenterHarness()
        let (_, page) = try await harness.show()
        for _ in 0..<2 {
            page.report(.scriptError(ScriptError("Uncaught x")), in: page.creative)
            page.report(.console(.error, ScriptError("console.error: y")), in: page.creative)
        }
        let messages = harness.events.compactMap { event -> String? in
            if case .diagnostic(.scriptError(let error)) = event { error.message } else { nil }
        }
        #expect(messages == ["Uncaught x", "console.error: y"])
    }
}

/// Answers each request with "hi".
private struct Greeting: Transport {
    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        AdHTTPResponse(status: 200, body: Array("hi".utf8), url: request.url)
    }
}
