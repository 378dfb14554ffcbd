import AdCore
import Testing

@testable import AppleStage

@Suite("A provider's page in a web view")
struct PageViewMachineTests {
    private static let address = "https://libs.smartico.example/wrapper.html"

    /// A page that is loaded and, unless said otherwise, revealed.
    private static func page(revealed: Bool = true) -> PageViewMachine {
        var machine = PageViewMachine()
        _ = machine.handle(.committed(self.address), at: .zero)
        _ = machine.handle(.loaded, at: .zero)
        if revealed { _ = machine.handle(.reveal, at: .zero) }
        return machine
    }

    private static func navigation(
        _ url: String,
        _ target: PageViewMachine.Navigation.Target = .page
    ) -> PageViewMachine.Navigation { .init(url: url, target: target) }

    @Test("it is ready when its first document is loaded, once")
    func ready() {
        var machine = PageViewMachine()
        #expect(machine.handle(.loaded, at: .zero).isEmpty)
        #expect(machine.handle(.committed(Self.address), at: .zero).isEmpty)
        #expect(machine.handle(.loaded, at: .zero) == [.report(.ready)])
        #expect(machine.handle(.loaded, at: .zero).isEmpty)
        #expect(machine.handle(.reveal, at: .zero) == [.fadeIn, .report(.revealed)])
        #expect(machine.handle(.measured(1), at: .zero).isEmpty)
        #expect(machine.handle(.fadeEnded, at: .zero) == [.report(.visible(ratio: 1))])
    }

    @Test("what can't be loaded fails with the reason")
    func failures() {
        func failure(_ input: PageViewMachine.Input) -> [PageViewMachine.Action] {
            var machine = PageViewMachine()
            let actions = machine.handle(input, at: .zero)
            #expect(machine.handle(.loaded, at: .zero).isEmpty)
            return actions
        }
        #expect(failure(.responded(status: 404)) == [.fail(StageError("its server responded with status 404")), .end])
        #expect(failure(.failed("no host")) == [.fail(StageError("the page did not load: no host")), .end])
        #expect(failure(.processEnded) == [.fail(StageError("the page crashed")), .end])
        #expect(PageViewMachine.isCancellation(domain: "NSURLErrorDomain", code: -999))
        #expect(PageViewMachine.isCancellation(domain: "WebKitErrorDomain", code: 102))
        #expect(!PageViewMachine.isCancellation(domain: "NSURLErrorDomain", code: -1_009))
    }

    @Test("its main frame sends messages to the app, before the reveal too; other frames and long texts are blocked")
    func messages() {
        var machine = Self.page(revealed: false)
        let message = #"{"bcid":5}"#
        #expect(machine.handle(.message(message, isMainFrame: true), at: .zero) == [.report(.message(message))])
        let frame = BlockedAttempt(.other, "a nested frame sent a message to the app")
        #expect(machine.handle(.message(message, isMainFrame: false), at: .zero) == [.report(.blocked(frame))])
        let long = String(repeating: "a", count: PageViewMachine.messageLimit + 1)
        let blocked = BlockedAttempt(.other, "the page sent a message of 1048577 bytes")
        #expect(machine.handle(.message(long, isMainFrame: true), at: .zero) == [.report(.blocked(blocked))])
        #expect(machine.handle(.post("{}"), at: .zero) == [.post("{}")])
    }

    @Test("it may navigate within its origin, and its frames to any page")
    func inside() {
        var machine = PageViewMachine()
        // Its first document may redirect.
        #expect(machine.decide(Self.navigation("https://smartico.example/"), at: .zero).isAllowed)
        machine = Self.page()
        #expect(machine.decide(Self.navigation(Self.address + "?dp=dp:gf"), at: .zero).isAllowed)
        for url in ["https://game.example/", "about:blank", "about:srcdoc", "data:text/html,x", "blob:https://a/1"] {
            #expect(machine.decide(Self.navigation(url, .frame), at: .zero).isAllowed)
        }
    }

    @Test("a link out of it is a click after a press, and one press opens one link")
    func links() throws {
        var machine = Self.page()
        let shop = try #require(ClickThroughURL("https://shop.example/"))
        let place = TapPoint(x: 3, y: 4)
        let before = machine.decide(Self.navigation(shop.text), at: .zero)
        #expect(
            !before.isAllowed
                && before.actions == [
                    .report(
                        .blocked(
                            BlockedAttempt(.navigation, "https://shop.example/, without a user's gesture of its own")
                        )
                    )
                ]
        )
        _ = machine.handle(.touched(place), at: .seconds(1))
        let after = machine.decide(Self.navigation(shop.text, .window), at: .seconds(2))
        #expect(!after.isAllowed && after.actions == [.report(.click(shop, byUser: true, at: place))])
        let again = machine.decide(Self.navigation(shop.text), at: .seconds(2))
        #expect(!again.isAllowed && again.actions.isEmpty)
        #expect(Self.isBlocked(machine.decide(Self.navigation("https://b.example/", .window), at: .seconds(2))))
        _ = machine.handle(.touched(place), at: .seconds(3))
        #expect(Self.isBlocked(machine.decide(Self.navigation("https://b.example/"), at: .seconds(9))))
    }

    @Test("what is no link of an app is blocked even after a press")
    func wrongLinks() {
        for url in ["javascript:alert(1)", "", "file:///etc/passwd"] {
            var machine = Self.page()
            _ = machine.handle(.touched(TapPoint(x: 0, y: 0)), at: .zero)
            #expect(Self.isBlocked(machine.decide(Self.navigation(url), at: .zero)), "\(url)")
        }
    }

    private static func isBlocked(_ decision: (isAllowed: Bool, actions: [PageViewMachine.Action])) -> Bool {
        guard !decision.isAllowed, case .report(.blocked)? = decision.actions.first else { return false }
        return decision.actions.count == 1
    }

    @Test("a page that crashes is not visible, gets no messages, and can be closed")
    func crash() {
        var machine = Self.page()
        _ = machine.handle(.fadeEnded, at: .zero)
        _ = machine.handle(.measured(1), at: .zero)
        #expect(
            machine.handle(.processEnded, at: .zero) == [
                .report(.visible(ratio: 0)), .report(.crashed("the page crashed")),
            ]
        )
        #expect(machine.handle(.processEnded, at: .zero).isEmpty && machine.handle(.post("{}"), at: .zero).isEmpty)
        #expect(machine.handle(.message("{}", isMainFrame: true), at: .zero).isEmpty)
        #expect(!machine.decide(Self.navigation(Self.address), at: .zero).isAllowed)
        #expect(machine.handle(.closePressed, at: .zero) == [.report(.closeRequested(by: .user))])
    }

    @Test("after its end nothing is reported")
    func end() {
        for (last, actions) in [
            (PageViewMachine.Input.close, [PageViewMachine.Action.end]), (.gone, [.report(.gone), .end]),
        ] {
            var machine = Self.page()
            #expect(machine.handle(last, at: .zero) == actions)
            for input: PageViewMachine.Input in [
                .close, .gone, .measured(1), .processEnded, .post("{}"), .closePressed,
                .message("{}", isMainFrame: true),
            ] { #expect(machine.handle(input, at: .zero).isEmpty) }
        }
    }
}

@Suite("Bridge of a page")
struct PageBridgeTests {
    @Test("the script names the provider's objects, and hands them the web view's handler")
    func script() throws {
        let address = try #require(HTTPURL("https://libs.smartico.example/wrapper.html"))
        let page = PageCreative(address, userAgent: "SMTO-WRAPPER", bridges: ["SmarticoBridge", "ReactNativeWebView"])
        let script = PageBridge.script(for: page)
        #expect(script.contains(#"(["SmarticoBridge","ReactNativeWebView"])"#))
        #expect(script.contains("webkit.messageHandlers.yabbiBridge"))
        #expect(script.contains("delete globalThis.__yabbi_bridge"))
        // A name of the provider is data, too.
        let odd = PageBridge.script(for: PageCreative(address, userAgent: "", bridges: [#"a"]);alert(1)//"#]))
        #expect(odd.contains(#"["a\"]);alert(1)//"]"#))
    }
}

@Suite("Places of links")
struct LinkPlaceTests {
    @Test("Safari's sheet is for web pages only, because it ends an app that gives it anything else")
    func places() throws {
        let web = try #require(ClickThroughURL("https://shop.example/"))
        let store = try #require(ClickThroughURL("itms-apps://apps.apple.com/app/id1"))
        #expect(LinkPlace(web, .inApp, hasPresenter: true) == .sheet)
        #expect(LinkPlace(web, .inApp, hasPresenter: false) == .nowhere)
        #expect(LinkPlace(web, .systemBrowser, hasPresenter: true) == .system)
        #expect(LinkPlace(store, .inApp, hasPresenter: true) == .system)
        #expect(LinkPlace(store, .systemBrowser, hasPresenter: false) == .system)
    }
}
