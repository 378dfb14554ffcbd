import AdCore
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

/// VAST whose only media file is not playable.
private let unplayable = """
    <VAST version="3.0"><Ad id="a"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><Linear>
    <Duration>00:00:05</Duration><MediaFiles><MediaFile delivery="progressive" type="video/x-flv" width="4"
    height="3"><![CDATA[http://m.example/v.flv]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine>
    </Ad></VAST>
    """

@Suite("The commands")
struct CommandTests {
    @Test("the demo shows every creative with every provider and reconciles every beacon")
    func demo() async throws {
        let (code, console) = await play("demo", "--json")
        #expect(code == .done)
        #expect(console.err.isEmpty)
        #expect(!console.json.contains(.null), "every line is JSON")
        let last = try #require(console.json.last)
        #expect(last["event"]?.string == "reconciled")
        for name in ["lost", "duplicates", "unconfirmed", "dead", "pending", "unknown", "failed"] {
            #expect(last[name]?.number == 0)
        }
        let shown = console.json.filter { $0["event"]?.string == "shown" }
        #expect(Set(shown.compactMap { $0["provider"]?.string }) == Set(ProviderChoice.allCases.map(\.rawValue)))
        #expect(shown.count >= 12)
        let views = console.json.filter { $0["event"]?.string == "view" }
        #expect(views.count == shown.count)
        #expect(last["recorded"]?.number.map { Int($0) } ?? 0 >= shown.count)
        #expect(last["recorded"] == last["delivered"])
    }

    @Test("the demo prints the number of ads that failed")
    func demoFailures() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        func creative(_ name: String, _ file: String, type: Int, tags: String = "[]") -> String {
            #"{"name":"\#(name)","title":"\#(name)","file":"\#(file)","type":\#(type),"width":0,"height":0,"#
                + #""closeTimeout":0,"format":"\#(type == 1 ? "banner" : "interstitial")","about":"","tags":\#(tags)}"#
        }
        let creatives = [
            creative("seen", "b.html", type: 1), creative("unplayed", "v.xml", type: 2),
            creative("left-out", "v.xml", type: 2, tags: #"["fault"]"#),
        ]
        let manifest = #"{"version":1,"creatives":[\#(creatives.joined(separator: ","))]}"#
        try #require(folder.write(manifest, "manifest.json") != nil)
        try #require(folder.write("<p>Hello</p>", "b.html") != nil)
        try #require(folder.write(unplayable, "v.xml") != nil)

        let (code, console) = await play("demo", "--json", "--creatives", folder.path)
        #expect(code == .loadFailed)
        #expect(console.json.last?["failed"]?.number == 2, "one for each provider")
        let creativesShown = console.json.filter { line in
            line["event"] == "shown" && ["yabbi", "openrtb"].contains(line["provider"]?.string)
        }
        #expect(creativesShown.count == 3, "one for each provider, and the winner of the auction")
        let (_, text) = await play("demo", "--creatives", folder.path)
        #expect(text.out.suffix(2).first == "2 ads could not be shown; see above")
    }

    @Test(
        "each result has its exit code",
        arguments: [
            (["show", "--unit", "nofill"], ExitCode.noFill, "noFill"),
            (["show", "--unit", "nofill-empty"], .noFill, "noFill"),
            (["show", "--unit", "nofill-adm"], .noFill, "noFill"),
            (["show", "--unit", "nofill-adm", "--provider", "openrtb"], .noFill, "noFill"),
            (["load", "--unit", "nofill-nbr", "--provider", "openrtb"], .noFill, "noFill"),
            (["show", "--unit", "broken"], .loadFailed, "unreadableAnswer"),
            (["show", "--unit", "bad-type"], .loadFailed, "unknownType"),
            (["show", "--unit", "bad-adm-mismatch", "--format", "interstitial"], .loadFailed, "markupMismatch"),
            (["show", "--unit", "bad-html-instead"], .loadFailed, "HTML"),
            (["show", "--unit", "bad-500"], .loadFailed, "500"),
            (["show", "--unit", "bad-huge"], .loadFailed, "answerTooLarge"),
            (["show", "--unit", "no-such-unit"], .loadFailed, "banner-320x50"),
            (["show", "--unit", "bad-size", "--clock", "virtual"], .done, ""),
            (["show", "--unit", "bad-close-timeout", "--clock", "virtual"], .done, ""),
            (["show", "--unit", "bad-close-timeout-huge", "--clock", "virtual"], .done, ""),
            (["show", "--unit", "bad-empty-tracker", "--clock", "virtual"], .done, ""),
            (["show"], .usage, "banner-320x50"),
            (["show", "/no/such/file.html"], .loadFailed, "can't be read"),
            (["show", "/proc/self/mem"], .loadFailed, "Input/output error"),
            (["show", "/dev/zero"], .loadFailed, "larger than 6291456 bytes"),
            (["show", "http://user:pw@a.example/x"], .usage, "user name"),
            (["show", "http://a b/"], .usage, "host"), (["load", "http://[::1/"], .usage, "host"),
            (["show", "http://a.example:0/"], .usage, "port"), (["show", "http:///x"], .usage, "names no host"),
            (["show", "file:///x"], .usage, "neither http:// nor https://"),
            (["show", "http://127.0.0.1:1/x?token=t"], .loadFailed, "token=***"),
            (["show", "--endpoint", "http://127.0.0.1:1/", "--unit", "x"], .loadFailed, "refused"),
            (["load", "--unit", "slow", "--timeout", "0.2"], .loadFailed, "timedOut"),
            (["demo", "--creatives", "/no/such/folder"], .usage, "/no/such/folder"),
            (["sandbox", "--creatives", "/no/such/folder"], .usage, "/no/such/folder"),
            (["nonsense"], .usage, "unknown command"),
        ]
    )
    func codes(words: [String], code: ExitCode, hint: String) async {
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words, console) == code)
        if code == .done {
            #expect(console.err.isEmpty)
        } else {
            #expect(console.err.count == 1, "one line: \(console.err)")
            #expect(console.err.first?.contains(hint) ?? false, "\(console.err)")
        }
    }

    @Test("a folder with a file that is too large is not read")
    func largeFolder() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        try #require(folder.write("<p>Hello</p>", "index.html") != nil)
        folder.overwrite([0], "film.mp4", at: 70 << 20)
        let (code, console) = await play("show", folder.path)
        #expect(code == .loadFailed)
        #expect(console.err.count == 1 && console.err[0].contains("can't be used: film.mp4 has 70"), "\(console.err)")
    }

    @Test(
        "a server that loses beacons is detected",
        arguments: [
            (Sandbox.Fault.Kind.dropBeforeReply, "unconfirmed"), (.status(410), "dead"),
        ]
    )
    func beacons(fault: Sandbox.Fault.Kind, outcome: String) async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativesFolder.catalogue(nil)
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(fault)]])
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let (code, console) = await play(
            "show",
            "--endpoint",
            endpoint.text,
            "--unit",
            "banner-320x50",
            "--clock",
            "virtual",
            "--json"
        )
        #expect(code == .beacons)
        #expect(console.events.contains(outcome == "dead" ? "beaconDead" : "beaconUnconfirmed"))
        #expect(sandbox.hits().filter { $0.path == "/t/yabbi/view" }.count == 1)
    }

    @Test("--resend sends an unconfirmed beacon again with the same key")
    func resend() async throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativesFolder.catalogue(nil)
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        try sandbox.setFaults(["/t/": [Sandbox.Fault(.dropBeforeReply)]])
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let (code, _) = await play(
            "show",
            "--endpoint",
            endpoint.text,
            "--unit",
            "banner-320x50",
            "--clock",
            "virtual",
            "--resend"
        )
        #expect(code == .done)
        let views = sandbox.hits().filter { $0.path == "/t/yabbi/view" }
        #expect(views.count == 2)
        #expect(Set(views.map(\.key)).count == 1)
    }

    @Test("repeated runs end with the fill rate and the latency")
    func repeats() async throws {
        let (code, console) = await play(
            "show",
            "--unit",
            "banner-320x50",
            "--repeat",
            "20",
            "--clock",
            "virtual",
            "--json"
        )
        #expect(code == .done)
        let summary = try #require(console.json.last)
        #expect(summary["event"]?.string == "summary")
        #expect(summary["fillRate"]?.number == 1)
        #expect(summary["p50"]?.number ?? 0 > 0)
    }

    @Test("of several errors, the one of the exit code is printed")
    func worstError() async throws {
        let sandbox = try Sandbox.start()
        defer { sandbox.stop() }
        try sandbox.setFaults(["/yabbi/load": [Sandbox.Fault(.status(503), times: 1)]])
        let endpoint = try #require(sandbox.url("/yabbi/load"))
        let (code, console) = await play("load", "--endpoint", endpoint.text, "--unit", "nofill", "--repeat", "2")
        #expect(code == .loadFailed)
        #expect(console.err.count == 1)
        #expect(console.err.first?.contains("503") ?? false, "\(console.err)")
    }

    @Test("a container narrower than the ad scales it down")
    func sizes() async throws {
        let (_, console) = await play(
            "show",
            "--unit",
            "banner-300x250",
            "--size",
            "150x600",
            "--clock",
            "virtual",
            "--json"
        )
        let shown = try #require(console.json.first { $0["event"]?.string == "shown" })
        #expect(shown["requested"]?.string == "300x250")
        #expect(shown["rendered"]?.string == "150x125")
    }

    @Test("version and help go to standard output")
    func help() async {
        #expect(await play("--version").console.out == ["yabbi-play 0.1.0"])
        #expect(await play("--help").console.out.first?.contains("USAGE: yabbi-play <command>") ?? false)
        #expect(await play("show", "--help").console.out.first?.contains("USAGE: yabbi-play show") ?? false)
        #expect(await play("help", "sandbox").code == .done)
        #expect(await play("help", "nothing").code == .usage)
    }
}

@Suite("Ads from files")
struct SourceTests {
    /// Shows a file with this text.
    private func show(_ text: String, as name: String, _ words: String...) async throws -> (ExitCode, BufferConsole) {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = try #require(folder.write(text, name))
        let console = BufferConsole()
        return (await YabbiPlay.run(["show", path, "--clock", "virtual"] + words, console), console)
    }

    @Test("HTML is served by the built-in server, and its beacons are delivered")
    func html() async throws {
        let (code, console) = try await self.show("<a href='https://shop.example/'>Buy</a>", as: "b.html", "--json")
        #expect(code == .done)
        #expect(console.events.contains("beaconDelivered"))
    }

    @Test("--unit with a file names the unit of the file")
    func unit() async throws {
        let (code, console) = try await self.show("<p>Hello</p>", as: "b.html", "--json", "--unit", "foo")
        #expect(code == .done)
        let view = try #require(console.json.first { $0["event"]?.string == "beaconRecorded" })
        #expect(view["url"]?.string?.contains("unit=foo") ?? false, "\(view.text())")
        let (refused, refusal) = try await self.show("<p>Hello</p>", as: "b.html", "--unit", "nofill")
        #expect(refused == .usage)
        #expect(refusal.err.first?.contains("nofill is reserved") ?? false)
    }

    @Test("markup without visible content is no fill")
    func blank() async throws {
        #expect(try await self.show(" <!-- nothing --> ", as: "b.html").0 == .noFill)
        for name in ["b.html", "tag.txt"] {
            let (code, console) = try await self.show(" \n", as: name)
            #expect(code == .noFill && console.err.first?.contains("\(name) is empty") == true)
        }
    }

    @Test("an HTML page in place of VAST fails, and text before VAST is skipped")
    func pages() async throws {
        let page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
        let (code, console) = try await self.show(page, as: "tag.xml")
        #expect(code == .loadFailed && console.err.first?.contains("is HTML, expected VAST") == true)
        let (passed, found) = try await self.show("<br /><b>Notice</b>: x in y\n" + unplayable, as: "tag.xml")
        #expect(passed == .loadFailed && found.err.first?.contains("VAST error 403") == true)
        #expect(found.out.contains { $0.contains("xml.junk") })
    }

    @Test("truncated VAST is an error, and not a no fill")
    func cut() async throws {
        let (code, console) = try await self.show(String(unplayable.prefix(200)), as: "tag.xml")
        #expect(code == .loadFailed && console.err.first?.contains("VAST error 101") == true)
    }

    @Test("the type of a YABBI response sets the format")
    func ownFormat() async throws {
        for (type, kind) in [(2, "video"), (3, "rewarded")] {
            let answer: AdJSON = ["type": .int(Int64(type)), "adm": .string(unplayable)]
            let (_, console) = try await self.show(answer.text(), as: "a.json")
            #expect(console.err.first?.contains("VAST error 403") == true, "\(kind)")
            let comma = answer.text().dropLast() + ",}"
            let (_, repaired) = try await self.show(String(comma), as: "a.json")
            #expect(repaired.err.first?.contains("VAST error 403") == true, "\(kind), with a comma too many")
        }
        let (code, console) = await play("load", "--unit", "video-inline", "--format", "banner")
        #expect(code == .loadFailed && console.err.first?.contains("formatMismatch") == true)
    }

    @Test("VAST without an ad is no fill, and an unplayable file is named with the reason")
    func vast() async throws {
        let (empty, _) = try await self.show("<VAST version='3.0'></VAST>", as: "v.xml")
        #expect(empty == .noFill)
        let (code, console) = try await self.show(unplayable, as: "v.xml")
        #expect(code == .loadFailed)
        let text = console.err.first ?? ""
        #expect(text.contains("video/x-flv") && text.contains("VAST error 403"), "\(text)")
    }

    @Test("an ad response in a file is used unchanged, and an unreachable tracker is listed with the reason")
    func answer() async throws {
        let text = #"{"type":1,"adm":"<p>hi</p>","tracker":{"view":"http://127.0.0.1:1/v","click":""}}"#
        let (code, console) = try await self.show(text, as: "a.json", "--timeout", "2")
        #expect(code == .beacons)
        #expect(
            console.out.contains { $0.contains("view") && $0.contains("not delivered yet") && $0.contains("refused") }
        )
    }

    @Test(
        "an invalid source is named as the user wrote it",
        arguments: [
            ("a.json", "[1]", ["a.json", "an array"]), ("m.xml", "<?xml version='1.0'?><feed/>", ["m.xml", "feed"]),
            ("b.json", #"{type:1,"adm":"<b>x</b>"}"#, ["b.json", "not JSON"]),
            ("e.json", #"{"error":1}"#, ["e.json", "it has: error"]),
            ("l.html", "x\u{1}\u{2}\u{3}\u{1}", ["l.html", "binary data"]),
            ("d.html", String(repeating: "<b>", count: 300), ["d.html", "nested deeper"]),
        ]
    )
    func names(name: String, text: String, hints: [String]) async throws {
        for words in [[], ["--json"]] {
            let folder = try #require(TemporaryFolder())
            defer { folder.remove() }
            let path = try #require(folder.write(text, name))
            let console = BufferConsole()
            #expect(await YabbiPlay.run(["load", path] + words, console) == .loadFailed)
            let output = (console.out + console.err).joined(separator: "\n")
            #expect(hints.allSatisfy { output.contains($0) }, "\(output)")
            #expect(!output.contains("127.0.0.1") && !output.contains("document.invalid"), "\(output)")
        }
    }

    @Test("a script that mentions VAST is not VAST")
    func mention() async throws {
        let text = "<script>var VAST=\"<VAST\";</script><b>hello</b>"
        #expect(try await self.show(text, as: "b.html").0 == .done)
    }

    @Test("a file may have the name of a unit", arguments: ["nofill", "slow", "banner-320x50", "bad-500"])
    func likeUnits(name: String) async throws {
        let (code, console) = try await self.show(
            "<a href='https://shop.example/'>Buy</a>",
            as: name,
            "--json",
            "--do",
            "click@1s"
        )
        #expect(code == .done)
        #expect(
            console.json.contains {
                $0["event"]?.string == "linkOpened" && $0["url"]?.string == "https://shop.example/"
            }
        )
    }

    @Test("a playable of five megabytes is shown")
    func playable() async throws {
        let script = String(repeating: "play(\"x\");", count: 524_288)
        #expect(try await self.show("<script>\(script)</script>", as: "p.html", "--timeout", "60").0 == .done)
    }

    @Test("markup in UTF-16 is decoded")
    func utf16() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let text = "\u{FEFF}<title>Größe</title><a href='https://shop.example/'>Buy</a>"
        let path = try #require(folder.write(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "u.html"))
        let console = BufferConsole()
        #expect(await YabbiPlay.run(["load", path], console) == .done)
        #expect(console.out.contains { $0.contains("Größe") }, "\(console.out)")
    }

    @Test("a tap on a relative link of a fetched tag opens nothing and records no click")
    func fetched() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        _ = folder.write("<a href='landing.html'>Buy</a>", "tag.html")
        let manifest: AdJSON = [
            "version": 1,
            "creatives": [
                [
                    "name": "tag", "title": "Tag", "about": "", "file": "tag.html", "type": 1, "format": "banner",
                    "width": 320, "height": 50, "closeTimeout": 0,
                ]
            ],
        ]
        _ = folder.write(manifest.text(), "manifest.json")
        let catalogue = try CreativeCatalogue.load(directory: folder.path)
        var configuration = Sandbox.Configuration()
        configuration.catalogue = catalogue
        let sandbox = try Sandbox.start(configuration)
        defer { sandbox.stop() }
        let tag = try #require(sandbox.url("/creatives/tag.html"))
        let console = BufferConsole()
        let words = ["show", tag.text, "--clock", "virtual", "--json", "--do", "click@1s"]
        #expect(await YabbiPlay.run(words, console) == .done)
        // An app shows the markup without the URL of its file, so a relative link has no base.
        let tap = console.json.first { $0["event"]?.string == "tap" }
        #expect(tap?["outcome"] == "nothing" && tap?["reason"]?.string?.contains("relative") == true)
        #expect(!console.events.contains("click") && !console.events.contains("linkOpened"))
    }
}
