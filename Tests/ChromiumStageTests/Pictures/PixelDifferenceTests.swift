import AdCore
import BrowserSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("The pixels in which two pictures differ", .needsBrowser, .timeLimit(.minutes(1)))
struct PixelDifferenceTests {
    private static func browser() throws -> SharedChromium {
        try SharedChromium(ChromiumOptions(), screen: Size(width: 100, height: 100), limit: 1)
    }

    /// A screenshot of a page of 390x844 with this body.
    private static func picture(_ body: String, _ format: BrowserStage.ScreenshotFormat) async throws -> [UInt8] {
        let presenter = try ChromiumPresenter()
        let html = "<!doctype html><html><body style='margin:0'>\(body)</body></html>"
        let container = await presenter.container(for: .interstitial)
        let options = StageOptions(
            ad: AdID("test"),
            kind: .interstitial,
            size: CreativeLayout(.adaptive, in: container)
        )
        let stage = try await presenter.stage(.html(HTMLCreative(markup: body, document: html)), options) { _ in }
        await stage.reveal()
        try await stage.waitUntilDrawn()
        let picture = try await stage.screenshot(format)
        await stage.close(.host)
        await presenter.close()
        return picture
    }

    @Test(
        "the share is that of the changed area, and the picture shows it",
        arguments: [
            BrowserStage.ScreenshotFormat.png, .webp,
        ]
    )
    func share(format: BrowserStage.ScreenshotFormat) async throws {
        let browser = try Self.browser()
        let background = "<div style='position:fixed;inset:0;background:#048'></div>"
        let square = "<div style='position:fixed;left:0;bottom:0;width:39px;height:422px;background:#fc0'></div>"
        let a = try await Self.picture(background, format)
        let b = try await Self.picture(background + square, format)
        let found = try #require(try await browser.pixelDifference(a, b))
        #expect(abs(found.share - 0.05) < 0.005, "a twentieth of the screen: \(found.share)")
        #expect(found.picture.starts(with: [0x89, 0x50, 0x4E, 0x47]), "PNG")
        let reversed = try await browser.pixelDifference(b, a)
        #expect(reversed?.share == found.share)
        #expect(try await browser.pixelDifference(a, a) == PixelDifference(share: 0, picture: []))
        await browser.close()
    }

    @Test("what is no picture, or has another size, can't be compared; the browser goes on")
    func undecodable() async throws {
        let browser = try Self.browser()
        let picture = try await Self.picture("<p>An ad</p>", .png)
        #expect(try await browser.pixelDifference(picture, Array("GIF89a".utf8)) == nil)
        #expect(try await browser.pixelDifference([], []) == nil)
        #expect(try await browser.pixelDifference(picture, Self.dot) == nil)
        #expect(try await browser.pixelDifference(picture, picture)?.share == 0)
        await browser.close()
        await #expect(throws: StageError.self) { try await browser.pixelDifference(picture, picture) }
    }

    /// A GIF of one pixel.
    private static let dot: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xF9, 4, 1, 0, 0, 0,
        0,
        0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0x44, 0, 0x3B,
    ]
}
