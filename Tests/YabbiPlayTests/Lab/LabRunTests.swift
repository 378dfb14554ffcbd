import AdCore
import BrowserSupport
import EngineSupport
import PlayConsole
import PlayStages
import PlaySupport
import SystemSupport
import TestSupport
import Testing

@testable import ChromiumStage
@testable import LoopbackServer
@testable import PlayLab
@testable import YabbiPlay

/// An ad in a lab, whose events a test can wait for.
private struct LabScene {
    let host: CommandLabHost
    let ad: LabAd
    let run: any LabRun

    init(
        _ source: LabOrder.Source,
        _ options: [LabField] = [],
        beside other: LabScene? = nil,
        in engine: BrowserEngineKind = .chromium
    ) throws {
        var settings = LabSettings(creatives: PackageFolder.path + "/Creatives", isSandboxed: true)
        settings.engine = engine
        self.host = try other?.host ?? CommandLabHost(settings)
        let lab = Lab(self.host) { WallTime(milliseconds: 0) }
        self.ad = try lab.start(LabOrder(source, options: options), ordered: [:])
        self.run = try #require(self.ad.run)
    }

    /// The events so far, as JSON.
    var events: [AdJSON] {
        var cursor = EventCursor(line: 0)
        var text = ""
        while let bytes = self.ad.next(&cursor) { text += String(decoding: bytes, as: UTF8.self) }
        return text.split(separator: "\n").filter { $0.hasPrefix("data: {") }.compactMap {
            try? AdJSON(parsing: String($0.dropFirst(6)))
        }
    }

    /// Waits until something holds, looking again after each change of the ad; the time limit of the test ends it.
    func wait(_ sourceLocation: SourceLocation = #_sourceLocation, until isMet: (LabScene) -> Bool) async {
        while !Task.isCancelled {
            let generation = self.ad.waker.generation
            if isMet(self) { return }
            let change = OneShot<Void>()
            let number = self.ad.waker.add(since: generation) { change.set(()) }
            if number == nil { continue }
            await withTaskCancellationHandler {
                await change.value
            } onCancel: {
                change.set(())
            }
        }
        Issue.record("The ad did not get there.", sourceLocation: sourceLocation)
    }

    func wait(for event: String, _ sourceLocation: SourceLocation = #_sourceLocation) async {
        await self.wait(sourceLocation) { $0.events.contains { $0["event"]?.string == event } }
    }

    func end() async {
        self.run.end()
        await self.wait { $0.ad.hasEnded }
        await self.host.close()
    }
}

@Suite("Ads in the lab", .needsBrowser, .timeLimit(.minutes(2)))
struct LabRunTests {
    private static let banner = """
        <a href="https://shop.example/" target="_blank" style="position:fixed;inset:0;background:#06c">Shop</a>
        <script>console.log("hello")</script>
        """

    /// index.html, which has a script and a link, and ad.js.
    private static let zip = """
        UEsDBBQAAAAAAAAAIQDz/wn3RgAAAEYAAAAKAAAAaW5kZXguaHRtbDxzY3JpcHQgc3JjPSdhZC5qcyc+PC9zY3JpcHQ+PGEgaHJl\
        Zj0naHR0cHM6Ly9zaG9wLmV4YW1wbGUvJz5IZWxsbzwvYT5QSwMEFAAAAAAAAAAhAGSVMZYKAAAACgAAAAUAAABhZC5qc2xldCBh\
        ID0gMTtQSwECFAMUAAAAAAAAACEA8/8J90YAAABGAAAACgAAAAAAAAAAAAAAgAEAAAAAaW5kZXguaHRtbFBLAQIUAxQAAAAAAAAA\
        IQBklTGWCgAAAAoAAAAFAAAAAAAAAAAAAACAAW4AAABhZC5qc1BLBQYAAAAAAgACAGsAAACbAAAAAAA=
        """

    @Test("pasted markup is shown with pictures; a tap is a click; the report, HAR, trace and screenshot are there")
    func markup() async throws { try await self.showMarkup(in: .chromium) }

    @Test("the same in WebKit", .needsBothEngines)
    func webKit() async throws { try await self.showMarkup(in: .webKit) }

    private func showMarkup(in engine: BrowserEngineKind) async throws {
        let source = LabOrder.Source.document(Array(Self.banner.utf8), name: "pasted")
        let scene = try LabScene(source, [LabField("size", "300x250")], in: engine)
        await scene.wait(for: "view")
        await scene.wait { $0.ad.latestPicture(after: 0).picture != nil }
        scene.run.send(.tap(x: 195, y: 150))
        await scene.wait(for: "click")
        await scene.wait { $0.events.contains { $0["event"] == "console" && $0["text"] == "hello" } }
        await scene.wait { $0.ad.part(.verdict)?["rating"] == "good" }
        await scene.wait { scene in
            (scene.ad.part(.trackers)?.array ?? []).contains { $0["event"] == "click" && $0["outcome"] == "fired" }
        }
        let report = try #require(await scene.run.file(.report))
        #expect(report.starts(with: Array("<!doctype html>".utf8)))
        let har = try AdJSON(parsing: try #require(await scene.run.file(.har)))
        #expect(har["log"]?["entries"]?.array?.isEmpty == false)
        #expect(await scene.run.file(.trace)?.starts(with: Array(#"{"trace":"#.utf8)) == true)
        #expect(await scene.run.file(.screenshot)?.starts(with: [0x89, 0x50]) == true)
        let document = await scene.run.source()["documents"]?.array?.first
        #expect(document?["name"] == "pasted" && document?["text"]?.string == Self.banner)
        await scene.end()
        #expect(scene.events.last?["event"] == "verdict" || scene.events.contains { $0["event"] == "closed" })
    }

    @Test("a VAST tag follows the wrapper; the structure has the chain without a second request")
    func wrapper() async throws {
        let scene = try LabScene(.bundled("video-wrapper"), [LabField("speed", "8"), LabField("no-beacons", "")])
        await scene.wait(for: "quartile")
        #expect(scene.events.contains { $0["event"] == "fetch" && $0["what"] == "wrapper" })
        let requests = scene.events.count { $0["what"] == "wrapper" }
        let structure = await scene.run.structure()["nodes"]?.text() ?? ""
        #expect(structure.contains("wrapper chain"))
        #expect(scene.events.count { $0["what"] == "wrapper" } == requests)
        #expect(scene.events.contains { $0["event"] == "beaconWithheld" })
        await scene.end()
    }

    @Test("the markup in an ad response and the scripts of a zip are documents of their own")
    func documents() async throws {
        let bundled = try LabScene(.bundled("video-wrapper"), [LabField("speed", "8")])
        await bundled.wait(for: "loaded")
        let found = await bundled.run.source()["documents"]?.array ?? []
        let response = found.firstIndex { $0["kind"] == "answer" } ?? found.endIndex
        #expect(found.dropFirst(response + 1).first?["kind"] == "vast")
        #expect(found.dropFirst(response + 1).first?["name"]?.string?.hasPrefix("adm in ") == true)
        await bundled.end()
        let zip = try #require(Base64.bytes(Self.zip))
        let scene = try LabScene(.document(zip, name: "ad.zip"))
        await scene.wait(for: "loaded")
        let documents = await scene.run.source()["documents"]?.array ?? []
        let script = try #require(documents.first { $0["name"] == "ad.zip/ad.js" })
        #expect(script["text"] == "let a = 1;" && script["findings"] == .null && script["kind"] == "file")
        #expect(documents[0]["findings"]?.array != nil)
        await scene.end()
        // Of a response with several bids, all are there.
        let bids = #"{"bids": [{"cpm": 1, "ad": "<p>one</p>"}, {"cpm": 2, "ad": "<p>two</p>"}]}"#
        let prebid = try LabScene(.document(Array(bids.utf8), name: "pasted"))
        await prebid.wait(for: "loaded")
        let names = (await prebid.run.source()["documents"]?.array ?? []).map { $0["name"]?.string ?? "" }
        #expect(names.filter { $0.contains(" of bid ") }.count == 2, "\(names)")
        await prebid.end()
    }

    @Test("of a tag that fails to load, each tracker is listed with the reason")
    func unloaded() async throws {
        let vast = """
            <VAST version="4.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle>
            <Impression>https://t.example/i</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>
            <TrackingEvents><Tracking event="start">https://t.example/s</Tracking></TrackingEvents>
            </Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        let scene = try LabScene(.document(Array(vast.utf8), name: "pasted"))
        await scene.wait { $0.ad.hasEnded }
        let rows = scene.ad.part(.trackers)?.array ?? []
        let events = rows.map { $0["event"]?.string ?? "" }
        #expect(events.contains("impression") && events.contains("start"), "\(events)")
        #expect(
            rows.filter { $0["event"] == "start" }.allSatisfy { row in
                row["outcome"] == "notFired" && row["reason"] == "the ad failed to load"
            }
        )
        await scene.host.close()
    }

    @Test("text that is no tag is shown with a warning; servers that the user allows are no finding")
    func content() async throws {
        let words = try LabScene(.document(Array("def main(): pass".utf8), name: "main.py"))
        await words.wait(for: "view")
        await words.wait { $0.ad.part(.verdict)?["text"]?.string?.hasPrefix("Content: no tag") == true }
        #expect(words.ad.part(.verdict)?["rating"] == "warn")
        await words.end()
        let vast = """
            <VAST version="4.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle>
            <Impression>http://127.0.0.1:9/i</Impression><Creatives/></InLine></Ad></VAST>
            """
        for (options, isFound) in [([], true), ([LabField("allow-host", "http://127.0.0.1:9")], false)] {
            let scene = try LabScene(.document(Array(vast.utf8), name: "pasted"), options)
            await scene.wait { $0.ad.hasEnded }
            let findings = await scene.run.source()["documents"]?.array?.first?["findings"]?.text() ?? ""
            #expect(findings.contains("url-private-host") == isFound, "\(findings)")
            await scene.host.close()
        }
    }

    @Test("a failed load is told while its error beacon is still tried; the structure has the reason of the request")
    func failedWrapper() async throws {
        let vast = """
            <VAST version="4.0"><Ad><Wrapper><AdSystem>a</AdSystem><Error>http://error.invalid/e</Error>
            <VASTAdTagURI>http://dead.invalid/v</VASTAdTagURI></Wrapper></Ad></VAST>
            """
        let scene = try LabScene(.document(Array(vast.utf8), name: "pasted"))
        await scene.wait { $0.ad.part(.state)?["error"]?["message"] != nil }
        await scene.wait { $0.ad.part(.verdict)?["rating"] == "bad" }
        #expect(!scene.ad.hasEnded, "the beacon is tried again")
        let structure = await scene.run.structure().text()
        #expect(structure.contains("http://dead.invalid/v: ") && !structure.contains("not requested"), "\(structure)")
        await scene.end()
    }

    @Test("offline, covered, rotated and resized: the surroundings change while the ad is on screen")
    func surroundings() async throws {
        let scene = try LabScene(.document(Array(Self.banner.utf8), name: "pasted"))
        await scene.wait(for: "view")
        try scene.run.perform(.step("cover"))
        await scene.wait { $0.ad.part(.state)?["covered"] == true }
        await scene.wait { $0.events.contains { $0["event"] == "host" && $0["what"] == "covered" } }
        try scene.run.perform(.step("uncover"))
        try scene.run.perform(.online(false))
        await scene.wait { $0.ad.part(.state)?["offline"] == true }
        let told = scene.events.filter { $0["event"] == "host" }.compactMap { $0["what"]?.string }
        #expect(told == ["covered", "uncovered", "offline"])
        try scene.run.perform(.resize(Size(width: 600, height: 500)))
        await scene.wait { $0.ad.part(.state)?["screen"]?["width"]?.number == 600 }
        #expect(throws: LabError.self) { try scene.run.perform(.step("fly")) }
        try scene.run.perform(.step("close"))
        await scene.wait { $0.ad.hasEnded }
        #expect(scene.ad.part(.state)?["screen"]?["width"]?.number == 600, "an ended ad keeps its size")
        #expect(scene.events.contains { $0["event"] == "closed" && $0["reason"] == "user" })
        await scene.host.close()
    }

    @Test("two runs are compared by what they did, with their pictures and the pixels that differ")
    func compared() async throws {
        let size = [LabField("size", "300x250")]
        let first = try LabScene(.document(Array(Self.banner.utf8), name: "pasted"), size)
        let changed = Self.banner.replacing("#06c", with: "#c60").replacing("hello", with: "goodbye")
        let second = try LabScene(.document(Array(changed.utf8), name: "pasted"), size, beside: first)
        for scene in [first, second] { await scene.wait(for: "view") }
        // The second one is clicked.
        second.run.send(.tap(x: 195, y: 150))
        await second.wait(for: "click")
        for scene in [first, second] {
            scene.run.end()
            await scene.wait { $0.ad.hasEnded }
        }
        let comparison = try await first.host.compare(.run(first.run), .run(second.run))
        let counts = comparison["counts"]
        #expect(counts?["tracker"]?.number ?? 0 > 0 && counts?["event"]?.number ?? 0 > 0)
        #expect(counts?["console"] == 2 && counts?["lint"] == 0, "\(comparison["differences"]?.text() ?? "")")
        let pictures = try #require(comparison["pictures"]?.array?.first)
        // The banner has a quarter of the screen.
        #expect(pictures["share"].map { abs(($0.number ?? 0) - 300 * 250 / (390 * 844)) < 0.02 } == true)
        #expect(pictures["a"]?.string?.hasPrefix("data:image/webp;base64,") == true)
        #expect(pictures["difference"]?.string?.hasPrefix("data:image/png;base64,") == true)
        let same = try await first.host.compare(.run(first.run), .run(first.run))
        #expect(same["differences"] == [] && same["pictures"]?.array?.first?["share"] == 0)
        // The report page of yesterday has the run and its pictures.
        let page = try #require(await first.run.file(.report))
        let saved = try await first.host.compare(.file(page, name: "report.html"), .run(first.run))
        #expect(saved["differences"] == [], "\(saved["differences"]?.text() ?? "")")
        let trace = try #require(await first.run.file(.trace))
        let traced = try await first.host.compare(.file(trace, name: "ad.trace"), .run(second.run))
        #expect(traced["counts"]?["event"]?.number ?? 0 > 0 && traced["notes"]?.array?.isEmpty == false)
        do throws(LabError) {
            _ = try await first.host.compare(.file(Array("{}".utf8), name: "x.json"), .run(first.run))
            Issue.record("a file without a run was compared")
        } catch {
            #expect(error.field == "a" && error.message.hasPrefix("x.json is JSON, but no run"))
        }
        await first.host.close()
    }

    @Test("an ad whose browser dies ends with the reason, and the next one gets a new browser")
    func browserDies() async throws {
        let scene = try LabScene(.document(Array(Self.banner.utf8), name: "pasted"))
        await scene.wait(for: "view")
        var options = BrowserOptions()
        options.scale = 2
        let browser = try scene.host.browsers.take(options, screen: Size(width: 390, height: 844), limit: 8)
        try #require((browser as? SharedChromium)?.engine.host.engine).close()
        await scene.wait { $0.ad.hasEnded }
        #expect(scene.events.contains { $0["event"] == "closed" || $0["event"] == "showFailed" })
        let next = try LabScene(.document(Array(Self.banner.utf8), name: "pasted"))
        await next.wait(for: "view")
        #expect(!next.events.contains { $0["ad"] == scene.events.first?["ad"] }, "nothing of one ad is in another")
        await next.end()
    }

    @Test("a tag that never ends is ended by its page")
    func endlessTag() async throws {
        let asked = Waker()
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { _ in
            asked.wake()
            var response = ServerResponse(status: 504)
            response.later = LaterResponse(waker: Waker(), limit: .seconds(3600)) { nil }
            return response
        }
        defer { server.stop() }
        let scene = try LabScene(.address("http://127.0.0.1:\(server.port)/tag"))
        #expect(scene.ad.part(.state)?["state"] == "fetching" || scene.ad.part(.state) == nil)
        let isAsked = OneShot<Void>()
        if asked.add(since: 0, { isAsked.set(()) }) == nil { isAsked.set(()) }
        await isAsked.value
        scene.run.end()
        await scene.wait { $0.ad.hasEnded }
        #expect(scene.ad.part(.verdict)?["rating"] == "bad")
        await scene.host.close()
    }

    @Test("an ad that fails says why, and the lab goes on")
    func failed() async throws {
        let scene = try LabScene(.address("/nonexistent/tag.xml"))
        await scene.wait { $0.ad.hasEnded }
        #expect(scene.ad.part(.state)?["error"]?["message"]?.string?.contains("can't be read") == true)
        #expect(scene.ad.part(.verdict)?["rating"] == "bad")
        await scene.host.close()
    }

    @Test("options that the lab sets itself, unknown ones and wrong values are refused with their field")
    func refused() throws {
        func field(_ name: String, _ value: String) -> String? {
            do throws(LabError) {
                let order = LabOrder(.bundled("leaf"), options: [LabField(name, value)])
                _ = try LabArguments(order, LabSettings(creatives: nil, isSandboxed: true))
                return nil
            } catch {
                return error.field
            }
        }
        for (name, value) in [
            ("json", ""), ("ledger", "x"), ("open", ""), ("sped", "4"), ("size", "big"), ("device", "x"),
        ] {
            #expect(field(name, value) == name)
        }
        #expect(field("speed", "4") == nil)
    }
}
