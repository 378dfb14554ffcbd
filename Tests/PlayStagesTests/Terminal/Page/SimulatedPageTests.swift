import AdCore
import Testing

@testable import PlayReport
@testable import PlayStages

@Suite("A page without a browser")
struct SimulatedPageTests {
    private static let popupHTML = "<script>const IMPRESSION = 1101, ACTION = 1102;</script>"
    private static let gameHTML =
        #"<script>const SPIN = 1103; const PROPERTIES = {"level": 3}; const GAME = {"ach_game_id": 7};</script>"#
    private static let show =
        #"{"bcid":3,"cid":110,"engagement_uid":"e-1","template_html":"<h1>Hi</h1><b data-dp='dp:ok'>OK</b><b data-dp='dp:till'>Go</b>"}"#

    private func page(_ address: String, html: String) throws -> (page: SimulatedPage, said: [SimulatedPage.Output]) {
        let url = try #require(HTTPURL(address))
        var page = SimulatedPage(PageCreative(url, userAgent: "SMTO-WRAPPER", bridges: []))
        let said = page.loaded(html)
        return (page, said)
    }

    /// What the app hears, each message as its text.
    private func messages(_ outputs: [SimulatedPage.Output]) -> [String] {
        outputs.compactMap { output in
            guard case .report(let event) = output else { return nil }
            if case .message(let text) = event { return text }
            return "\(event)"
        }
    }

    private func told(_ outputs: [SimulatedPage.Output]) -> [PageServerMessage] {
        outputs.compactMap { if case .news(.told(let told)) = $0 { told } else { nil } }
    }

    @Test("a popup's says that it is loaded, and nothing else before it is told what to show")
    func ready() throws {
        var (page, said) = try self.page("https://p.example/wrapper-popup.html?hash=1", html: Self.popupHTML)
        #expect(self.messages(said) == ["ready", #"{"bcid":1}"#])
        #expect(said.contains(.news(.simulated(host: "p.example", bytes: 56))))
        let early = page.click()
        #expect(self.messages(early).isEmpty, "nothing is there to click")
        #expect(page.lines(width: 80) == ["popup"])
    }

    @Test("a popup is ready to be seen and told of once, however often it is sent")
    func popup() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: Self.popupHTML)
        let first = page.post(Self.show)
        #expect(self.messages(first) == [#"{"bcid":5}"#, #"{"bcid":6,"cid":1101,"engagement_uid":"e-1"}"#])
        #expect(self.told(first) == [PageServerMessage(.impression, cid: 1101, uid: "e-1")])
        #expect(self.messages(page.post(Self.show)) == [#"{"bcid":5}"#])
        #expect(page.lines(width: 80) == ["popup", "Hi", "[ OK ]  dp:ok", "[ Go ]  dp:till"])
    }

    @Test("a click takes the first link that does something: the action is told once, the link followed each time")
    func click() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: Self.popupHTML)
        _ = page.post(Self.show)
        let link = #"{"bcid":4,"dp":"dp:till"}"#
        let first = page.click()
        #expect(self.messages(first) == [#"{"bcid":6,"cid":1102,"engagement_uid":"e-1"}"#, link])
        #expect(self.told(first) == [PageServerMessage(.action, cid: 1102, uid: "e-1")])
        #expect(self.messages(page.click()) == [link])
    }

    @Test(
        "what a popup lacks is not made up",
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

    @Test("a page whose script names no class tells its server nothing, and says so")
    func foreign() throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: "<p>minified</p>")
        let shown = page.post(Self.show)
        #expect(self.messages(shown) == [#"{"bcid":5}"#] && self.told(shown).isEmpty)
        #expect(shown.contains { if case .say(let text) = $0 { text.contains("is not known") } else { false } })
        #expect(self.messages(page.click()) == [#"{"bcid":4,"dp":"dp:till"}"#])
        var (widget, said) = try self.page("https://p.example/wrapper-gf.html", html: "")
        #expect(self.messages(said) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(self.messages(widget.click()).isEmpty)
    }

    @Test(
        "the widget opens at its link, tells the user's properties, and wants a game when it is clicked",
        arguments: [
            ("?a=1&dp=dp%3Agf_store", "dp:gf_store"), ("", "dp:gf"), ("?dp=dp:gf_saw%26id%3D5", "dp:gf_saw&id=5"),
        ]
    )
    func widget(query: String, link: String) throws {
        var (page, said) = try self.page("https://p.example/wrapper-gf.html\(query)", html: Self.gameHTML)
        #expect(self.messages(said).prefix(3) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(self.messages(said).dropFirst(3) == [#"{"bcid":7,"level":3}"#])
        #expect(page.lines(width: 80) == ["gamification", "opened at \(link)"])
        #expect(self.messages(page.click()) == [#"{"bcid":8,"ach_game_id":7}"#])
    }

    @Test(
        "what only looks like the script's word for a message is not taken for it",
        arguments: [
            "TRANSACTION = 3", "my_ACTION = 3", "ACTION = x", "ACTION == 3", "ACTIONS = 3", "$ACTION = 3", "ACTION = ",
        ]
    )
    func alike(script: String) throws {
        var (page, _) = try self.page("https://p.example/wrapper-popup.html", html: "<script>const \(script);")
        _ = page.post(Self.show)
        #expect(self.told(page.click()).isEmpty)
        let real = "<script>const \(script), ACTION = 1102;"
        (page, _) = try self.page("https://p.example/wrapper-popup.html", html: real)
        _ = page.post(Self.show)
        #expect(self.told(page.click()).isEmpty == script.hasPrefix("ACTION = "), "the first one of the name counts")
    }

    @Test("nothing is made up of a widget whose script says it otherwise", arguments: ["{a: 1}", "[1]", "{", "7", ""])
    func otherwise(value: String) throws {
        let html = "<script>const PROPERTIES = \(value); const GAME = \(value);"
        var (widget, said) = try self.page("https://p.example/wrapper-gf.html", html: html)
        #expect(self.messages(said).count == 3 && self.messages(widget.click()).isEmpty)
    }

    @Test("a mini-game spins once")
    func game() throws {
        let address = "https://p.example/wrapper-gf.html?h=1&dp=dp%3Agf_saw%26id%3D5%26standalone%3Dtrue"
        var (page, said) = try self.page(address, html: Self.gameHTML)
        #expect(self.messages(said) == ["ready", #"{"bcid":1}"#, #"{"bcid":5}"#])
        #expect(page.lines(width: 80).first == "mini-game 5")
        #expect(self.messages(page.click()) == [#"{"bcid":6,"cid":1103,"saw_template_id":5}"#])
        #expect(self.messages(page.click()).isEmpty)
        var (other, _) = try self.page(address, html: "")
        #expect(self.messages(other.click()).isEmpty)
    }
}
