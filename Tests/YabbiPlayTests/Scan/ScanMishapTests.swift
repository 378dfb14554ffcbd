import AdCore
import BrowserSupport
import LibC
import PlayConsole
import TestSupport
import Testing

@testable import YabbiPlay

@Suite(
    "Mishaps of a scan",
    .needsBrowser,
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests"),
    .timeLimit(.minutes(3))
)
struct ScanMishapTests {
    private static func creatives(_ count: Int, in folder: TemporaryFolder) throws -> String {
        mkdir(folder.path + "/ads", 0o755)
        for number in 0..<count {
            let markup = "<!DOCTYPE html><body><a href='https://shop.example/\(number)'>Offer \(number)</a></body>"
            _ = try #require(folder.write(markup, "ads/\(number).html"))
        }
        return folder.path + "/ads"
    }

    @Test(
        "a browser that is killed is started again, and no creative fails for it",
        .enabled(if: BrowserTrace.canSee, "there is no /proc to find its processes in")
    )
    func killedBrowser() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = BrowserTrace(folder)
        let words = ["scan", try Self.creatives(10, in: folder), "--json", "--no-follow", "--jobs", "2"]
        let child = try #require(ChildCommand(words, in: folder, environment: trace.environment))
        #expect(child.hasPrinted("verdict", within: 60))
        let groups = trace.groups
        #expect(!groups.isEmpty)
        for group in groups { LibC.kill(pid_t(-group), SIGKILL) }
        #expect(child.wait() == ExitCode.done.rawValue)
        let verdicts = ChildCommand.lines(child.output).filter { $0["event"] == "verdict" }
        #expect(verdicts.count == 10)
        for verdict in verdicts { #expect(verdict["measures"]?["failure"] == [], "\(verdict.text())") }
    }

    @Test(
        "a browser that does not run ends the scan with its reason, and no creative fails",
        arguments: [nil, "/no/folder"]
    )
    func noBrowser(temporaryFolder: String?) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let report = folder.path + "/report"
        let words = ["scan", try Self.creatives(2, in: folder), "--no-follow", "--jobs", "1", "--report", report]
        // A program that ends at once, and a browser that has no place for its profile.
        let environment = temporaryFolder.map { ["TMPDIR": $0] } ?? ["CHROME": "/bin/true"]
        let child = try #require(ChildCommand(words, in: folder, environment: environment))
        #expect(child.wait() == ExitCode.showFailed.rawValue)
        let errors = String(decoding: folder.bytes("err"), as: UTF8.self)
        #expect(
            errors.contains("the browser does not run here: ") && errors.contains("run it again to go on"),
            "\(errors)"
        )
        #expect(folder.bytes("report/journal.jsonl").isEmpty)
    }

    @Test(
        "a scan whose disk is full ends and says so",
        .enabled(if: ChildCommand.canMount, "this needs a small disk of its own, which only root may mount")
    )
    func fullDisk() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let ads = try Self.creatives(20, in: folder)
        let report = folder.path + "/disk/report"
        let words = ["scan", ads, "--json", "--no-follow", "--watch", "0.2", "--jobs", "2", "--report", report]
        let child = try #require(ChildCommand(words, in: folder, disk: "16k"))
        let code = child.wait()
        let errors = String(decoding: folder.bytes("err"), as: UTF8.self)
        #expect(code == ExitCode.usage.rawValue)
        #expect(errors.contains("journal.jsonl can't be written: No space left on device"), "\(errors)")
        #expect(errors.contains("run it again to go on"))
        let verdicts = ChildCommand.lines(child.output).count { $0["event"] == "verdict" }
        #expect((1..<20).contains(verdicts))
    }

    @Test("a line that a full disk has cut is left out by the next scan, which judges the others once")
    func cutLine() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let words = [
            "scan", try Self.creatives(4, in: folder), "--json", "--no-follow", "--watch", "0.2", "--report",
            folder.path + "/report",
        ]
        #expect(try #require(ChildCommand(words, in: folder)).wait() == ExitCode.done.rawValue)
        let journal = folder.path + "/report/journal.jsonl"
        let lines = folder.bytes("report/journal.jsonl").split(separator: UInt8(ascii: "\n"))
        truncate(journal, lines.dropLast().reduce(0) { $0 + $1.count + 1 } + 300)
        #expect(try #require(ChildCommand(words, in: folder)).wait() == ExitCode.done.rawValue)
        #expect(ChildCommand.lines(folder.path + "/out").last?["resumed"] == 3)
        let ids = ChildCommand.lines(journal).compactMap { $0["id"]?.string }
        #expect(ids.count == 4 && Set(ids).count == 4)
    }
}
