import AdCore
import BrowserSupport
import PlaySupport
import SandboxSSP
import TestSupport
import Testing

@testable import ChromiumStage
@testable import PlayConsole
@testable import WebStage
@testable import YabbiPlay

@Suite("Videos in a browser", .needsBrowser, .timeLimit(.minutes(2)))
struct BrowserVideoTests {
    @Test("a video is muted, paused, resumed, unmuted and skipped, and its end card is clicked and closed")
    func video() async throws {
        let (code, console) = await play(
            "show",
            "--unit",
            "video-inline",
            "--stage",
            "chromium",
            "--json",
            "--do",
            "mute@500ms,pause@1s,resume@2s,unmute@2500ms,skip@8s,click@9s,close@10s"
        )
        #expect(code == .done && console.err.isEmpty, "\(console.err)")
        let urls = console.json.filter { $0["event"] == "beaconRecorded" }.compactMap { $0["url"]?.string }
        func count(_ event: String) -> Int { urls.count { $0.contains("/t/vast/video-inline/\(event)") } }
        let once = [
            "inline/loaded", "inline/start", "inline/mute", "inline/pause", "inline/resume", "inline/unmute",
            "inline/progress-3s", "inline/firstQuartile", "inline/skip", "icon/view", "companion/creativeView",
            "companion/click",
        ]
        for event in once { #expect(count(event) == 1, "\(event): \(urls)") }
        #expect(count("inline/complete") == 0 && count("inline/error") == 0)
        let events = console.events
        for event in ["shown", "view", "skipAvailable", "skipped", "click", "linkOpened", "closed"] {
            #expect(events.count { $0 == event } == 1, "\(event)")
        }
    }

    @Test("a video that can't be skipped is watched to its end, and an overlay for its duration")
    func watched() async throws {
        let units = [
            ("video-short", "inline/complete", "4"),
            // Its companion has to load while it is on screen: for five seconds of its own time.
            ("video-overlay", "companion/creativeView", "1"),
            // An overlay without a companion stays on screen after its duration, and the user closes it.
            ("simid-hover", "inline/overlayViewDuration", "4"),
        ]
        for (unit, last, speed) in units {
            let (code, console) = await play("show", "--unit", unit, "--stage", "chromium", "--json", "--speed", speed)
            #expect(code == .done && console.err.isEmpty, "\(console.err)")
            let urls = console.json.filter { $0["event"] == "beaconRecorded" }.compactMap { $0["url"]?.string }
            #expect(urls.contains { $0.contains("/t/vast/\(unit)/inline/impression") })
            #expect(urls.contains { $0.contains("/t/vast/\(unit)/\(last)") }, "\(urls)")
            #expect(!urls.contains { $0.contains("error") } && console.events.last != "showFailed")
        }
    }

    @Test(
        "an unplayable video is reported with its error code",
        arguments: [
            ("vast-vpaid", ExitCode.loadFailed, "901"), ("vast-media-404", .showFailed, "401"),
            ("vast-unsupported", .loadFailed, "403"),
        ]
    )
    func refused(unit: String, code: ExitCode, vast: String) async {
        let (ended, console) = await play("show", "--unit", unit, "--stage", "chromium", "--json")
        #expect(ended == code)
        let urls = console.json.filter { $0["event"] == "beaconRecorded" }.compactMap { $0["url"]?.string }
        #expect(urls.count { $0.hasSuffix("/inline/error?code=\(vast)") } == 1, "\(urls)")
        #expect(!console.events.contains("view"))
    }

    @Test("the video of a tag is shown, and a SIMID creative without a video that can't be loaded is 902")
    func tags() async throws {
        let sandbox = try Sandbox.bundled()
        defer { sandbox.stop() }
        func url(_ path: String) throws -> String { try #require(sandbox.url(path)).text }
        let tag = try url("/vast/video-rewarded")
        let (code, console) = await play(
            "show",
            tag,
            "--stage",
            "chromium",
            "--format",
            "rewarded",
            "--speed",
            "4",
            "--json"
        )
        #expect(code == .done && console.err.isEmpty, "\(console.err)")
        let events = console.events
        let reward = try #require(events.firstIndex(of: "rewarded"))
        #expect(try #require(events.firstIndex(of: "closeAvailable")) > reward)

        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let error = try url("/t/simid/error") + "?code="
        let simid = """
            <VAST version="4.2"><Ad id="a"><InLine><AdSystem>a</AdSystem><AdTitle>a</AdTitle><Error>\(error)[ERRORCODE]</Error>
            <Impression>\(try url("/t/simid/impression"))</Impression><Creatives><Creative><Linear>
            <Duration>00:00:06</Duration><MediaFiles><InteractiveCreativeFile type="text/html" apiFramework="SIMID">
            \(try url("/simid.html"))</InteractiveCreativeFile></MediaFiles></Linear></Creative></Creatives>
            </InLine></Ad></VAST>
            """
        let file = try #require(folder.write(simid, "simid.xml"))
        let (failed, output) = await play("show", file, "--stage", "chromium", "--json")
        #expect(failed == .showFailed)
        let urls = output.json.filter { $0["event"] == "beaconRecorded" }.compactMap { $0["url"]?.string }
        #expect(urls.filter { $0.contains("/t/simid/") } == [error + "902"])
    }

    @Test("a video on loopback is refused to a tag from a file, and --allow-host permits it")
    func allowHost() async throws {
        let server = try Sandbox.bundled()
        defer { server.stop() }
        let videos = server.baseURL.origin
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let tag = """
            <VAST version="4.2"><Ad id="a"><InLine><AdSystem>a</AdSystem><AdTitle>a</AdTitle>
            <Impression>\(videos)/t/impression</Impression><Error>\(videos)/t/error?code=[ERRORCODE]</Error>
            <Creatives><Creative><Linear><Duration>00:00:06</Duration><MediaFiles>
            <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">\(videos)/creatives/media/pluvello-small.mp4</MediaFile>
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        let file = try #require(folder.write(tag, "tag.xml"))
        let (code, console) = await play("show", file, "--stage", "chromium", "--do", "close@1s")
        #expect(code == .showFailed)
        let fix = "yabbi-play allows it by --allow-host \(videos)"
        #expect((console.out + console.err).contains { $0.contains(fix) }, "\(console.out) \(console.err)")
        #expect(server.hits().first { $0.path == "/t/error" }?.query == "code=401")
        #expect(!server.hits().contains { $0.path.hasSuffix(".mp4") })
        let (allowed, events) = await play(
            "show",
            file,
            "--stage",
            "chromium",
            "--allow-host",
            videos,
            "--json",
            "--do",
            "close@1s"
        )
        #expect(allowed == .done && events.events.contains("view"), "\(events.out)")
    }
}
