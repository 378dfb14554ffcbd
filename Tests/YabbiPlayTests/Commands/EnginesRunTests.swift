import AdCore
import BrowserSupport
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("An ad in two browsers", .timeLimit(.minutes(2)))
struct EnginesRunTests {
    @Test("is shown in each, reports what differs, and is one report with two columns", .needsBothEngines)
    func both() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ad = try #require(
            folder.write("<p style='font:20px serif'>Sale</p><script>console.log(navigator.vendor)</script>", "ad.html")
        )
        let words = ["show", ad, "--stage", "chromium,webkit", "--do", "close@500ms", "--report", folder.path + "/out"]
        let console = BufferConsole()
        #expect(await YabbiPlay.run(words + ["--json"], console) == .done, "\(console.err)")
        let names = console.events
        #expect(names.count { $0 == "engine" } == 2 && names.count { $0 == "view" } == 2)
        #expect(console.json.last { $0["event"] == "compared" }?["failing"] == 0)
        let kinds = Set(console.json.filter { $0["event"] == "difference" }.compactMap { $0["kind"]?.string })
        #expect(kinds.isSuperset(of: ["console", "picture"]) && !kinds.contains("tracker"), "\(console.out)")
        let page = String(decoding: folder.bytes("out/report.html"), as: UTF8.self)
        #expect(page.contains("<th scope=\"col\">Chromium</th>\n<th scope=\"col\">WebKit</th>"))
        #expect(page.contains("WebKitGTK"))
        // The reports of the browsers are whole ones, from which compare finds the same differences.
        let reports = ["chromium", "webkit"].map { "\(folder.path)/out/\($0)" }
        let again = BufferConsole()
        _ = await YabbiPlay.run(["compare", "--json"] + reports, again)
        let differences = console.json.filter { $0["event"] == "difference" }
        #expect(again.json.filter { $0["event"] == "difference" } == differences)
    }

    @Test("a browser that is missing is an error with its fix, before anything is shown", .needsBrowser)
    func missing() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ad = try #require(folder.write("<p>Sale</p>", "ad.html"))
        let child = try #require(
            ChildCommand(
                ["show", ad, "--stage", "chromium,webkit", "--json"],
                in: folder,
                environment: ["YABBI_WEBKIT": folder.path + "/nothing"]
            )
        )
        #expect(child.wait() == ExitCode.showFailed.rawValue)
        #expect(ChildCommand.lines(child.output).isEmpty)
        #expect(String(decoding: folder.bytes("err"), as: UTF8.self).contains("make webkit"))
    }
}
