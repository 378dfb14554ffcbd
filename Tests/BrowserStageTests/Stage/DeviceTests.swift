import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("The simulated device", .needsEngine, .timeLimit(.minutes(1)))
struct DeviceTests {
    private static let screen = Size(width: 390, height: 844)

    private func presenter(scale: Double) throws -> any BrowserPresenter {
        var options = TestBrowser()
        options.scale = scale
        return try options.presenter(StageSettings(screen: Self.screen))
    }

    /// The width and height in a PNG's header.
    private func size(ofPicture bytes: [UInt8]) -> [Int] {
        [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    }

    @Test(
        "the scale sets devicePixelRatio and the screenshot's size; presses and visibility still work",
        arguments: [1.0, 2, 3]
    )
    func scale(scale: Double) async throws {
        let presenter = try self.presenter(scale: scale)
        let body = """
            <a style="position:fixed;left:301px;top:702px;width:12px;height:8px;background:#0a0" href="https://a.example/"></a>
            <img srcset="https://a.example/1 1x, https://a.example/2 2x, https://a.example/3 3x">
            """
        try await StageHarness.show(body, on: presenter) { stage, reports in
            #expect(try await stage.evaluate(inCreative: "devicePixelRatio") == .double(scale))
            #expect(try await stage.evaluate("devicePixelRatio") == .double(scale))
            let source = try await stage.evaluate(inCreative: "document.querySelector('img').currentSrc.at(-1)")
            #expect(source == .string("\(Int(scale))"))
            let picture = try await stage.screenshot(.png)
            #expect(self.size(ofPicture: picture) == [390 * Int(scale), 844 * Int(scale)])
            await reports.first { if case .visible(let ratio) = $0 { ratio == 1 } else { false } }
            // On a busy machine a press can come before the browser knows the layout.
            for _ in 0..<10 where reports.clicks.isEmpty {
                try await stage.press(x: 307, y: 706)
                try await stage.waitUntilDrawn()
            }
            #expect(reports.clicks.first == "https://a.example/")
            try await StageHarness.close(stage, reports)
        }
        await presenter.close()
    }

    @Test("a press reaches its target after a screenshot, also in an animated frame", arguments: [1.0, 2])
    func pressed(scale: Double) async throws {
        let presenter = try self.presenter(scale: scale)
        let body = """
            <style>@keyframes sway { to { transform: rotate(9deg) } } i { display: block; width: 20px; height: 20px;
            background: #a00; animation: sway 3s ease-in-out 3; }</style>
            <a style="position:fixed;inset:0" href="https://a.example/" target="_blank"><i></i></a>
            """
        let size = RequestedSize.fixed(Size(width: 320, height: 50))
        let (stage, reports) = try await StageHarness.prepare(body, .banner, size: size, on: presenter)
        await stage.reveal()
        try await stage.waitUntilDrawn()
        for format in [BrowserStage.ScreenshotFormat.webp, .png, .jpeg] { _ = try await stage.screenshot(format) }
        let place = try #require(await stage.clickPosition())
        try await stage.press(place)
        for _ in 0..<50 where reports.clicks.isEmpty { try await stage.waitUntilDrawn() }
        #expect(reports.clicks.first == "https://a.example/")
        await stage.close(.host)
        await presenter.close()
    }

    @Test("a creative sees the device's screen, and its viewport follows a rotation")
    func screen() async throws {
        let presenter = try self.presenter(scale: 2)
        let sizes = "[screen.width, screen.height, screen.availWidth, innerWidth, innerHeight]"
        try await StageHarness.show("<p>here</p>", on: presenter) { stage, _ in
            #expect(try await stage.evaluate(inCreative: sizes) == [390, 844, 390, 390, 844])
            stage.rotate()
            try await stage.waitUntilDrawn()
            #expect(try await stage.evaluate(inCreative: "[innerWidth, innerHeight]") == [844, 390])
            #expect(try await stage.evaluate("[screen.width, screen.height]") == [844, 390])
        }
        let size = RequestedSize.fixed(Size(width: 300, height: 250))
        try await StageHarness.show("<p>here</p>", .banner, size: size, on: presenter) { stage, _ in
            let seen = try await stage.evaluate(inCreative: sizes)
            #expect(seen == [390, 844, 390, 300, 250])
        }
        await presenter.close()
    }
}
