import AdCore
import AdRuntime
import BrowserSupport
import EngineSupport
import PlaySupport
import SystemSupport
import TestSupport
import Testing

@testable import ChromiumStage
@testable import PlayConsole
@testable import PlayReport
@testable import PlayText
@testable import WebStage
@testable import YabbiPlay

private let hasBrowser = (try? ChromiumBinary.find(named: nil)) != nil
private let reason: Comment = "no browser is installed; Scripts/setup.sh installs one where apt has it"

@Suite("Reports in a browser", .needsBrowser, .timeLimit(.minutes(2)))
struct BrowserReportTests {
    @Test("a report opens without errors and requests, and its figures match the trace")
    func whole() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (code, console) = await play(
            "show",
            "--unit",
            "redirect-by-itself",
            "--json",
            "--do",
            "click@1500ms",
            "--report",
            folder.path + "/out"
        )
        #expect(code == .done && console.err.isEmpty)
        #expect(console.json.last?["event"] == "report")
        let bytes = folder.bytes("out/report.html")
        let reader = try await PageReader(bytes)
        let figures = try await reader.evaluate(
            "Object.fromEntries([...document.querySelectorAll('[data-figure]')].map((b) => [b.dataset.figure, +b.textContent]))"
        )
        for (figure, event) in [
            ("shown", "shown"), ("views", "view"), ("clicks", "click"), ("delivered", "beaconDelivered"),
            ("blocked", "blocked"),
        ] {
            let count = console.events.count { $0 == event }
            #expect(figures[figure]?.number == Double(count), "\(figure)")
        }
        let traced = try await reader.evaluate(
            "JSON.parse(document.getElementById('trace').textContent).map((e) => e.event)"
        )
        let printed = console.json.filter { $0["ad"] != nil && $0["event"] != "verdict" && $0["event"] != "ignored" }
        #expect(traced == .array(printed.compactMap { $0["event"] }))
        let pictures = try await reader.evaluate(
            "[...document.images].every((i) => i.complete && i.naturalWidth > 0) && document.querySelectorAll('.pictures img').length"
        )
        #expect(pictures.number == 2)
        #expect(reader.errors.isEmpty, "\(reader.errors)")
        #expect(reader.requests == ["https://report.invalid/"])
        let har = try AdJSON(parsing: folder.bytes("out/requests.har"))
        let made = har["log"]?["entries"]?.array?.compactMap { $0["_initiator"]?.string } ?? []
        #expect(made.contains("runtime") && made.contains("creative"))
        await reader.close()
    }

    @Test("a video has a picture of its middle and one of its end card, and its beacons are listed")
    func video() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let (code, console) = await play(
            "show",
            "--unit",
            "video-inline",
            "--stage",
            "chromium",
            "--json",
            "--speed",
            "4",
            "--report",
            folder.path + "/out"
        )
        #expect(code == .done && console.err.isEmpty, "\(console.err)")
        let page = String(decoding: folder.bytes("out/report.html"), as: UTF8.self)
        let pictures = page.split(separator: "class=\"strip\"")[0]
        let captions = pictures.split(separator: "<figcaption>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        try #require(captions.count == 2, "\(captions)")
        #expect(captions[0].hasPrefix("Video, about ") && captions[0].hasSuffix(" s of 15 s"))
        #expect(captions[1] == "End card")
        #expect(page.contains("no issues found"), "the linter finds nothing in the built-in tag")
        let recorded = console.events.count { $0 == "beaconRecorded" }
        #expect(page.contains("<b>\(recorded) of \(recorded) delivered</b>"))
    }

    @Test("on a narrow screen the page is not wider than the screen, even with long words")
    func narrow() async throws {
        let text = String(repeating: "verylongwordwithoutanyspace", count: 40)
        let key = BeaconKey(ad: ReportScenes.ad, event: BeaconEvent(text))
        var ad = ReportScenes.reportedAd(
            ReportScenes.events + [
                ReportScenes.record(.beaconRecorded(key, ReportScenes.address("https://\(text).example/")), at: 2_400),
                ReportScenes.record(.blocked(BlockedAttempt(.popup, text)), at: 2_500),
            ],
            title: text
        )
        ad.verdicts = [Verdict(event: text, hasFired: true, reason: text)]
        ad.requests = [ReportScenes.request("https://a.example/" + text, at: 0, .failed(.other(text)))]
        for ads in [[ad], [ad, ad]] {
            let reader = try await PageReader(Array(ReportScenes.page(ads).utf8))
            for width in [1280, 420, 320] {
                let screen: AdJSON = [
                    "width": .int(Int64(width)), "height": 800, "deviceScaleFactor": 1, "mobile": false,
                ]
                try await reader.send("Emulation.setDeviceMetricsOverride", screen)
                let wide = try await reader.evaluate("document.documentElement.scrollWidth")
                #expect(wide.number == Double(width))
            }
            await reader.close()
        }
    }

    @Test("the page follows the system's light or dark scheme")
    func schemes() async throws {
        let reader = try await PageReader(Array(ReportScenes.page([ReportScenes.reportedAd()]).utf8))
        var colors: [AdJSON] = []
        for scheme in ["light", "dark"] {
            let media: AdJSON = ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]]
            try await reader.send("Emulation.setEmulatedMedia", media)
            colors.append(try await reader.evaluate("getComputedStyle(document.body).backgroundColor"))
        }
        #expect(colors[0] != colors[1] && reader.errors.isEmpty)
        let isNarrow = try await reader.evaluate("document.documentElement.scrollWidth <= innerWidth")
        #expect(isNarrow == true)
        await reader.close()
    }
}

/// Opens a page in a separate browser, and collects its errors and requests.
final class PageReader: Sendable {
    private let browser: Browser
    private let session: DevToolsSession
    private let log = Locked<(errors: [String], requests: [String])>(([], []))

    var errors: [String] { self.log.withLock(\.errors) }
    var requests: [String] { self.log.withLock(\.requests) }

    init(_ page: [UInt8]) async throws {
        var options = ChromiumOptions()
        options.network = .closed
        self.browser = try Browser(try ChromiumBinary.find(named: nil), options)
        let empty = try await self.browser.makePage(on: Size(width: 800, height: 600), within: EngineTime.limit)
        self.session = empty.target
        let loaded = OneShot<Bool>()
        self.browser.listen(to: self.session) { [browser, log] report in
            guard case .event(let event) = report else { return }
            switch event.method {
            case "Fetch.requestPaused":
                guard let request = EngineRequest(event) else { return }
                log.withLock { $0.requests.append(request.url) }
                let answer = request.response(document: String(decoding: page, as: UTF8.self), [])
                for command in DevToolsTranslator().commands(for: answer) { browser.post(command) }
            case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
                log.withLock { $0.errors.append(event.params.text()) }
            case "Page.loadEventFired": loaded.set(true)
            default: break
            }
        }
        for method in ["Page.enable", "Runtime.enable", "Log.enable", "Network.enable"] { try await self.send(method) }
        try await self.send("Fetch.enable", ["patterns": [["urlPattern": "*"]]])
        try await self.send("Page.navigate", ["url": "https://report.invalid/"])
        _ = await loaded.value
    }

    func send(_ method: String, _ params: AdJSON = [:]) async throws {
        _ = try await self.browser.call(DevToolsCommand(method, params, in: self.session))
    }

    func evaluate(_ expression: String, awaits: Bool = false) async throws -> AdJSON {
        let params: AdJSON = [
            "expression": .string(expression), "returnByValue": true, "awaitPromise": .bool(awaits),
        ]
        let answer = try await self.browser.call(DevToolsCommand("Runtime.evaluate", params, in: self.session))
        return answer["result"]?["value"] ?? .null
    }

    func close() async {
        self.browser.close()
        await self.browser.untilGone()
    }
}
