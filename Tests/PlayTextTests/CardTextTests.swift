import AdCore
import Testing

@testable import PlayConsole
@testable import PlayText

@Suite("A card in a terminal")
struct CardTextTests {
    @Test("the disclosure and the advertiser come first, and long texts are truncated")
    func lines() {
        let card = CardCreative(
            headline: String(repeating: "very long ", count: 30),
            body: String(repeating: "word ", count: 200),
            callToAction: "Go",
            link: ClickThroughURL("https://a.example/" + String(repeating: "x", count: 200)),
            image: HTTPURL("https://a.example/p.png"),
            teaser: "Now",
            promoCode: "FERN",
            disclosure: AdDisclosure(advertiser: "Frondolo")
        )
        let lines = CardText.lines(card, width: 44)
        #expect(lines.first == "Sponsored · Frondolo")
        #expect(lines.allSatisfy { Style.columns($0) <= 40 })
        #expect(lines.count == 1 + 1 + 1 + 2 + 3 + 1 + 1 + 1)
        #expect(lines[4].hasSuffix("…") && lines[7].hasSuffix("…"))
        #expect(lines[8] == "code FERN" && lines[9] == "[ Go ]" && lines[10].hasPrefix("→ https://a.example/x"))
    }

    @Test("text wraps at spaces, long words are broken, and wide characters have two columns")
    func wrapped() {
        #expect(CardText.wrapped("one two three", to: 7, maxLines: 9) == ["one two", "three"])
        #expect(CardText.wrapped("abcdefghij", to: 4, maxLines: 9) == ["abcd", "efgh", "ij"])
        #expect(CardText.wrapped("英語を勉強", to: 6, maxLines: 9) == ["英語を", "勉強"])
        #expect(CardText.wrapped("a b c d", to: 1, maxLines: 2).last == "…")
        #expect(CardText.wrapped("", to: 5, maxLines: 2) == [])
        #expect(CardText.wrapped("a\u{1B}[31mb\u{202E}c", to: 20, maxLines: 1).allSatisfy { !$0.contains("\u{1B}") })
    }
}
