import AdCore
import Testing

@testable import PlayStages
@testable import PlayText

@Suite("A page without a browser")
struct SimulatedPageTests {
    private static let popupHTML = "<script>const IMPRESSION = 1101, ACTION = 1102;</script>"
    private static let gameHTML =
        #"<script>const SPIN = 1103; const PROPERTIES = {"level": 3}; const GAME = {"ach_game_id": 7};</script>"#
    private static let show =
        #"{"bcid":3,"cid":110,"engagement_uid":"e-1","template_html":"<h1>Hi</h1><b data-dp='dp:ok'>OK</b><b data-dp='dp:till'>Go</b>"}"#

    private func page(_ address: String, html: String) throws -> (page: SimulatedPage, first: [SimulatedPage.Action]) {
        let url = try #require(HTTPURL(address))
        var page = SimulatedPage(PageCreative(url, userAgent: "SMTO-WRAPPER", bridges: []))
        let first = page.loaded(html)
        return (page, first)
    }

    /// The messages to the app.
    private func messages(_ actions: [SimulatedPage.Action]) -> [String] {
        actions.compactMap { action in
            guard case .report(let event) = action else { return nil }
            if case .message(let text) = event { return text }
            return "\(event)"
        }
    }

    /// The messages to the page's server.
    private func serverMessages(_ actions: [SimulatedPage.Action]) -> [PageServerMessage] {
        actions.compactMap { if case .record(.sent(let message)) = $0 { message } else { nil } }
    }

    @Test("a popup's page reports that it is loaded, and nothing more before it receives a popup")
    func ready() throws {
        var (page, first) = try self.page("https://p.example/wrapper-popup.html?hash=1", html: Self.popupHTML)
        #expect(self.messages(first) == ["ready", #"{"bcid":1}"#])
        #expect(first.contains(.record(.simulated(host: "p.example", bytes: 56))))
        let early = page.click()
        #expect(self.messages(early).isEmpty, "there is no link to click")
        #expect(page.lines(width: 80) == ["popup"])
    }

    @Test("a popup is displayed and its impression sent once, however often it is posted")
    func popup() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: Self.popupHTML)
        let first = page.post(Self.show)
        #expect(self.messages(first) == [#"{"bcid":5}"#, #"{"bcid":6,"cid":1101,"engagement_uid":"e-1"}"#])
        #expect(self.serverMessages(first) == [PageServerMessage(.impression, cid: 1101, uid: "e-1")])
        #expect(self.messages(page.post(Self.show)) == [#"{"bcid":5}"#])
        #expect(page.lines(width: 80) == ["popup", "Hi", "[ OK ]  dp:ok", "[ Go ]  dp:till"])
    }

    @Test("a click follows the first deep link: the action is sent once, the link each time")
    func click() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: Self.popupHTML)
        _ = page.post(Self.show)
        let link = #"{"bcid":4,"dp":"dp:till"}"#
        let click = page.click()
        #expect(self.messages(click) == [#"{"bcid":6,"cid":1102,"engagement_uid":"e-1"}"#, link])
        #expect(self.serverMessages(click) == [PageServerMessage(.action, cid: 1102, uid: "e-1")])
        #expect(self.messages(page.click()) == [link])
    }

    @Test(
        "missing members of a popup are not invented",
        arguments: [
            (#"{"bcid":3,"template_html":"<b data-dp='dp:close'>Later</b>"}"#, [#"{"bcid":4,"dp":"dp:close"}"#]),
            (#"{"bcid":3,"engagement_uid":"e","template_html":"<p>Hi</p>"}"#, []),
            (#"{"bcid":3,"engagement_uid":"e"}"#, []), (#"{"bcid":9}"#, []), ("[", []),
        ]
    )
    func lacking(post: String, clicked: [String]) throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: Self.popupHTML)
        let isShown = post.contains(#""bcid":3"#)
        #expect(self.messages(page.post(post)).contains(#"{"bcid":5}"#) == isShown)
        #expect(self.messages(page.click()) == clicked)
    }

    @Test("a page whose script declares no message classes sends its server nothing, and a line says so")
    func foreign() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: "<p>minified</p>")
        let shown = page.post(Self.show)
        #expect(self.messages(shown) == [#"{"bcid":5}"#] && self.serverMessages(shown).isEmpty)
        #expect(
            shown.contains { if case .print(let text) = $0 { text.contains("declares no message") } else { false } }
        )
        #expect(self.messages(page.click()) == [#"{"bcid":4,"dp":"dp:till"}"#])
        var (widget, first) = try self.page("https://p.example/wrapper-gf.html", html: "")
        #expect(self.messages(first) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(self.messages(widget.click()).isEmpty)
    }

    @Test(
        "the widget opens at its deep link, sends the user's properties, and requests a game on a click",
        arguments: [
            ("?a=1&dp=dp%3Agf_store", "dp:gf_store"), ("", "dp:gf"), ("?dp=dp:gf_saw%26id%3D5", "dp:gf_saw&id=5"),
        ]
    )
    func widget(query: String, link: String) throws {
        var (page, first) = try self.page("https://p.example/wrapper-gf.html\(query)", html: Self.gameHTML)
        #expect(self.messages(first).prefix(3) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(self.messages(first).dropFirst(3) == [#"{"bcid":7,"level":3}"#])
        #expect(page.lines(width: 80) == ["gamification", "opened at \(link)"])
        #expect(self.messages(page.click()) == [#"{"bcid":8,"ach_game_id":7}"#])
    }

    @Test(
        "a longer name or an invalid value is not a declaration of a message class",
        arguments: [
            "TRANSACTION = 3", "my_ACTION = 3", "ACTION = x", "ACTION == 3", "ACTIONS = 3", "$ACTION = 3", "ACTION = ",
        ]
    )
    func alike(script: String) throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: "<script>const \(script);")
        _ = page.post(Self.show)
        #expect(self.serverMessages(page.click()).isEmpty)
        let real = "<script>const \(script), ACTION = 1102;"
        (page, _) = try self.page("https://p.example/wrapper-popup.html", html: real)
        _ = page.post(Self.show)
        #expect(
            self.serverMessages(page.click()).isEmpty == script.hasPrefix("ACTION = "),
            "the first declaration counts"
        )
    }

    @Test("a widget with invalid declarations sends nothing", arguments: ["{a: 1}", "[1]", "{", "7", ""])
    func otherwise(value: String) throws {
        let html = "<script>const PROPERTIES = \(value); const GAME = \(value);"
        var (widget, first) = try self.page("https://p.example/wrapper-gf.html", html: html)
        #expect(self.messages(first).count == 3 && self.messages(widget.click()).isEmpty)
    }

    @Test("a mini-game spins once")
    func game() throws {
        let address = "https://p.example/wrapper-gf.html?h=1&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue"
        var (page, first) = try self.page(address, html: Self.gameHTML)
        #expect(self.messages(first) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(page.lines(width: 80).first == "mini-game 5")
        #expect(self.messages(page.click()) == [#"{"bcid":6,"cid":1103,"saw_template_id":5}"#])
        #expect(self.messages(page.click()).isEmpty)
        var (other, _) = try self.page(address, html: "")
        #expect(self.messages(other.click()).isEmpty)
    }
}
