import AdCore
import AdMarkup
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("Captions and the full screen in the browser", .needsEngine, .timeLimit(.minutes(2)))
struct CaptionStageTests {
    private static let path = "/captions/pluvello.en.vtt"

    private func spot() throws -> VideoSpot {
        var spot = try mediaSpot("/media/pluvello.mp4")
        spot.captions = [
            VideoSpot.Caption(try VideoServer.url("/nothing.vtt"), type: "text/vtt", language: "fr"),
            VideoSpot.Caption(try VideoServer.url(Self.path), type: "text/vtt", language: "en"),
        ]
        return spot
    }

    @Test("each press shows the next captions that can be fetched, and none after the last")
    func presses() async throws {
        try await VideoHarness.show(VideoCreative(try self.spot()), speed: 1) { stage, reports in
            _ = await reports.started()
            /// The texts of the cues once there are some, or none.
            func cues(none: Bool) async throws -> AdJSON {
                try await stage.evaluate(
                    """
                    new Promise((resolve) => {
                      let left = 600;
                      const check = () => {
                        const tracks = [...document.getElementById("video").textTracks];
                        const texts = tracks.flatMap((track) => [...track.cues].map((cue) => cue.text));
                        if ((texts.length === 0) === \(none) || left-- === 0) resolve(texts);
                        else requestAnimationFrame(check);
                      };
                      check();
                    })
                    """
                )
            }
            func press() async throws {
                try await stage.press(try #require(await stage.position(of: PlayerButton.captions)))
                try await stage.waitUntilDrawn()
            }
            func isPressed() async throws -> AdJSON {
                try await stage.evaluate("document.getElementById('captions').ariaPressed")
            }
            try await press()
            #expect(try await cues(none: true) == [], "the first file does not exist")
            try await press()
            #expect(
                try await cues(none: false) == [
                    "<v Narrator>Every drop is a note.</v>", "Rain, played on <i>your</i> umbrella.",
                    "Pluvello.\nLet it rain.",
                ]
            )
            #expect(try await isPressed() == "true")
            try await press()
            #expect(try await cues(none: true) == [])
            #expect(try await isPressed() == "false")
        }
    }

    @Test("the button for the full screen makes the video as large as the screen, and smaller again")
    func fullScreen() async throws {
        try await VideoHarness.show(VideoCreative(try mediaSpot("/media/pluvello.mp4")), speed: 1) { stage, reports in
            _ = await reports.started()
            func slot() async throws -> AdJSON {
                try await stage.evaluate(
                    "(({ width, height }) => [width, height])(document.getElementById('slot').getBoundingClientRect())"
                )
            }
            #expect(reports.events.first == .video(.enlarged(false)), "it says how it starts")
            try await stage.press(try #require(await stage.position(of: PlayerButton.fullScreen)))
            await reports.waitFor(.enlarged(true))
            #expect(try await slot() == [390, 844])
            try await stage.press(try #require(await stage.position(of: PlayerButton.fullScreen)))
            await reports.count(.video(.enlarged(false)), reaches: 2)
            #expect(try await slot() == [390, .double(219.375)])
        }
    }

    /// Texts that a WebVTT parser must read alike.
    private static let samples = [
        "WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:03.000 --> 00:04.000 line:-2 align:left\nTwo\nlines\n",
        "WEBVTT with a title\r\n\r\nNOTE\r\na note\r\n\r\nname\r\n01:00:00.001 --> 01:00:01.999 position:10% size:35%\r\n<b>x</b>\r\n",
        "\u{FEFF}WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:01.000 --> 00:02.000 vertical:lr line:5%\n<c.x>y</c> &amp; z",
        "WEBVTT\n\n00:01.000 --> 00:02.000\nno empty line\n00:02.000 --> 00:03.000\nbefore this one\n\nleft --> out\nx\n",
        "WEBVTT\n\n00:01.000 --> 00:02.000 align:middle size:101% line:x position:50%\nsettings\n",
    ]

    @Test("WebVTT is read as the browser reads it", arguments: CaptionStageTests.samples)
    func oracle(text: String) async throws {
        let body = """
            <video id="v"><track id="t" default src="data:text/vtt;base64,\(Base64.text(Array(text.utf8)))"></video>
            """
        let script = """
            new Promise((resolve) => {
              const element = document.getElementById("t");
              element.track.mode = "hidden";
              const read = () => resolve([...element.track.cues].map((cue) => [
                cue.startTime, cue.endTime, cue.text, cue.line, cue.snapToLines, cue.position, cue.size, cue.align, cue.vertical,
              ]));
              element.readyState === 2 ? read() : element.addEventListener("load", read);
            })
            """
        let read = try await StageHarness.show(body) { stage, _ in try await stage.evaluate(inCreative: script) }
        let ours = try CaptionTrack(Array(text.utf8)).cues.map { cue -> AdJSON in
            let settings = cue.settings
            let (line, isNumber): (AdJSON, Bool) =
                switch settings.line {
                case .number(let line): (.double(line), true)
                case .percent(let line): (.double(line), false)
                case nil: ("auto", true)
                }
            return [
                .double(cue.start.inSeconds), .double(cue.end.inSeconds), .string(cue.text), line, .bool(isNumber),
                settings.position.map { .double($0) } ?? "auto", .double(settings.size ?? 100),
                .string(settings.align?.rawValue ?? "center"), .string(settings.vertical?.rawValue ?? ""),
            ]
        }
        #expect(AdJSON.array(ours).text() == read.text())
    }
}
