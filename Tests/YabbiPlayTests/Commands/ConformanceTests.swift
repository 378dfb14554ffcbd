import BrowserSupport
import TestSupport
import Testing

/// The table of `Scripts/conformance.sh` for our own creatives that measure and interact.
@Suite("The examples of measuring and interactive creatives", .needsBrowser, .timeLimit(.minutes(5)))
struct ConformanceTests {
    @Test("each script, page and program of Creatives does what is expected of it")
    func table() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let command = try #require(ChildCommand.path, "the command is not built")
        let script =
            "echo ready && cd '\(root)' && export YABBI_PLAY='\(command)' && exec Scripts/conformance.sh Creatives 2>&1"
        let process = try #require(ChildProcess(script) { $0 == "ready" }, "no shell was started")
        let outcome = process.finish()
        let lines = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0, "\(outcome.text)")
        for (name, count) in [("omid", 6), ("simid", 8), ("vpaid", 5), ("mraid", 7)] {
            #expect(lines.count { $0.hasPrefix(name) && $0.contains(" pass ") } == count, "\(outcome.text)")
        }
    }
}
