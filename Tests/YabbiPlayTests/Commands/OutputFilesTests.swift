import LibC
import TestSupport
import Testing

@testable import PlayConsole
@testable import YabbiPlay

@Suite("Files that a command would overwrite")
struct OutputFilesTests {
    private func text(_ name: String, _ folder: TemporaryFolder) -> String {
        String(decoding: folder.bytes(name), as: UTF8.self)
    }

    private func refusal(_ words: [String]) -> String? {
        do {
            _ = try ShowCommand(parsing: Array(words.dropFirst())).run.output()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("no input and no ledger is overwritten, also through a symbolic link")
    func clashes() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ad = try #require(folder.write("<p>Hi</p>", "ad.html"))
        let alias = folder.path + "/alias"
        #expect(symlink(ad, alias) == 0)
        let (new, ledger) = (folder.path + "/new", folder.path + "/beacons.sqlite")
        let browser = ["--stage", "chromium"]
        for words in [
            ["show", ad, "--screenshot", ad] + browser, ["show", ad, "--screenshot", alias] + browser,
            ["show", ad, "--trace", ad], ["show", alias, "--trace", ad],
            ["show", "--trace", ledger, "--ledger", ledger],
            ["show", "--trace", new, "--screenshot", new] + browser,
            ["show", folder.path + "/report.html", "--report", folder.path],
        ] {
            #expect(self.refusal(words)?.contains("would overwrite") == true, "\(words)")
        }
        #expect(self.refusal(["show", ad, "--trace", new, "--ledger", ledger, "--report", folder.path]) == nil)
        #expect(self.refusal(["show", ad, "--trace", "/dev/null", "--ledger", ledger]) == nil)
        #expect(self.refusal(["show", ad, "--trace", "-"])?.contains("write ./-") == true)
        #expect(self.text("ad.html", folder) == "<p>Hi</p>")
    }
}
