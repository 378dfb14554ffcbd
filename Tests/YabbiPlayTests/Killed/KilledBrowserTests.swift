import BrowserSupport
import TestSupport
import Testing

@Suite(
    "A browser whose command is killed",
    .needsBrowser,
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests"),
    .enabled(if: BrowserTrace.canSee, "there is no /proc to find its processes in"),
    .timeLimit(.minutes(2))
)
struct KilledBrowserTests {
    @Test("exits by itself, and the next start removes its profile")
    func killed() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = BrowserTrace(folder)
        let words = ["show", "--unit", "banner-320x50", "--stage", "chromium", "--json", "--do"]
        let child = try #require(ChildCommand(words + ["close@90s"], in: folder, environment: trace.environment))
        let isShown = child.hasPrinted("shown", within: 30)
        let groups = trace.groups
        let before = BrowserTrace.living(in: groups)
        child.kill(after: 0)
        #expect(isShown && groups.count == 1 && before > 1)
        #expect(holds(within: 10) { BrowserTrace.living(in: groups) == 0 })
        #expect(trace.profiles.count == 1, "no process removed it")

        let next = try #require(ChildCommand(words + ["close@0ms"], in: folder, environment: trace.environment))
        #expect(next.wait() == 0)
        #expect(trace.profiles.isEmpty)
    }
}
