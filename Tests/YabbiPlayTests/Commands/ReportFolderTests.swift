import AdCore
import LibC
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("The folder of a report")
struct ReportFolderTests {
    /// Shows an ad with a report.
    private func show(_ unit: String, _ report: String) async -> (code: ExitCode, console: BufferConsole) {
        await play("show", "--unit", unit, "--clock", "virtual", "--json", "--report", report)
    }

    /// The error of `show` for an unwritable report.
    private func refusal(_ report: String) async -> String {
        let (code, console) = await self.show("banner-320x50", report)
        #expect(code == .usage, "2, as for all unwritable output")
        #expect(console.out.isEmpty, "nothing was loaded or shown: \(console.out)")
        #expect(console.err.count == 1)
        return console.err.joined()
    }

    @Test("a report folder that is a file is refused before an ad is shown")
    func impossible() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let file = try #require(folder.write("x", "file"))
        let words = await self.refusal(file)
        #expect(words.contains("the report can't be written: \(file) is a file; --report expects a folder"), "\(words)")
        let below = await self.refusal(file + "/below")
        #expect(below.contains("\(file)/below can't be made: Not a directory"), "\(below)")
        #expect(folder.names == ["file"])
    }

    @Test("a report is readable only by its user")
    func readers() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let before = umask(0o022)
        defer { umask(before) }
        #expect(await self.show("banner-320x50", folder.path + "/out").code == .done)
        #expect(folder.mode("out") == 0o700)
        for name in ["out/report.html", "out/requests.har"] { #expect(folder.mode(name) == 0o600, "\(name)") }
        // A report that was readable by others becomes private.
        chmod(folder.path + "/out/report.html", 0o644)
        #expect(await self.show("banner-320x50", folder.path + "/out").code == .done)
        #expect(folder.mode("out/report.html") == 0o600)
    }

    @Test("an unwritable report folder is refused before an ad is shown, also for root")
    func closed() async throws {
        // Not even root can write there.
        let words = await self.refusal("/proc/self")
        #expect(words.contains("/proc/self/report.html can't be written: "), "\(words)")
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(FileWriting.makeFolder(folder.path + "/out/report.html") == nil)
        let occupied = await self.refusal(folder.path + "/out")
        #expect(occupied.contains("/out/report.html is a folder"), "\(occupied)")
    }

    @Test("a failed ad has a report, and its own error is printed")
    func failed() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = folder.path + "/out"
        let (code, console) = await self.show("vast-vpaid", path)
        #expect(code == .loadFailed)
        #expect(console.json.last { $0["event"] == "report" }?["path"]?.string == path + "/report.html")
        #expect(String(decoding: folder.bytes("out/report.html"), as: UTF8.self).contains("class=\"failure\""))
    }

    @Test("a missing report folder is created with its parents, without other files")
    func made() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = folder.path + "/a/b"
        let (code, console) = await self.show("banner-320x50", path)
        #expect(code == .done && console.err.isEmpty)
        #expect(console.json.last?["path"]?.string == path + "/report.html")
        #expect(!folder.bytes("a/b/report.html").isEmpty && !folder.bytes("a/b/requests.har").isEmpty)
        #expect(folder.bytes("a/b/report.html.part").isEmpty)
    }
}
