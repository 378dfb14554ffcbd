import AdCore
import BrowserSupport
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Commands with --stage webkit", .needsBothEngines, .timeLimit(.minutes(2)))
struct WebKitCommandTests {
    private static let ad = """
        <!doctype html><html><head><meta name="ad.size" content="width=300,height=250"></head><body>
        <a href="https://shop.example/" target="_blank"
        style="display:block;width:300px;height:250px;background:#06c">Shop</a><script>missing()</script></body></html>
        """

    @Test("scan gives a verdict with the click, the picture and the script error")
    func scan() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ad = try #require(folder.write(Self.ad, "ad.html"))
        let words = ["scan", ad, "--stage", "webkit", "--no-follow", "--watch", "0.2", "--json"]
        let (_, console) = await play(words + ["--report", folder.path + "/out"])
        let verdict = try #require(console.json.first { $0["event"] == "verdict" })
        let measures = try #require(verdict["measures"])
        #expect(measures["failure"]?.array?.isEmpty == true, "\(verdict.text())")
        let errors = measures["scripts.errors"]?.array?.compactMap(\.string) ?? []
        #expect(errors.contains { $0.contains("Can't find variable: missing") }, "\(verdict.text())")
    }

    @Test("show writes a report whose page has the picture and names the engine")
    func report() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ad = try #require(folder.write(Self.ad, "ad.html"))
        let words = ["show", ad, "--stage", "webkit", "--do", "click@300ms,close@800ms", "--json"]
        let (code, console) = await play(words + ["--report", folder.path + "/out"])
        #expect(code == .done, "\(console.err)")
        #expect(console.json.contains { $0["event"] == "click" })
        let page = String(decoding: folder.bytes("out/report.html"), as: UTF8.self)
        #expect(page.contains("WebKitGTK") && page.contains("<img"))
    }
}
