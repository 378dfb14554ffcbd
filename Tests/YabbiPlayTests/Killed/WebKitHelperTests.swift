import AdCore
import BrowserSupport
import LibC
import TestSupport
import Testing

/// The program that shows ads in WebKit, where it can't start, and where it loses what it needs.
@Suite(
    "The helper for WebKit",
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests"),
    .timeLimit(.minutes(2))
)
struct WebKitHelperTests {
    private static let words = ["show", "--unit", "banner-320x50", "--stage", "webkit", "--json", "--do"]

    private func errors(_ folder: TemporaryFolder) -> String { String(decoding: folder.bytes("err"), as: UTF8.self) }

    @Test(
        "one that can't start is told with the fix, and the exit code is that of a browser that shows nothing",
        arguments: [
            (
                "yabbi-webkit: the installed WebKitGTK is too old; install version 2.42 or later (libwebkit2gtk-4.1-0)",
                "too old; install version 2.42 or later"
            ),
            (
                "yabbi-webkit: error while loading shared libraries: libwebkit2gtk-4.1.so.0: cannot open shared object file",
                "libwebkit2gtk-4.1.so.0"
            ),
        ]
    )
    func unusable(error: String, text: String) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let helper = try #require(folder.write("#!/bin/sh\necho '\(error)' >&2\nexit 1\n", "yabbi-webkit"))
        chmod(helper, 0o755)
        let environment = ["TMPDIR": folder.path, "YABBI_WEBKIT": helper]
        let child = try #require(ChildCommand(Self.words + ["close@0s"], in: folder, environment: environment))
        #expect(child.wait() == 5)
        let errors = self.errors(folder)
        #expect(errors.hasPrefix("yabbi-play: WebKit can't be used: ") && errors.contains(text), "\(errors)")
    }

    @Test("without Xvfb the error names the package", .needsBothEngines)
    func noDisplay() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let environment = ["TMPDIR": folder.path, "PATH": folder.path]
        let child = try #require(ChildCommand(Self.words + ["close@0s"], in: folder, environment: environment))
        #expect(child.wait() == 5)
        #expect(self.errors(folder).contains("install it (apt-get install xvfb)"), "\(self.errors(folder))")
    }

    @Test(
        "a helper that is killed, or whose display is, ends the ad, and leaves no process and no file",
        .needsBothEngines,
        .enabled(if: BrowserTrace.canSee, "there is no /proc to find its processes in"),
        arguments: ["Xvfb", "yabbi-webkit"]
    )
    func killed(program: String) throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = BrowserTrace(folder)
        let child = try #require(
            ChildCommand(Self.words + ["close@90s"], in: folder, environment: trace.environment)
        )
        #expect(child.hasPrinted("shown", within: 30))
        let groups = trace.groups
        let process = try #require(BrowserTrace.process(program, in: groups))
        kill(pid_t(process), SIGKILL)
        #expect(child.wait() == 0, "the ad was shown")
        let output = String(decoding: folder.bytes("out"), as: UTF8.self)
        #expect(output.contains(#""event":"closed","reason":"stageGone""#), "\(output)")
        #expect(holds(within: 10) { BrowserTrace.living(in: groups) == 0 } && trace.profiles.isEmpty)
    }
}
