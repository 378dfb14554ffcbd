import AdCore
import Testing

@testable import AdLint

@Suite("Macro spellings")
struct AdMacroSpellingTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let address: String
        let text: String
        let style: AdMacroSpelling.Style
        let kind: AdMacroSpelling.Kind
        let isClick: Bool

        init(
            _ address: String,
            _ text: String,
            _ style: AdMacroSpelling.Style,
            _ kind: AdMacroSpelling.Kind,
            isClick: Bool = false
        ) {
            self.address = address
            self.text = text
            self.style = style
            self.kind = kind
            self.isClick = isClick
        }

        var testDescription: String { self.address }
    }

    @Test(
        "each spelling is found with its kind and position",
        arguments: [
            Sample("https://t.example/?c=[CACHEBUSTING]", "[CACHEBUSTING]", .brackets, .player),
            Sample("https://t.example/?m=[AD_MT]", "[AD_MT]", .brackets, .vendor("Google")),
            Sample("https://t.example/;ord=[timestamp]?", "[timestamp]", .brackets, .adServer),
            Sample("[CLICKTRACKER]https://a.example/", "[CLICKTRACKER]", .brackets, .unknown, isClick: true),
            Sample("%%CLICK_URL_UNESC%%https://a.example/", "%%CLICK_URL_UNESC%%", .percent, .adServer, isClick: true),
            Sample("https://a.example/?u=%%PATTERN:url%%", "%%PATTERN:url%%", .percent, .adServer),
            Sample("https://a.example/?p=${AUCTION_PRICE:B64}", "${AUCTION_PRICE:B64}", .dollar, .adServer),
            Sample("gdpr_consent=${GDPR_CONSENT_755}", "${GDPR_CONSENT_755}", .dollar, .adServer),
            Sample("${CLICK_URL}https%3A%2F%2Fa.example", "${CLICK_URL}", .dollar, .adServer, isClick: true),
            Sample("https://a.example/?x=${OUR_OWN}", "${OUR_OWN}", .dollar, .unknown),
            Sample("{clickurl}https://a.example/", "{clickurl}", .braces, .unknown, isClick: true),
            Sample("{{CLICK_MACRO}}https://a.example/", "{{CLICK_MACRO}}", .doubleBraces, .unknown, isClick: true),
            Sample("__CLICK__https://a.example/", "__CLICK__", .underscores, .unknown, isClick: true),
            Sample("##CLICK##https://a.example/", "##CLICK##", .hashes, .unknown, isClick: true),
            Sample("https://a.example/?r=%n", "%n", .letter, .adServer),
            Sample("%chttps://a.example/", "%c", .letter, .adServer, isClick: true),
            Sample("https://a.example/?p=%epid!", "%epid!", .letter, .adServer),
            Sample("INSERT_CLICK_HERE", "INSERT_CLICK_HERE", .placeholder, .unknown, isClick: true),
        ]
    )
    func forms(_ sample: Sample) throws {
        let found = AdMacroSpelling.all(in: sample.address)
        let macro = try #require(found.first)
        #expect(found.count == 1)
        #expect(macro.text(in: sample.address) == sample.text)
        #expect(macro.style == sample.style)
        #expect(macro.kind == sample.kind)
        #expect(macro.isClick == sample.isClick)
    }

    @Test(
        "text that only resembles a macro is ignored",
        arguments: [
            "https://a.example/?list[3]=x&filter[name]=y", "http://[::1]/", "https://a.example/%c3%a9?x=%ca",
            "https://a.example/?u=%u0410", "https://a.example/#section", "https://a.example/__proto__/x",
            "https://a.example/{id}/x", "https://a.example/MAX_WIDTH", "color:{red}", "100%",
            "https://a.example/?a=%20%2F",
            "https://a.example/?id=abc__DEF__ghi",
        ]
    )
    func others(_ address: String) {
        #expect(AdMacroSpelling.all(in: address).isEmpty)
    }

    @Test("a URL that begins with a macro is recognized, also percent-encoded")
    func prefix() {
        #expect(AdMacroSpelling.leading(" ${CLICK_URL}https%3A%2F%2Fx.example") == "${CLICK_URL}")
        #expect(AdMacroSpelling.leading("$%7BCLICK_URL%7Dhttps://x.example") == "${CLICK_URL}")
        #expect(AdMacroSpelling.leading("%5BCLICK%5Dhttps://x.example") == "[CLICK]")
        #expect(AdMacroSpelling.leading("{landing}https://x.example") == "{landing}")
        #expect(AdMacroSpelling.leading("__click__https://x.example") == "__click__")
        #expect(AdMacroSpelling.leading("%c%uhttps://x.example") == "%c")
        #expect(AdMacroSpelling.leading("https://x.example/?c=${CLICK_URL}") == nil)
        #expect(AdMacroSpelling.leading("https://x.example/") == nil)
        #expect(AdMacroSpelling.leading("%D0%BA") == nil)
    }

    @Test("many incomplete macros take linear time, and the list is bounded")
    func hostile() {
        for text in ["[", "%%", "${A", "{{", "##A", "__A", "INSERT_", "%e"] {
            let address = String(repeating: text, count: 100_000 / text.utf8.count)
            #expect(AdMacroSpelling.all(in: address).count <= 50)
        }
        #expect(AdMacroSpelling.all(in: String(repeating: "%%ABC%%", count: 1000)).count == 50)
    }
}
