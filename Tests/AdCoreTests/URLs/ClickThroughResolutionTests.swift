import AdCore
import Testing

@Suite("Click-through URLs")
struct ClickThroughResolutionTests {
    private static let base = "https://ad-x-1.yabbi-creative.invalid/"

    private func reason(_ address: String) -> String? {
        if case .nowhere(let reason) = ClickThroughResolution(address) { reason } else { nil }
    }

    @Test(
        "an absolute URL can be opened, also of an app and with macros after its host",
        arguments: [
            "https://shop.example/", "http://shop.example/", "market://details?id=com.x", "tel:+15551234567",
            "intent://x#Intent;scheme=x;end", "itms-apps://itunes.apple.com/app/id1", "https://a.example/#/p/5",
            "https://click.example/c?u=https%3A%2F%2Fbrand.example%2F&p=${AUCTION_PRICE:B64}",
            "https://land.example/?x={{CLICK_MACRO}}", "https://a.example/__b__/[c]",
        ]
    )
    func opens(address: String) {
        #expect(ClickThroughResolution(address) == ClickThroughURL(address).map(ClickThroughResolution.opens))
        #expect(ClickThroughResolution("  \(address)\n").link == ClickThroughURL(address))
    }

    @Test("a URL that begins with two slashes is https")
    func twoSlashes() {
        #expect(ClickThroughResolution("//shop.example/x").link?.text == "https://shop.example/x")
    }

    @Test(
        "an unreplaced macro in front of the URL is named, as written and as resolved by a browser",
        arguments: [
            ("${CLICK_URL}https://x.example", "${CLICK_URL}"),
            ("${CLICK_URL}https%3A%2F%2Fx.example%2F", "${CLICK_URL}"),
            ("$%7BCLICK_URL%7Dhttps://x.example", "${CLICK_URL}"),
            ("%%CLICK_URL_UNESC%%https://x.example", "%%CLICK_URL_UNESC%%"),
            ("%%CACHEBUSTER%%https://x.example", "%%CACHEBUSTER%%"),
            ("%25%25CLICK_URL_ESC%25%25", "%%CLICK_URL_ESC%%"),
            ("[CLICKTRACKER]https://x.example", "[CLICKTRACKER]"),
            ("%5BCLICKTRACKER%5D", "[CLICKTRACKER]"),
            ("{clickurl}https://x.example", "{clickurl}"),
            ("%7Bclickurl%7Dhttps://x.example", "{clickurl}"),
            ("{{CLICK_MACRO}}https://x.example", "{{CLICK_MACRO}}"),
            ("__CLICK__https://x.example", "__CLICK__"),
            ("##CLICK##https://x.example", "##CLICK##"),
            ("INSERT_CLICK_HERE", "INSERT_CLICK_HERE"),
            ("%chttps://x.example", "%c"),
        ]
    )
    func macro(address: String, macro: String) throws {
        for text in [address, Self.base + address] {
            let reason = try #require(self.reason(text), "\(text) can't be opened")
            #expect(reason.contains("the macro \(macro) in front"))
            #expect(reason.contains("replace it"))
        }
    }

    @Test("a macro in place of the host is named, too")
    func macroAsHost() {
        #expect(self.reason("https://[CLICK]x.example/")?.contains("[CLICK]") == true)
    }

    @Test(
        "a relative URL can't be opened, and the fix is named, as written and as resolved by a browser",
        arguments: [
            ("shop", "use an absolute URL"), ("index.html?a=1", "use an absolute URL"),
            ("shop.example/x", "write https://shop.example/x"), ("#top", "a place in the creative itself"),
        ]
    )
    func relative(address: String, fix: String) throws {
        for text in [address, Self.base + address] {
            let reason = try #require(self.reason(text), "\(text) can't be opened")
            #expect(reason.contains("\"\(address)\"") && reason.contains(fix), "\(reason)")
        }
    }

    @Test(
        "a relative URL is shown as a browser resolves it",
        arguments: [
            ("/landing", "landing"), ("./a/../landing", "landing"), ("../x", "x"),
            ("/shop.example/x", "shop.example/x"),
        ]
    )
    func written(address: String, shown: String) throws {
        for text in [address, Self.base + shown] {
            #expect(try #require(self.reason(text)).contains("URL \"\(shown)\" is relative"))
        }
        #expect(self.reason(address) == self.reason(Self.base + shown))
    }

    @Test("empty URLs, about:blank, javascript: and local files can't be opened, each with its own reason")
    func nothing() {
        for empty in ["", "  \n", Self.base, "https://ad-x-1.yabbi-creative.invalid"] {
            #expect(self.reason(empty)?.contains("has no URL") == true)
        }
        #expect(self.reason("about:blank")?.contains("an empty page") == true)
        #expect(self.reason("javascript:void(0)")?.contains("javascript: code opened nothing") == true)
        #expect(self.reason("file:///etc/passwd")?.contains("may not open file:") == true)
        #expect(self.reason("https://")?.contains("not a valid URL") == true)
    }

    @Test("the reason contains an excerpt of a long URL and no secrets")
    func hostile() throws {
        let long = String(repeating: "x", count: 1 << 20)
        for text in [long, "${\(long)}", "https://\(long)/", "__\(long)__", "[[[[\(long)"] {
            #expect(try #require(self.reason(text)).utf8.count < 600)
        }
        #expect(self.reason("/x?token=abc123")?.contains("abc123") == false)
    }
}
