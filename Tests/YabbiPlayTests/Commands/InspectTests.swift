import AdCore
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayInspect
@testable import PlayText
@testable import YabbiPlay

@Suite("Inspecting documents")
struct InspectTests {
    private let good = """
        <VAST version="3.0"><Ad id="1"><InLine><AdSystem>S</AdSystem><AdTitle>Tea \u{1B}[31m</AdTitle>
        <Impression>https://t.example/i?token=secret</Impression><Creatives><Creative><Linear><Duration>15</Duration>
        <MediaFiles><MediaFile type="video/mp4" width="640" height="360">https://m.example/v.mp4</MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """.replacing("\u{1B}", with: "")

    /// Inspects texts as files.
    ///
    /// Names without a text are missing files.
    private func inspect(_ texts: [String: String], _ words: [String]) async throws -> (ExitCode, BufferConsole) {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for (name, text) in texts { _ = try #require(folder.write(text, name)) }
        let console = BufferConsole()
        let paths = words.map { $0.hasPrefix("-") ? $0 : folder.path + "/" + $0 }
        return (await YabbiPlay.run(["inspect"] + paths, console), console)
    }

    @Test("responses of card providers are inspected like others")
    func cards() async throws {
        let answers = [
            "attentionmarket": #"{"ad": {"creative": {"title": "Pots"}, "click_url": "https://a.example/"}}"#,
            "ceedads": #"{"ok": true, "requestId": "r", "ad": {"title": "Pots", "ctaUrl": "https://a.example/"}}"#,
            "activeads": #"{"ads": [{"format": "banner", "title": "Pots", "cta_url": "data:x"}]}"#,
        ]
        for (provider, answer) in answers {
            let (code, console) = try await self.inspect(["a.json": answer], ["--json", "a.json"])
            #expect(code == .done)
            let result = try #require(console.json.first?["result"])
            #expect(result["provider"]?.string == provider)
            #expect(result["ads"]?.array?.first?["card"]?["headline"] == "Pots")
            let (_, text) = try await self.inspect(["a.json": answer], ["a.json"])
            #expect(text.out.contains { $0.contains("Sponsored") })
        }
    }

    @Test("bids of Prebid.js are inspected by their markup, and a bid without markup is an error")
    func prebid() async throws {
        let bids = #"{"bids": [{"cpm": 1, "vastXml": "<VAST version='3.0'/>"}, {"cpm": 2, "ad": "<p>Hello</p>"}]}"#
        let (code, console) = try await self.inspect(["b.json": bids], ["--json", "b.json"])
        #expect(code == .done)
        let read = try #require(console.json.first?["result"]?["bids"]?.array)
        #expect(read.compactMap { $0["field"]?.string } == ["vastXml of bid 1", "ad of bid 2"])
        #expect(read[0]["markup"]?["version"] == "3.0")
        let (_, text) = try await self.inspect(["b.json": bids], ["b.json"])
        #expect(text.out.first?.contains("Prebid.js bids, 2 creatives") == true)
    }

    @Test(
        "an empty, binary or too large input has no VAST error code",
        arguments: ["a.html", "a.xml"]
    )
    func noVAST(name: String) async throws {
        let many = String(repeating: "<b></b>", count: 100_001)
        for (text, words) in [("", "is empty"), ("\u{1}\u{0}\u{2}PNG", "binary file"), (many, "tags")] {
            let (code, console) = try await self.inspect([name: text], ["--json", name])
            #expect(code == .invalidCreative)
            let error = try #require(console.json.first?["result"]?["error"])
            #expect(error["code"] == .null)
            #expect(error["message"]?.string?.contains(words) == true, "\(error)")
        }
    }

    @Test("a tracker with an invalid URL is listed with the reason, and not as fired")
    func uncallable() async throws {
        let text = self.good.replacing("<Impression>", with: "<Error>/err?c=[ERRORCODE]</Error><Impression>")
        let (_, console) = try await self.inspect(["a.xml": text, "map.json": "{}"], ["--follow", "a.xml"])
        let line = try #require(console.out.first { $0.contains("/err?c=") && $0.contains("spot-1/error") })
        #expect(line.contains("(from the input; not called: "), "\(line)")
        #expect(console.out.contains { $0.contains("spot-1/impression") && $0.hasSuffix("(from the input)") })
        let (_, parsed) = try await self.inspect(["a.xml": text], ["--follow", "--json", "a.xml"])
        let issues = try #require(parsed.json.first?["result"]?["followed"]?["issues"]?.array)
        let messages = issues.filter { $0["code"] == "vast.tracker.noURL" }.compactMap { $0["message"]?.string }
        #expect(messages.contains { $0.contains("the error tracker /err?c=") }, "\(issues)")
    }

    @Test("each input has a line of JSON, unreadable ones included, and the worst decides the exit code")
    func json() async throws {
        let (code, console) = try await self.inspect(
            ["good.xml": self.good, "bad.xml": "{}"],
            ["--json", "good.xml", "missing.xml", "bad.xml", "good.xml"]
        )
        #expect(code == .invalidCreative)
        #expect(console.err.count == 1 && console.err[0].contains("2 of 4 inputs"))
        #expect(console.json.count == 4)
        let results = console.json.compactMap { $0["result"] }
        #expect(results.map { $0["error"] == .null } == [true, false, false, true])
        #expect(results[2]["error"]?["code"]?.number == 100)
        let ad = try #require(results[0]["ads"]?.array?.first)
        #expect(ad["type"]?.string == "inline" && ad["sequence"] == .null)
        #expect(ad["impressions"]?.array?.first?.string == "https://t.example/i?token=secret")
        let linear = try #require(ad["creatives"]?.array?.first)
        #expect(linear["kind"]?.string == "linear" && linear["duration"]?.number == 15)
        #expect(linear["mediaFiles"]?.array?.first?["width"]?.number == 640)
        let issue = try #require(results[0]["issues"]?.array?.first)
        #expect(issue["code"]?.string == "vast.duration.odd" && issue["line"]?.number == 2)
    }

    @Test("text output is a tree without secrets and control characters")
    func tree() async throws {
        let (code, console) = try await self.inspect(["good.xml": self.good], ["good.xml"])
        #expect(code == .done && console.err.isEmpty)
        let text = console.out.joined(separator: "\n")
        for part in [
            "VAST 3.0, 1 ad", "linear, 15 s", "video/mp4, 640x360", "token=***", "vast.duration.odd (line 2)",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("secret") && !text.contains("\u{1B}"))
    }

    @Test("a VMAP document has each ad break with its source and its VAST")
    func vmap() async throws {
        let plan = """
            <vmap:VMAP xmlns:vmap="x" version="1.0"><vmap:AdBreak timeOffset="start" breakType="linear" breakId="pre">
            <vmap:AdSource id="1" allowMultipleAds="true"><vmap:VASTAdData>\(self.good)</vmap:VASTAdData></vmap:AdSource>
            <vmap:TrackingEvents><vmap:Tracking event="breakStart">https://t.example/s</vmap:Tracking></vmap:TrackingEvents>
            </vmap:AdBreak><vmap:AdBreak timeOffset="00:10:00" breakType="linear"><vmap:AdSource>
            <vmap:AdTagURI templateType="vast3">https://tag.example/</vmap:AdTagURI></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
            """
        let (code, console) = try await self.inspect(["plan.xml": plan], ["--json", "plan.xml"])
        #expect(code == .done)
        let breaks = try #require(console.json.first?["result"]?["adBreaks"]?.array)
        #expect(breaks.compactMap { $0["timeOffset"]?.string } == ["start", "00:10:00"])
        #expect(breaks[0]["tracking"] == [["breakStart", "https://t.example/s"]])
        let source = try #require(breaks[0]["adSource"])
        #expect(source["allowMultipleAds"] == "true" && source["hasVAST"] == true && source["customData"] == false)
        #expect(source["vast"]?["ads"]?.array?.count == 1)
        #expect(breaks[1]["adSource"]?["adTagURI"] == ["templateType": "vast3", "uri": "https://tag.example/"])
        let (_, tree) = try await self.inspect(["plan.xml": plan], ["plan.xml"])
        let text = tree.out.joined(separator: "\n")
        for part in [
            "VMAP 1.0, 2 breaks", "break pre at start", "ad 1 (inline)",
            "AdTagURI                    https://tag.example/",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test("a document that can't be fetched is reported without a VAST error code")
    func notFetched() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults([
            "/vast/bad": [Sandbox.Fault(.status(502), times: 10)],
            "/vast/none": [Sandbox.Fault(.status(204), times: 10)],
        ])
        let gone = "http://127.0.0.1:1/tag"
        let inputs = [
            ("\(sandbox.baseURL.text)vast/bad", "502"),
            ("\(sandbox.baseURL.text)vast/none", "status 204 and without a body"),
            (gone, "can't be fetched"), ("/nowhere/a.xml", "can't be read"),
        ]
        for (input, words) in inputs {
            let console = BufferConsole()
            let code = await YabbiPlay.run(["inspect", "--json", input], console)
            #expect(code == .invalidCreative)
            let error = try #require(console.json.first?["result"]?["error"])
            #expect(error["code"] == .null && error["line"] == .null)
            #expect(error["message"]?.string?.contains(words) == true, "\(error)")
            let text = BufferConsole()
            _ = await YabbiPlay.run(["inspect", input], text)
            #expect(text.out.first?.contains(words) == true && text.out.first?.contains("error 100") == false)
        }
    }

    @Test("interactive files and mezzanines are in the tree and in the JSON")
    func programs() async throws {
        let more = """
            <MediaFiles><Mezzanine type="video/mp4" width="1920" height="1080">https://m.example/raw.mp4</Mezzanine>
            <InteractiveCreativeFile type="text/html" apiFramework="SIMID">https://s.example/s.html</InteractiveCreativeFile>
            """
        let text = self.good.replacing("<MediaFiles>", with: more)
        let (_, console) = try await self.inspect(["a.xml": text], ["a.xml"])
        let tree = console.out.joined(separator: "\n")
        #expect(tree.contains("interactive                 SIMID, text/html  https://s.example/s.html"), "\(tree)")
        #expect(tree.contains("mezzanine                   video/mp4, 1920x1080  https://m.example/raw.mp4"))
        let (_, json) = try await self.inspect(["a.xml": text], ["--json", "a.xml"])
        let linear = json.json.first?["result"]?["ads"]?.array?.first?["creatives"]?.array?.first
        #expect(linear?["interactive"]?.array?.count == 1 && linear?["mezzanine"]?["width"]?.number == 1920)
    }

    @Test("an input that is not VAST is named by its kind")
    func others() async throws {
        let texts = ["object.json": "{\"a\": 1}", "root.xml": "<Plan/>", "empty.xml": ""]
        for (name, words) in [("object.json", "not an ad response"), ("root.xml", "<Plan>"), ("empty.xml", "empty")] {
            let (code, console) = try await self.inspect(texts, [name])
            #expect(code == .invalidCreative)
            #expect(console.out.first?.contains(words) ?? false, "\(console.out)")
        }
    }
}

@Suite("Following wrappers in inspect")
struct FollowTests {
    private let wrapper = """
        <VAST version="3.0"><Ad id="w"><Wrapper><AdSystem>Outer</AdSystem>
        <VASTAdTagURI><![CDATA[https://a.example/in?x=[CACHEBUSTING]&token=secret]]></VASTAdTagURI>
        <Impression>https://t.example/outer</Impression><Error>https://t.example/e?[ERRORCODE]</Error></Wrapper></Ad></VAST>
        """
    private let inline = """
        <VAST version="3.0"><Ad id="i"><InLine><AdSystem>Inner</AdSystem><AdTitle>Tea</AdTitle>
        <Impression>https://t.example/inner</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration>
        <MediaFiles><MediaFile type="video/mp4" width="640" height="360">https://m.example/v.mp4</MediaFile>
        <MediaFile type="video/x-flv" width="640" height="360">https://m.example/v.flv</MediaFile></MediaFiles>
        </Linear></Creative></Creatives></InLine></Ad></VAST>
        """

    private func inspect(_ files: [String: String], _ words: [String]) async throws -> (ExitCode, BufferConsole) {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        for (name, text) in files { _ = try #require(folder.write(text, name)) }
        let console = BufferConsole()
        let paths = words.map { $0.hasSuffix(".xml") || $0.hasSuffix(".json") ? folder.path + "/" + $0 : $0 }
        return (await YabbiPlay.run(["inspect"] + paths, console), console)
    }

    private func map(_ path: String) -> String {
        #"{"https://a.example/in?x=[CACHEBUSTING]&token=secret": "\#(path)"}"#
    }

    @Test("a map replaces the network, and each tracker has its wrapper")
    func map() async throws {
        let files = ["w.xml": self.wrapper, "i.xml": self.inline, "map.json": self.map("i.xml")]
        let (code, console) = try await self.inspect(files, ["--json", "--map", "map.json", "w.xml"])
        #expect(code == .done)
        let followed = try #require(console.json.first?["result"]?["followed"])
        let hop = try #require(followed["hops"]?.array?.first)
        #expect(hop["wrapper"]?.number == 1 && hop["ads"]?.number == 1 && hop["error"] == .null)
        let chain = try #require(followed["ads"]?.array?.first?["chain"]?.array)
        #expect(chain.compactMap { $0["adSystem"]?.string } == ["Outer", "Inner"])
        let trackers = try #require(followed["plan"]?["trackers"]?.array)
        let impressions = trackers.filter { $0["event"]?.string == "impression" }
        #expect(impressions.compactMap { $0["wrapper"]?.number } == [0, 1])
        #expect(followed["issues"]?.array?.contains { $0["code"]?.string == "vast.media.403" } == true)
        #expect(followed["error"] == .null)

        let (_, tree) = try await self.inspect(files, ["--map", "map.json", "w.xml"])
        let text = tree.out.joined(separator: "\n")
        for part in ["w by Outer → i by Inner", "spot-1/impression", "(from wrapper 1)", "video/x-flv", "15 s"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("secret"))
    }

    @Test("a URL that is not in the map fails, and the error URLs are listed")
    func missing() async throws {
        let (code, console) = try await self.inspect(
            ["w.xml": self.wrapper, "map.json": "{}"],
            ["--json", "--map", "map.json", "w.xml"]
        )
        #expect(code == .invalidCreative, "the wrapper has no ad")
        let followed = try #require(console.json.first?["result"]?["followed"])
        #expect(followed["error"]?["code"]?.number == 301 && followed["plan"] == .null)
        #expect(followed["errorsTold"]?.array?.first?["url"]?.string == "https://t.example/e?[ERRORCODE]")
    }

    @Test("a relative URL is looked up in the map before it is validated")
    func relative() async throws {
        let wrapper = self.wrapper.replacing("https://a.example/in?x=[CACHEBUSTING]&token=secret", with: "in.xml?x=[X]")
        let files = ["w.xml": wrapper, "i.xml": self.inline, "map.json": #"{"in.xml?x=[X]": "i.xml"}"#]
        let (code, console) = try await self.inspect(files, ["--json", "--map", "map.json", "w.xml"])
        #expect(code == .done)
        let followed = try #require(console.json.first?["result"]?["followed"])
        #expect(followed["error"] == .null && followed["hops"]?.array?.first?["ads"]?.number == 1)
        let (missing, lost) = try await self.inspect(
            ["w.xml": wrapper, "map.json": "{}"],
            ["--json", "--map", "map.json", "w.xml"]
        )
        #expect(missing == .invalidCreative)
        let error = lost.json.first?["result"]?["followed"]?["error"]
        #expect(error?["code"]?.number == 301 && error?["message"]?.string?.contains("is invalid") == true)
    }

    @Test("an invalid error URL is an issue, and not among the fired ones")
    func uncallable() async throws {
        let wrapper = self.wrapper.replacing("<Error>", with: "<Error>err.gif</Error><Error>")
        let files = ["w.xml": wrapper, "map.json": "{}"]
        let (_, console) = try await self.inspect(files, ["--json", "--map", "map.json", "w.xml"])
        let followed = try #require(console.json.first?["result"]?["followed"])
        #expect(followed["errorsTold"]?.array?.compactMap { $0["url"]?.string } == ["https://t.example/e?[ERRORCODE]"])
        let issue = followed["issues"]?.array?.first { $0["code"] == "vast.tracker.noURL" }
        #expect(issue?["message"]?.string?.contains("err.gif") == true)
        let (_, tree) = try await self.inspect(files, ["--map", "map.json", "w.xml"])
        #expect(!tree.out.contains { $0.contains("error 301: ") && $0.contains("err.gif") })
    }

    @Test("an invalid map is a usage error", arguments: ["[]", "{\"https://a\": 1}", "{"])
    func badMap(text: String) async throws {
        let (code, console) = try await self.inspect(
            ["w.xml": self.wrapper, "m.json": text],
            ["--map", "m.json", "w.xml"]
        )
        #expect(code == .usage && console.out.isEmpty && console.err.first?.contains("is not a map") == true)
        let (gone, _) = try await self.inspect(["w.xml": self.wrapper], ["--map", "gone.json", "w.xml"])
        #expect(gone == .usage)
    }

    @Test("a JSON ad response is inspected with its markup, a banner with its resources")
    func others() async throws {
        let answer: AdJSON = [
            "type": 3, "adm": .string(self.inline), "width": 640, "height": 360, "closeTimeout": 5000,
            "tracker": ["view": "https://t.example/v", "click": ""],
        ]
        let html =
            "<title>Tea</title><a href='https://shop.example/'>Buy</a><script src='https://s.example/a.js'></script>"
        let files = ["a.json": answer.text(), "b.xml": html, "bad.json": #"{"type": 1}"#]
        let (code, console) = try await self.inspect(files, ["--json", "a.json", "b.xml", "bad.json"])
        #expect(code == .done || code == .invalidCreative)
        let results = console.json.compactMap { $0["result"] }
        try #require(results.count == 3)
        let ad = try #require(results[0]["ads"]?.array?.first)
        #expect(ad["kind"]?.string == "rewarded" && ad["closeTimeout"]?.number == 5000)
        #expect(ad["markup"]?["ads"]?.array?.first?["title"]?.string == "Tea")
        #expect(results[0]["issues"]?.array?.isEmpty == false, "a tracker is empty")
        #expect(results[1]["kind"]?.string == "html" && results[1]["title"]?.string == "Tea")
        #expect(results[1]["scripts"]?.array?.first?["url"]?.string == "https://s.example/a.js")
        let (_, tree) = try await self.inspect(files, ["a.json", "b.xml"])
        let text = tree.out.joined(separator: "\n")
        #expect(text.contains("ad response of yabbi, 1 ad"))
        #expect(text.contains("link                        https://shop.example/"))
    }

    @Test("text output contains no tokens and passwords of URLs")
    func secrets() async {
        for input in ["http://127.0.0.1:1/x?token=SECRET", "http://bob:SECRET@127.0.0.1:1/x#access_token=SECRET"] {
            let console = BufferConsole()
            _ = await YabbiPlay.run(["inspect", input, "--timeout", "1"], console)
            let text = (console.out + console.err).joined(separator: "\n")
            #expect(!text.contains("SECRET") && text.contains("127.0.0.1"), "\(text)")
        }
    }

    @Test("the ad tag of a break is named as the source of its trackers")
    func breakTag() async throws {
        let plan = """
            <VMAP version="1.0"><AdBreak timeOffset="start" breakType="linear"><AdSource>
            <AdTagURI templateType="vast3">https://a.example/pre</AdTagURI></AdSource></AdBreak></VMAP>
            """
        let files = ["p.xml": plan, "i.xml": self.inline, "map.json": #"{"https://a.example/pre": "i.xml"}"#]
        let (code, console) = try await self.inspect(files, ["--map", "map.json", "p.xml"])
        let text = console.out.joined(separator: "\n")
        #expect(code == .done)
        #expect(text.contains("AdTagURI                    https://a.example/pre"), "\(text)")
        #expect(text.contains("(from the break's tag)"), "\(text)")
        #expect(!text.contains("nobody else has to be asked"))
    }
}
