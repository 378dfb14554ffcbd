import AdCore
import PlayCompare
import PlayReport
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayText
@testable import YabbiPlay

@Suite("Compare")
struct CompareTests {
    private let folder: TemporaryFolder

    init() throws { self.folder = try #require(TemporaryFolder()) }

    private func path(_ name: String) -> String { "\(self.folder.path)/\(name)" }

    /// Shows a banner with a report and a trace of this name.
    private func show(_ name: String, _ steps: String, unit: String = "banner-300x250") async {
        let (code, console) = await play(
            "show",
            "--unit",
            unit,
            "--clock",
            "virtual",
            "--do",
            steps,
            "--json",
            "--report",
            self.path(name),
            "--trace",
            self.path(name + ".trace")
        )
        #expect(code == .done, "\(console.err)")
    }

    @Test("a report is the same as itself, as that of another run, and as the trace of either")
    func same() async {
        defer { self.folder.remove() }
        await self.show("a", "click@1s,close@6s")
        await self.show("b", "click@1s,close@6s")
        for (one, other) in [("a", "a"), ("a", "b/report.html"), ("a.trace", "b.trace"), ("a", "b.trace")] {
            let (code, console) = await play("compare", self.path(one), self.path(other), "--json")
            #expect(code == .done && console.err.isEmpty, "\(one) \(other)")
            #expect(console.events == ["compared"] && console.json[0]["differences"] == 0, "\(console.out)")
        }
        let (_, text) = await play("compare", self.path("a"), self.path("b"))
        #expect(text.out.count == 3 && text.out[2].hasPrefix("no differences: 1 ad"), "\(text.out)")
        #expect(text.out[0].hasPrefix("A  \(self.path("a"))  show banner-300x250, "))
    }

    @Test("what differs is listed, and is exit code 6 if the policy names it")
    func differs() async {
        defer { self.folder.remove() }
        await self.show("a", "click@1s,close@6s")
        await self.show("b", "close@6s")
        let runs = ["compare", self.path("a"), self.path("b"), "--json"]
        let (code, console) = await play(runs)
        #expect(code == .invalidCreative)
        let lines = console.json.dropLast()
        #expect(lines.map { $0["kind"]?.string } == ["tracker", "event", "event", "event"])
        #expect(lines.map { $0["event"]?.string } == Array(repeating: "difference", count: 4))
        #expect(lines[0]["a"] == "delivered" && lines[0]["b"] == "not fired: the user did not click")
        #expect(lines[1]["text"] == "tap" && lines[2]["text"] == "click" && lines[3]["text"] == "linkOpened")
        #expect(console.json.last?["differences"] == 4 && console.json.last?["failing"] == 4)
        for row in EventTable.ofRuns where ["difference", "compared"].contains(row.name) {
            let line = console.json.first { $0["event"]?.string == row.name }
            guard case .object(let members)? = line else {
                Issue.record("no \(row.name)")
                continue
            }
            #expect(members.map(\.name) == ["event"] + row.fields)
        }
        for (policy, expected) in [
            ("none", ExitCode.done), ("all", .invalidCreative), ("tracker", .invalidCreative),
            ("lint,event", .invalidCreative), ("lint, picture ,console,request", .done),
        ] {
            let (code, console) = await play(runs + ["--policy", policy])
            #expect(code == expected && console.json.last?["differences"] == 4, "\(policy)")
        }
    }

    @Test("a picture is compared in the way that is given")
    func pictures() async throws {
        defer { self.folder.remove() }
        func page(_ data: String) -> String {
            """
            <!doctype html><img id="p" src="data:image/webp;base64,\(data)"><script id="run">{"version":1,"ads":[
            {"pictures":[{"caption":"On screen","width":2,"height":2,"id":"p"}]}
            ]}</script>
            """
        }
        let a = try #require(self.folder.write(page("AQID"), "a.html"))
        let b = try #require(self.folder.write(page("AQIE"), "b.html"))
        let command = try CompareCommand(parsing: [a, b])
        #expect(try await command.run(on: BufferConsole()) == .invalidCreative)
        #expect(
            try await command.run(on: BufferConsole(), comparing: FixedShare(share: 0.5).comparing) == .invalidCreative
        )
        #expect(try await command.run(on: BufferConsole(), comparing: FixedShare(share: 0).comparing) == .done)
    }

    @Test("a report of a comparison has both runs side by side")
    func page() async {
        defer { self.folder.remove() }
        await self.show("a", "click@1s,close@6s")
        await self.show("b", "close@6s")
        let words = ["compare", self.path("a"), self.path("b"), "--policy", "none", "--report", self.path("both")]
        let (code, console) = await play(words)
        #expect(code == .done && console.out.last == "\n  report  \(self.path("both"))/report.html")
        let page = String(decoding: self.folder.bytes("both/report.html"), as: UTF8.self)
        #expect(page.contains("<td>delivered</td><td>not fired: the user did not click</td>"))
        #expect(page.contains("4 differences"))
    }

    private struct FixedShare: PictureComparing {
        let share: Double

        func comparing(_ a: ComparedRun, _ b: ComparedRun) async -> RunComparison {
            await RunComparison.comparing(a, b, pictures: self)
        }

        func difference(_ a: RunPicture, _ b: RunPicture) async -> PictureDifference {
            a.bytes == [1, 2, 3] && b.bytes == [1, 2, 4] ? .known(share: self.share, picture: []) : .undecodable
        }
    }

    @Test(
        "what is no run is refused with what it is",
        arguments: [
            ("", "is empty"), ("{\"log\":{}}", "is a HAR file"),
            ("{\"t\":1,\"event\":\"view\"}", "is the output of --json"),
            ("{}", "is JSON, but no run"), ("[]", "is JSON, but no run"), ("hello", "is text"),
            ("<VAST/>", "is markup, but no report page"), ("\u{0}\u{1}", "is a binary file"),
            ("SQLite format 3\u{0}", "is an SQLite database, such as a ledger"),
            ("RIFF....WEBP", "is a picture or a video"),
            ("<!doctype html><p>", "is a page without a run, such as a report of an earlier version"),
        ]
    )
    func refused(text: String, what: String) async throws {
        defer { self.folder.remove() }
        let file = try #require(self.folder.write(text, "file"))
        let (code, console) = await play("compare", file, file)
        #expect(code == .loadFailed && console.out.isEmpty)
        #expect(
            console.err == [
                "yabbi-play: \(file) \(what); expected the folder of a report, its report.html, or a trace recorded with --trace"
            ]
        )
    }

    @Test("a run or a trace that can't be read is refused with the reason")
    func unreadable() async throws {
        defer { self.folder.remove() }
        func error(_ path: String) async -> String {
            let (code, console) = await play("compare", path, path)
            #expect(code == .loadFailed && console.err.count == 1, "\(console.err)")
            return console.err.joined()
        }
        let empty = await error(self.folder.path)
        #expect(empty.contains("\(self.folder.path) is a folder without report.html; expected the folder"))
        #expect(await error(self.path("none")).contains("\(self.path("none")) can't be read: No such file"))
        let later = try #require(self.folder.write("<!doctype html><script id=run>{\"version\":2}</script>", "r.html"))
        #expect(await error(later).contains("can't read the run in \(later): it has version 2 of the format"))
        let cut = try #require(self.folder.write("{\"version\":1,", "cut.json"))
        #expect(await error(cut).contains("can't read the run in \(cut): it is not JSON"))
        let trace = try #require(self.folder.write("{\"trace\":1,\"by\":\"x\",\"hidesSecrets\":true}\n{}", "a.trace"))
        #expect(await error(trace).contains("\(trace) can't be compared: can't read line 2 of the trace"))
    }

    @Test(
        "a wrong command line is a usage error",
        arguments: [
            ([], "missing argument <run>"), (["a"], "name two report folders"), (["a", "b", "c"], "two runs, not 3"),
            (["a", "b", "--policy", "trackers"], "did you mean tracker?"),
            (["a", "b", "--policy", "x9"], "all, none or some of"),
            (["a", "b", "--policy", ""], "is empty"), (["a", "b", "--policy", "event,none"], "takes none alone"),
        ]
    )
    func usage(words: [String], message: String) async {
        defer { self.folder.remove() }
        let (code, console) = await play(["compare"] + words)
        #expect(code == .usage && console.err.joined().contains(message), "\(console.err)")
    }
}
