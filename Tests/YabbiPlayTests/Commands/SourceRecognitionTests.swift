import AdCore
import AdMarkup
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Recognition of sources")
struct SourceRecognitionTests {
    private func show(_ text: String, as name: String, _ words: String...) async throws -> (ExitCode, BufferConsole) {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(text, name))
        return await play(["show", file, "--clock", "virtual", "--json"] + words)
    }

    @Test("an OpenRTB response is recognized by its content")
    func openRTB() async throws {
        let answer = #"""
            {"id": "r", "seatbid": [{"bid": [{"id": "b", "impid": "1", "price": 1.5, "mtype": 1, "w": 320, "h": 50,
            "adm": "<a href='https://shop.example/'>Hello</a>", "burl": "http://127.0.0.1:9/burl"}]}]}
            """#
        let (code, console) = try await self.show(answer, as: "answer.txt.json", "--timeout", "0.2")
        #expect(code != .loadFailed, "\(console.err)")
        #expect(console.json.contains { $0["event"] == "shown" && $0["provider"] == "openrtb" })
    }

    @Test("the markup in a bid of Prebid.js is shown like a file")
    func prebid() async throws {
        let (code, console) = try await self.show(
            #"{"bids": [{"cpm": 1.2, "ad": "<a href='https://shop.example/'>Hello</a>"}]}"#,
            as: "bids.json"
        )
        #expect(code == .done, "\(console.err)")
        #expect(console.json.contains { $0["event"] == "shown" })
        let none = #"{"bids": [{"cpm": 1.2, "vastXml": "<VAST version='3.0'/>"}]}"#
        let (empty, output) = try await self.show(none, as: "b.json")
        #expect(empty == .noFill, "\(output.err)")
    }

    @Test("a response with a video is shown in its own format, unless --format names another")
    func slot() async throws {
        let answer = #"{"type": 2, "adm": "\#(Self.video)", "tracker": {}}"#
        let (code, console) = try await self.show(answer, as: "a.json")
        #expect(!console.err.contains { $0.contains("formatMismatch") }, "\(code) \(console.err)")
        let (refused, other) = try await self.show(answer, as: "a.json", "--format", "banner")
        #expect(refused == .loadFailed)
        #expect(other.err.contains { $0.contains("formatMismatch") }, "\(other.err)")
    }

    private static let video =
        "<VAST version='3.0'><Ad id='a'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><Linear>"
        + "<Duration>00:00:02</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640'"
        + " height='360'>http://127.0.0.1:9/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"

    @Test("a unit with a video needs no --format, and an issue names its format")
    func unit() async throws {
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        let words = ["--endpoint", "http://127.0.0.1:\(sandbox.port)/yabbi/load", "--unit", "video-inline"]
        let (code, console) = await play(["load", "--json"] + words)
        #expect(code == .done, "\(console.err)")
        #expect(console.json.contains { $0["code"] == "slot.followed" })
        let (refused, _) = await play(["load", "--json", "--format", "banner"] + words)
        #expect(refused == .loadFailed)
    }

    @Test("the error for a file without visible content does not mention a server")
    func nothing() async throws {
        let (code, console) = try await self.show("<!-- nothing --><p> </p>", as: "a.html")
        #expect(code == .noFill)
        #expect(console.err.count == 1)
        let line = console.err.joined()
        #expect(line.contains("no ad in ") && line.contains("a.html"), "\(line)")
        #expect(!line.contains("ask again later") && !line.contains("the server"), "\(line)")
    }

    @Test(
        "for a URL without a scheme the error suggests one",
        arguments: [
            ("www.x.com/v.xml", "https://www.x.com/v.xml"),
            ("ads.example.com/tag?a=1", "https://ads.example.com/tag?a=1"),
            ("localhost:8080/tag", "http://localhost:8080/tag"), ("www.example.com", "https://www.example.com"),
        ]
    )
    func scheme(name: String, url: String) async {
        #expect(SourceReader.suggestedURL(for: name) == url)
        let (code, console) = await play("show", name)
        #expect(code == .loadFailed)
        #expect(console.err.contains { $0.hasSuffix("did you mean \(url)?") }, "\(console.err)")
    }

    @Test(
        "a file name has no suggested URL",
        arguments: ["banner.html", "folder/banner.html", "./a.b/c", "../x.com/y", "/tmp/a.com/x", "a", "10.5/x", ""]
    )
    func file(name: String) { #expect(SourceReader.suggestedURL(for: name) == nil) }
}

@Suite("A command that reads standard input", .enabled(if: ChildCommand.path != nil, "the command was not built"))
struct StandardInputTests {
    @Test("show and load accept - like inspect and lint", arguments: ["show", "load"])
    func dash(command: String) throws {
        let path = try #require(ChildCommand.path)
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write("<a href='https://shop.example/'>Hello</a>", "ad.html"))
        let script = "'\(path)' \(command) - --clock virtual --json < '\(file)' > '\(folder.path)/out'"
        #expect(Shell.run(script).status == 0)
        let events = ChildCommand.lines(folder.path + "/out").compactMap { $0["event"]?.string }
        #expect(events.contains(command == "show" ? "closed" : "offer"), "\(events)")
    }

    @Test("- may be a zip, whose page is shown with the files beside it")
    func zip() throws {
        let path = try #require(ChildCommand.path)
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        // index.html, which has a script and a link, and ad.js.
        let zip = """
            UEsDBBQAAAAAAAAAIQDz/wn3RgAAAEYAAAAKAAAAaW5kZXguaHRtbDxzY3JpcHQgc3JjPSdhZC5qcyc+PC9zY3JpcHQ+PGEgaHJl
            Zj0naHR0cHM6Ly9zaG9wLmV4YW1wbGUvJz5IZWxsbzwvYT5QSwMEFAAAAAAAAAAhAGSVMZYKAAAACgAAAAUAAABhZC5qc2xldCBh
            ID0gMTtQSwECFAMUAAAAAAAAACEA8/8J90YAAABGAAAACgAAAAAAAAAAAAAAgAEAAAAAaW5kZXguaHRtbFBLAQIUAxQAAAAAAAAA
            IQBklTGWCgAAAAoAAAAFAAAAAAAAAAAAAACAAW4AAABhZC5qc1BLBQYAAAAAAgACAGsAAACbAAAAAAA=
            """
        let command = "'\(path)' show - --clock virtual --json > '\(folder.path)/out'"
        let script = "echo '\(zip)' | base64 -d | \(command)"
        #expect(Shell.run(script).status == 0)
        let events = ChildCommand.lines(folder.path + "/out").compactMap { $0["event"]?.string }
        #expect(events.contains("view") && events.contains("closed"), "\(events)")
    }
}
