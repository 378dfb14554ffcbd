import AdCore
import Testing

@Suite("A card's HTML document")
struct CardDocumentTests {
    private func card(_ headline: String = "Fern pots", body: String? = "For every window") throws -> CardCreative {
        CardCreative(
            headline: headline,
            body: body,
            callToAction: "See them",
            link: ClickThroughURL("https://frondolo.example/pots?a=1&b=2"),
            image: HTTPURL("https://img.example/pot.png"),
            teaser: "Green",
            promoCode: "FERN10",
            disclosure: AdDisclosure(advertiser: "Frondolo")
        )
    }

    @Test("the document contains all texts, the image and the link, and requests only the image")
    func whole() throws {
        let document = try self.card().document
        for part in [
            ">Sponsored</strong>", ">Frondolo</span>", ">Fern pots</h2>", ">For every window</p>", ">Green</p>",
            ">FERN10</code>", ">See them</a>", #"href="https://frondolo.example/pots?a=1&amp;b=2""#,
            #"src="https://img.example/pot.png""#, "<title>Fern pots</title>", "img-src https://img.example:443;",
            "default-src 'none'", "prefers-color-scheme: dark", #"rel="sponsored noopener noreferrer""#,
        ] { #expect(document.contains(part), "\(part)") }
        #expect(!document.contains("<script"))
        #expect(document.components(of: "https://img.example/pot.png") == 1)
    }

    @Test(
        "every text is escaped",
        arguments: [
            "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "' onmouseover='alert(1)", "a & b &lt;",
            "</title></style><b>", "]]>", "<!--", "\u{0}\u{8}<b>", "&#x3c;b&#x3e;",
        ]
    )
    func escaped(text: String) throws {
        let card = CardCreative(
            headline: text,
            body: text,
            callToAction: text,
            link: ClickThroughURL("https://a.example/?q=%22'<>"),
            teaser: text,
            promoCode: text,
            disclosure: AdDisclosure(label: text, advertiser: text)
        )
        // The number of markup characters is that of a card with plain texts.
        let fragment = card.fragment
        let plain = CardCreative(
            headline: "x",
            body: "x",
            callToAction: "x",
            link: ClickThroughURL("https://a.example/"),
            teaser: "x",
            promoCode: "x",
            disclosure: AdDisclosure(label: "x", advertiser: "x")
        ).fragment
        for sign in ["<", ">"] as [Character] {
            #expect(fragment.filter { $0 == sign }.count == plain.filter { $0 == sign }.count)
        }
        #expect(fragment.filter { $0 == "\"" }.count == plain.filter { $0 == "\"" }.count)
        #expect(!fragment.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test("a document omits what its card lacks, and always contains the disclosure")
    func least() {
        #expect(AdDisclosure(label: "\u{200B}\u{202E}", advertiser: "\u{FEFF}") == AdDisclosure(advertiser: nil))
        let fragment = CardCreative(headline: " Only this ", disclosure: AdDisclosure(label: " ", advertiser: ""))
            .fragment
        #expect(fragment.contains(">Sponsored</strong>"))
        #expect(fragment.contains(">Only this</h2>"))
        for part in ["<img", "<a ", "<code", "yabbi-card-body", "yabbi-card-teaser", "yabbi-card-advertiser"] {
            #expect(!fragment.contains(part), "\(part)")
        }
    }

    @Test("texts have automatic direction and are clipped by lines")
    func direction() throws {
        let document = try self.card("אדניות לשרכים", body: String(repeating: "很长", count: 500)).document
        #expect(document.contains(#"<h2 class="yabbi-card-headline" dir="auto">אדניות לשרכים</h2>"#))
        #expect(document.contains("unicode-bidi: isolate"))
        #expect(document.contains("-webkit-line-clamp: 2"))
        #expect(document.contains("-webkit-line-clamp: 3"))
    }

    @Test("a button without a call to action has the headline as its label, and a card without a link has no button")
    func button() {
        let link = ClickThroughURL("https://a.example/")
        #expect(CardCreative(headline: "Fern pots", link: link, by: nil).fragment.contains(">Fern pots</a>"))
        #expect(!CardCreative(headline: "Fern pots", callToAction: "Go", by: nil).fragment.contains("Go"))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
