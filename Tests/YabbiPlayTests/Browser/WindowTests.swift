import AdCore
import BrowserSupport
import TestSupport
import Testing

@Suite(
    "A browser with a window",
    .needsWindows,
    .enabled(if: ChildCommand.path != nil, "yabbi-play was not built beside the tests"),
    .timeLimit(.minutes(2))
)
struct WindowTests {
    private struct Outcome {
        let code: Int32?
        let events: [String]
        let profiles: [String]
        let errors: String
    }

    private func show(_ words: String..., display: String) throws -> Outcome {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let trace = BrowserTrace(folder)
        let child = try #require(
            ChildCommand(
                ["show", "--stage", "chromium", "--headful", "--json"] + words,
                in: folder,
                environment: trace.environment.merging(["DISPLAY": display]) { $1 }
            )
        )
        let code = child.wait()
        return Outcome(
            code: code,
            events: ChildCommand.lines(child.output).compactMap { $0["event"]?.string },
            profiles: trace.profiles,
            errors: String(decoding: folder.bytes("err"), as: UTF8.self)
        )
    }

    @Test("shows an ad that is clicked, rotated and closed, and leaves no files")
    func whole() throws {
        let desktop = try #require(Desktop())
        defer { desktop.stop() }
        let outcome = try self.show(
            "--unit",
            "interstitial",
            "--do",
            "click@300ms,rotate@600ms,close@1s",
            display: desktop.display
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        for name in ["shown", "view", "click", "closed"] {
            #expect(outcome.events.count { $0 == name } == 1, "\(name)")
        }
        #expect(outcome.profiles.isEmpty)
    }

    @Test("shows a video to its end")
    func video() throws {
        let desktop = try #require(Desktop())
        defer { desktop.stop() }
        let outcome = try self.show("--unit", "video-short", "--speed", "8", display: desktop.display)
        #expect(outcome.code == 0 && outcome.profiles.isEmpty, "\(outcome.errors)")
        #expect(outcome.events.contains("view") && outcome.events.contains("closed"))
    }

    @Test("without a display or with an unreachable one, the error says what to do")
    func none() throws {
        let absent = try self.show("--unit", "banner-320x50", display: "")
        #expect(absent.code == 5 && absent.errors.contains("under xvfb-run"), "\(absent.errors)")
        let mute = try self.show("--unit", "banner-320x50", display: ":64999")
        #expect(mute.code == 5 && mute.errors.contains("where DISPLAY says"), "\(mute.errors)")
        #expect(absent.profiles.isEmpty && mute.profiles.isEmpty)
    }
}
