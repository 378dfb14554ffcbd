import AdCore
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole

@Suite("Sizes that documents declare")
struct DeclaredSizeTests {
    private let meta =
        "<html><head><meta name='ad.size' content='width=300,height=600'></head><body><p>x</p></body></html>"

    @Test(
        "an invalid ad.size is an issue, and the default is used",
        arguments: [
            "999999999x-1", "width=999999999,height=-1", "width=1e308,height=250", "width=NaN,height=NaN",
            "width=,height=",
            "300x250",
        ]
    )
    func hostile(content: String) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write("<meta name=\"ad.size\" content=\"\(content)\"><p>Hello</p>", "a.html"))
        let (code, console) = await play("show", file, "--clock", "virtual", "--json")
        #expect(code == .done, "\(console.err)")
        let shown = try #require(console.json.first { $0["event"] == "shown" })
        #expect(shown["container"] == "390 wide" && shown["containerRule"] == "screen")
        #expect(console.json.contains { $0["event"] == "issue" && $0["code"] == "html.adSize.unreadable" })
    }

    @Test("text, JSON and report contain the rule of the container")
    func rule() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write(self.meta, "a.html"))
        let (_, console) = await play("show", file, "--clock", "virtual", "--json", "--report", folder.path + "/r")
        let shown = try #require(console.json.first { $0["event"] == "shown" })
        #expect(shown["container"] == "300x600" && shown["containerRule"] == "adSize")
        #expect(shown["resolved"] == "300x600")
        let page = String(decoding: folder.bytes("r/report.html"), as: UTF8.self)
        #expect(page.contains("<dt>container</dt><dd>300x600, from ad.size</dd>"))
        let (_, text) = await play("show", file, "--clock", "virtual")
        #expect(text.out.contains { $0.hasSuffix("container 300x600, from ad.size") }, "\(text.out)")
        let (_, chosen) = await play("show", file, "--clock", "virtual", "--json", "--size", "320x50")
        #expect(chosen.json.contains { $0["container"] == "320x50" && $0["containerRule"] == "size" })
    }
}
