import BrowserSupport
import TestSupport
import Testing

/// The table of `Scripts/conformance.sh` for our own creatives that measure and interact.
@Suite("The examples of measuring and interactive creatives", .needsEngine, .timeLimit(.minutes(5)))
struct ConformanceTests {
    @Test("each script, page and program of Creatives does what is expected of it")
    func table() throws {
        let outcome = try self.run("exec Scripts/conformance.sh Creatives 2>&1")
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0, "\(outcome.text)")
        for (name, count) in [("omid", 6), ("simid", 8), ("vpaid", 5), ("mraid", 7)] {
            #expect(lines.count { $0.hasPrefix(name) && $0.contains(" pass ") } == count, "\(outcome.text)")
        }
    }

    @Test("the files of a player are no examples")
    func player() throws {
        let outcome = try self.run(
            """
            folder=$(mktemp -d) && mkdir "$folder/player" && echo simid >"$folder/player/page.html"
            code=0; Scripts/conformance.sh "$folder" 2>&1 || code=$?
            rm -r "$folder"; exit $code
            """
        )
        #expect(outcome.status == 2 && outcome.text.contains("has no example"), "\(outcome.text)")
    }

    /// Runs a script in the project's folder.
    private func run(_ script: String) throws -> (status: Int32, text: String) {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let command = try #require(ChildCommand.path, "the command is not built")
        let stage = TestBrowser.engine == .webKit ? "webkit" : "chromium"
        let start = "echo ready && cd '\(root)' && export YABBI_PLAY='\(command)' YABBI_STAGE=\(stage)\n"
        let process = try #require(ChildProcess(start + script) { $0 == "ready" }, "no shell was started")
        let outcome = process.finish()
        return (outcome.status, outcome.text)
    }
}
