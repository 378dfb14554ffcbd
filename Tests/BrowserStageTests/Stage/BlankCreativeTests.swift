import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// A creative for a blank check.
struct BlankSample: Sendable, CustomTestStringConvertible {
    let name: String
    let body: String
    var kind = ShowRules.Kind.interstitial

    init(_ name: String, _ body: String, _ kind: ShowRules.Kind = .interstitial) {
        self.name = name
        self.body = body
        self.kind = kind
    }

    var testDescription: String { self.name }

    static let visible = [
        BlankSample(
            "one line of small text on white",
            "<style>body{background:#fff}</style><p style='font:10px serif'>Ad</p>"
        ),
        BlankSample(
            "light grey text on white",
            "<style>body{background:#fff}</style><p style='color:#ddd'>Sale until Sunday</p>"
        ),
        BlankSample(
            "white text on dark grey",
            "<style>body{background:#222}</style><p style='color:#fff'>Sale until Sunday</p>"
        ),
        BlankSample(
            "text that fades in after a second",
            """
            <style>p { opacity: 0; animation: in 2s 1s forwards } @keyframes in { to { opacity: 1 } }</style>
            <style>body{background:#fff}</style><p>Sale until Sunday</p>
            """
        ),
        BlankSample(
            "an image that is inserted after three seconds",
            """
            <style>body{background:#fff}</style><script>setTimeout(() => {
              const picture = new Image(40, 40);
              picture.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='30' height='30'/></svg>";
              document.body.append(picture);
            }, 3000)</script>
            """
        ),
        BlankSample(
            "a canvas",
            "<canvas width=100 height=100></canvas><script>document.querySelector('canvas').getContext('2d').fillText('Ad', 20, 20)</script>",
            .banner
        ),
        BlankSample(
            "a yellow box as large as the ad",
            "<div style='width:390px;height:90px;background:#fc0'></div>",
            .banner
        ),
        BlankSample("a black page", "<style>body{background:#000}</style><p style='color:#000'>Ad</p>"),
        BlankSample(
            "a red image as large as the ad",
            "<img style='width:390px;height:90px' src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='390' height='90' fill='red'/></svg>\">",
            .banner
        ),
        BlankSample(
            "a canvas of one color",
            "<canvas width=390 height=90></canvas><script>const to = document.querySelector('canvas').getContext('2d'); to.fillStyle = '#08f'; to.fillRect(0, 0, 390, 90)</script>",
            .banner
        ),
        BlankSample(
            "the alternative text of a failed image",
            "<img width=300 height=80 src='https://cdn.example/a.png' alt='Sale until Sunday'>",
            .banner
        ),
        BlankSample(
            "text over a failed image",
            "<img width=300 height=80 src='https://cdn.example/a.png'><p style='position:fixed;left:90px;top:20px'>Sale until Sunday</p>",
            .banner
        ),
        BlankSample(
            "a text that a script writes after five seconds",
            "<p id=t></p><script>setTimeout(() => { t.textContent = 'Sale until Sunday' }, 5000)</script>",
            .banner
        ),
        BlankSample(
            "a text that fades in after five seconds",
            "<style>p { opacity: 0; animation: in .1s 5.2s forwards } @keyframes in { to { opacity: 1 } }</style><p>Sale until Sunday</p>",
            .banner
        ),
        BlankSample(
            "a small colored box",
            "<div style='width:40px;height:40px;background:#9c9'></div>",
            .banner
        ),
    ]

    static let blank = [
        BlankSample("nothing", "<div id=ad></div>", .banner),
        BlankSample("nothing over the whole screen", "<div id=ad></div>"),
        BlankSample(
            "a link with a failed image",
            "<a href='https://shop.example/'><img width=300 height=80 src='https://cdn.example/a.png'></a>",
            .banner
        ),
        BlankSample(
            "failed images: scaled, with a border, without a URL, right to left, and in a shadow tree",
            """
            <img width=60 height=30 style="transform:scale(1.5);transform-origin:0 0" src="https://cdn.example/a.png">
            <img width=60 height=30 style="margin-left:40px;padding:6px;border:2px solid #fff" src="https://cdn.example/b.png">
            <img width=40 height=30><img dir=rtl width=60 height=30 src="https://cdn.example/c.png"><b id=b></b>
            <script>b.attachShadow({ mode: "open" }).innerHTML = "<img width=50 height=30 src='https://cdn.example/d.png'>"</script>
            """,
            .banner
        ),
        BlankSample(
            "white on white",
            "<style>body{background:#fff}</style><div style='height:100vh;background:#fffffe'></div>"
        ),
        BlankSample(
            "a frame around nothing",
            "<style>body{background:#fff}</style><div style='box-sizing:border-box;height:100vh;border:2px solid #000'></div>"
        ),
        BlankSample(
            "a script that fails before it draws",
            "<script>throw new Error('no drawing'); document.write('Ad')</script>",
            .banner
        ),
        BlankSample(
            "hidden text",
            "<p hidden>Ad</p><p style='visibility:hidden'>Ad</p><p style='opacity:0'>Ad</p>",
            .banner
        ),
    ]
}

@Suite("Blank creatives in a browser", .needsEngine, .timeLimit(.minutes(2)))
struct BlankCreativeTests {
    /// Whether each creative is reported as blank; four are shown at a time.
    private func blankReports(_ samples: [BlankSample], isClosedEarly: Bool = false) async throws -> [String: Bool] {
        try await withThrowingTaskGroup(of: (String, Bool).self) { group in
            for sample in samples {
                group.addTask {
                    let (stage, reports) = try await StageHarness.prepare(sample.body, sample.kind)
                    let decided = AsyncStream<Void> { stream in stage.onBlankCheckFinished { stream.finish() } }
                    await stage.reveal()
                    await reports.first { $0 == .revealed }
                    if isClosedEarly {
                        // Real time: the second check is one second after the reveal.
                        while stage.blanks ?? 2 < 2 { try await stage.waitUntilDrawn() }
                        await stage.prepareToClose()
                    }
                    for await _ in decided {}
                    await stage.close(.host)
                    return (
                        sample.name,
                        reports.events.contains { if case .diagnostic(.blank) = $0 { true } else { false } }
                    )
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    @Test("a creative with visible content, even late, is not blank")
    func visible() async throws {
        let blankReports = try await self.blankReports(BlankSample.visible)
        #expect(blankReports.count == BlankSample.visible.count)
        #expect(blankReports.filter(\.value).isEmpty)
    }

    @Test("a creative without visible content is reported as blank")
    func blank() async throws {
        let blankReports = try await self.blankReports(BlankSample.blank, isClosedEarly: true)
        #expect(blankReports.count == BlankSample.blank.count)
        #expect(blankReports.filter { !$0.value }.isEmpty)
    }

    @Test("content that appears after the last regular check is found by the final check")
    func finalBlankCheck() async throws {
        let body = "<p id=t style='margin:0'></p>"
        let (stage, reports) = try await StageHarness.prepare(body, .banner)
        await stage.reveal()
        await reports.first { $0 == .revealed }
        while stage.blanks ?? 2 < 2 { try await stage.waitUntilDrawn() }
        _ = try await stage.evaluate(inCreative: "t.textContent = 'Sale until Sunday'")
        try await stage.waitUntilDrawn()
        await stage.prepareToClose()
        #expect((stage.machine as? CreativeMachine)?.blank.outcome == .visible)
        #expect(!reports.events.contains { if case .diagnostic(.blank) = $0 { true } else { false } })
        await stage.close(.host)
    }

    @Test(
        "the host's close button is no content, and a close waits for the last check"
    )
    func closed() async throws {
        let (stage, reports) = try await StageHarness.prepare("<div id=ad></div>", .banner)
        await stage.setControl(.close, visible: true)
        await stage.reveal()
        await reports.first { if case .visible = $0 { true } else { false } }
        // Real time: the second check is one second after the reveal.
        while stage.blanks ?? 2 < 2 { try await stage.waitUntilDrawn() }
        let place = try #require(await stage.position(of: .close))
        try await stage.press(place)
        await reports.first { $0 == .closeRequested(by: .user) }
        let names = reports.events.compactMap { event -> String? in
            switch event {
            case .diagnostic(.blank): "blank"
            case .closeRequested: "close"
            default: nil
            }
        }
        #expect(names == ["blank", "close"])
        await stage.close(.user)
    }
}

extension BrowserStage {
    /// The number of blank checks so far; nil after the last one.
    fileprivate var blanks: Int? {
        (self.machine as? CreativeMachine).flatMap { $0.blank.isUndecided ? $0.blank.blanks : nil }
    }
}
