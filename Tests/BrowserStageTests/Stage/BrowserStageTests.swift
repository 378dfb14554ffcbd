import AdCore
import BrowserSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("A creative on a browser stage", .needsEngine, .timeLimit(.minutes(1)))
struct BrowserStageTests {
    @Test("a creative is ready, then revealed, then visible, and has a screenshot")
    func life() async throws {
        try await StageHarness.show("<div style='background:#0a0;height:100vh'>Hello</div>") { stage, reports in
            await reports.first { if case .visible(let ratio) = $0 { ratio == 1 } else { false } }
            let events = reports.events.prefix(3)
            #expect(events.elementsEqual([.ready, .revealed, .visible(ratio: 1)]))
            let picture = try await stage.screenshot(.png)
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 500)
        }
    }

    @Test("the close button works only when it is shown")
    func close() async throws {
        try await StageHarness.show("<div style='height:100vh'></div>") { stage, reports in
            try await stage.press(x: 390 - 33, y: 33)
            try await stage.waitUntilDrawn()
            #expect(!reports.events.contains(.closeRequested(by: .user)))
            try await StageHarness.close(stage, reports)
        }
    }

    @Test("a creative follows a rotation and a smaller room, and clicks still reach it")
    func rooms() async throws {
        let body = "<a style='display:block;height:100vh' href='https://a.example/'>all of it</a>"
        try await StageHarness.show(body) { stage, reports in
            func size() async throws -> AdJSON { try await stage.evaluate(inCreative: "[innerWidth, innerHeight]") }
            #expect(try await size() == [390, 844])
            let wide = Size(width: 844, height: 390)
            stage.setGeometry(StageGeometry(screen: wide, size: CreativeLayout(.adaptive, in: .fullScreen(wide))))
            try await stage.waitUntilDrawn()
            #expect(try await size() == [844, 390])
            let small = AdContainer(width: 300, height: 200, screen: wide)
            stage.setGeometry(StageGeometry(screen: wide, size: CreativeLayout(.adaptive, in: small)))
            try await stage.waitUntilDrawn()
            #expect(try await size() == [300, 200])
            // In the middle of the screen, where the smaller creative is.
            try await stage.press(x: 422, y: 195)
            #expect(await reports.click()?.text == "https://a.example/")
        }
    }

    @Test("a creative that is larger than its room is scaled down and keeps its own size")
    func scaled() async throws {
        let size = RequestedSize.fixed(Size(width: 780, height: 844))
        try await StageHarness.show("<a style='display:block;height:100vh' href='https://a.example/'>x</a>", size: size)
        {
            stage,
            reports in
            #expect(try await stage.evaluate(inCreative: "[innerWidth, innerHeight]") == [780, 844])
            let place = try #require(await stage.clickPosition())
            // Engines round scaled boxes differently.
            #expect(abs(place.x - 195) < 0.1 && abs(place.y - 422) < 0.1)
            try await stage.press(place)
            #expect(await reports.click()?.text == "https://a.example/")
        }
    }

    @Test(
        "a user's click opens the creative's URL",
        arguments: [
            ("<a href='https://a.example/self'>x</a>", "https://a.example/self"),
            ("<a href='https://a.example/#/p/5'>x</a>", "https://a.example/#/p/5"),
            ("<a href='https://a.example/blank' target=_blank>x</a>", "https://a.example/blank"),
            ("<a href='https://a.example/top' target=_top>x</a>", "https://a.example/top"),
            ("<a href='tel:+123'>x</a>", "tel:+123"),
            ("<a href='market://details?id=a'>x</a>", "market://details?id=a"),
            ("<p onclick=\"window.open('https://a.example/open')\">x</p>", "https://a.example/open"),
            (
                "<p onclick=\"let w=window.open('about:blank');w.location='https://a.example/later'\">x</p>",
                "https://a.example/later"
            ),
            (
                "<p onclick=\"let w=window.open();w.location.href='https://a.example/href'\">x</p>",
                "https://a.example/href"
            ),
            ("<p onclick=\"location='https://a.example/loc'\">x</p>", "https://a.example/loc"),
            // A nested frame with a process of its own.
            (
                "<iframe sandbox='allow-scripts allow-popups' style='position:fixed;inset:0;width:100%;height:100%;border:0' srcdoc='<a href=https://a.example/in target=_blank style=display:block;height:100vh>x</a>'></iframe>",
                "https://a.example/in"
            ),
            ("<p onclick=\"top.location='https://a.example/toploc'\">x</p>", "https://a.example/toploc"),
            ("<form action='https://a.example/form' method=post><button>x</button></form>", "https://a.example/form"),
            ("<form action='https://a.example/fb' target=_blank><button>x</button></form>", "https://a.example/fb?"),
        ]
    )
    func click(body: String, link: String) async throws {
        let style = "<style>a,p,button{position:fixed;inset:0;display:block;width:100%;margin:0}</style>"
        try await StageHarness.show(style + body) { stage, reports in
            try await stage.press(x: 150, y: 400)
            #expect(await reports.click()?.text == link)
            #expect(reports.clicks.count == 1 && reports.blocked.isEmpty)
            // The host page did not navigate.
            #expect(try await stage.evaluate("document.getElementById('creative') !== null") == true)
        }
    }
}
