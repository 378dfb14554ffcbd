import AdCore
import Testing

@testable import AppleStage

@Suite("What a card shows")
struct CardContentTests {
    private static let link = ClickThroughURL("https://shop.example/")

    private static func content(_ card: CardCreative) -> CardContent { CardContent(card) }

    @Test("the disclosure comes first, and texts that a card lacks leave nothing behind")
    func order() {
        let whole = Self.content(
            CardCreative(
                headline: "Fern pots",
                body: "For every window",
                callToAction: "See them",
                link: Self.link,
                image: HTTPURL("https://img.example/fern.png"),
                teaser: "New",
                promoCode: "FERN10",
                disclosure: AdDisclosure(advertiser: "Frondolo")
            )
        )
        #expect(whole.disclosure.map(\.text) == ["Sponsored", "Frondolo"])
        #expect(whole.texts.map(\.role) == [.teaser, .headline, .body, .promoCode])
        #expect(whole.button == "See them" && whole.image?.host == "img.example")
        #expect(whole.spokenText == "Sponsored, Frondolo, New, Fern pots, For every window, FERN10")
        #expect(whole.spokenButton == "See them, Sponsored, Frondolo")
        let bare = Self.content(CardCreative(headline: "Fern pots", by: nil))
        #expect(bare.disclosure.map(\.text) == ["Sponsored"] && bare.texts.map(\.text) == ["Fern pots"])
        #expect(bare.button == nil && bare.spokenButton == nil && bare.image == nil)
        #expect(bare.spokenText == "Sponsored, Fern pots")
    }

    @Test("the button has the headline if the provider sends no label, and is there only with a link")
    func button() {
        #expect(Self.content(CardCreative(headline: "Pots", link: Self.link, by: "F")).button == "Pots")
        #expect(Self.content(CardCreative(headline: "Pots", callToAction: "Buy", by: "F")).button == nil)
    }

    @Test("a card shows the same texts and the same button as its HTML document")
    func document() {
        let card = CardCreative(
            headline: "Pots",
            body: "Green",
            link: Self.link,
            teaser: "New",
            disclosure: .init(advertiser: "F")
        )
        let content = Self.content(card)
        for text in (content.disclosure + content.texts).map(\.text) + [content.button ?? ""] {
            #expect(card.fragment.contains(">\(text)<"))
        }
    }

    @Test("an empty headline is no line")
    func emptyHeadline() {
        #expect(Self.content(CardCreative(headline: " \u{200B}", by: nil)).texts.isEmpty)
    }
}

@Suite("Direction of texts")
struct TextDirectionTests {
    @Test(
        "the first letter decides",
        arguments: [
            ("Fern", TextDirection.leftToRight), ("פרחים Fern", .rightToLeft), ("زهور", .rightToLeft),
            ("50 % זול", .rightToLeft), ("50 % off", .leftToRight), ("花", .leftToRight), ("Ж", .leftToRight),
            ("", .natural), ("1 + 1 = 2", .natural), ("… !", .natural), ("\u{200F}50 %", .rightToLeft), ("😀", .natural),
            ("١٢", .natural), ("\u{1E900}", .rightToLeft), ("ߊ", .rightToLeft),
        ]
    )
    func first(text: String, direction: TextDirection) {
        #expect(TextDirection(of: text) == direction)
    }
}
