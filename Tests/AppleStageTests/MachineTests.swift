import AdCore
import Testing

@testable import AppleStage
@testable import WebStage

@Suite("A creative's machine over the translator")
struct MachineTests {
    private static let url = "yabbi-stage://ad-1.yabbi-creative.invalid/"

    private func ready() -> ScriptedView {
        var view = ScriptedView(document: "<p>ad</p>")
        view.start()
        return view
    }

    @Test("the host page is loaded, then the creative, and is ready")
    func loads() {
        let view = self.ready()
        #expect(view.reports == [.ready])
        #expect(view.page.frames.children.count == 1)
        #expect(view.scripts.contains { $0.isHost && $0.frame == PageFrames.main })
    }

    @Test("a link that the user pressed is a click, and nothing navigates")
    func click() {
        var view = self.ready()
        view.handle(.reveal)
        let gesture = EngineChannel.gesture.rawValue
        view.send(
            #"{"k":"gesture","type":"click","pointer":"touch","target":"a","x":5,"y":6}"#,
            to: gesture,
            at: "0",
            Self.url
        )
        view.send(#"{"k":"link","url":"https://shop.example/"}"#, to: gesture, at: "0", Self.url)
        let clicks = view.reports.filter { if case .click(_, byUser: true, _) = $0 { true } else { false } }
        #expect(clicks.count == 1)
    }

    @Test("a navigation of the creative without a gesture is blocked")
    func autoRedirect() {
        var view = self.ready()
        view.handle(.reveal)
        view.navigate(.frame(url: Self.url), to: "https://shop.example/", isFromMain: false)
        #expect(!view.reports.contains { if case .click = $0 { true } else { false } })
        #expect(view.page.held.isEmpty)
    }

    @Test("the host page that navigates away is not let go")
    func hostPage() {
        var view = self.ready()
        view.navigate(.main, to: "https://shop.example/", isFromMain: false)
        #expect(view.page.held.isEmpty && !view.reports.contains(.gone))
    }

    // MARK: Pages of providers

    private static let address = "https://popup.example/a"

    private func page() throws -> ScriptedView {
        let creative = PageCreative(try HTTPURL(parsing: Self.address), userAgent: "Popup/1.0", bridges: ["bridge"])
        var view = ScriptedView(page: creative)
        view.start()
        return view
    }

    @Test("a provider's page is loaded from its own address, and its main frame sends messages to the app")
    func providerPage() throws {
        var view = try self.page()
        #expect(view.reports == [.ready])
        let bridge = EngineChannel.bridge.rawValue
        view.send("hello", to: bridge, at: "", Self.address, isHost: false)
        view.send("late", to: bridge, at: "0", "https://popup.example/frame", isHost: false)
        #expect(view.reports.contains(.message("hello")) && !view.reports.contains(.message("late")))
    }

    @Test("a provider's page navigates in its origin, and nowhere else without a gesture")
    func providerNavigation() throws {
        var view = try self.page()
        view.handle(.reveal)
        view.navigate(.main, to: "https://popup.example/b", isFromMain: true)
        #expect(!view.reports.contains { if case .blocked = $0 { true } else { false } })
        view.navigate(.main, to: "https://shop.example/", isFromMain: true)
        #expect(view.reports.contains { if case .blocked = $0 { true } else { false } })
        #expect(!view.reports.contains { if case .click = $0 { true } else { false } })
    }

    @Test("the end of the process ends the ad")
    func crash() {
        var view = self.ready()
        view.handle(.reveal)
        for event in [EngineEvent(.crashed, in: view.page.target)] { view.handle(.event(event)) }
        #expect(view.reports.contains(.gone))
    }
}
