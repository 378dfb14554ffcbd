import AdCore
import Testing

@testable import AppleStage

@Suite("Layout of cards")
struct CardLayoutTests {
    private static func layout(
        _ style: AdCardStyle,
        width: Double = 360,
        large: Bool = false,
        image: Bool = true
    ) -> CardLayout { CardLayout(style, width: width, usesLargeText: large, hasImage: image) }

    @Test("a row has its image beside the texts, and above them where there is no room or the text is large")
    func row() {
        #expect(Self.layout(.row).image == .beside(side: 72))
        #expect(Self.layout(.row, width: 279).image == .above(height: 96))
        #expect(Self.layout(.row, large: true).image == .above(height: 96))
        #expect(Self.layout(.row, image: false).image == nil)
    }

    @Test("a card's image is 16:9 and at most as high as in its HTML document", arguments: [AdCardStyle.card, .slide])
    func card(style: AdCardStyle) {
        #expect(Self.layout(style, width: 320).image == .above(height: 180))
        #expect(Self.layout(style, width: 1_000).image == .above(height: 192))
        #expect(Self.layout(style, width: 0).image == .above(height: 0))
        #expect(Self.layout(style, width: -5).image == .above(height: 0))
    }

    @Test("at the accessibility sizes nothing is side by side and nothing is cut off", arguments: AdCardStyle.allCases)
    func largeText(style: AdCardStyle) {
        let layout = Self.layout(style, large: true)
        #expect(!layout.disclosureIsOneLine && layout.buttonFillsWidth)
        for role in CardContent.Line.Role.allCases { #expect(layout.lineLimit(role) == 0) }
    }

    @Test("at other sizes texts have the line limits of the HTML document, and a row's body one line less")
    func lines() {
        let limits = CardContent.Line.Role.allCases.map { Self.layout(.card).lineLimit($0) }
        #expect(limits == [1, 1, 1, 2, 3, 1])
        #expect(Self.layout(.row).lineLimit(.body) == 2)
    }

    @Test("a narrow card has label and advertiser in two lines")
    func narrow() {
        #expect(Self.layout(.card).disclosureIsOneLine && !Self.layout(.card, width: 200).disclosureIsOneLine)
        #expect(Self.layout(.card, width: 200).buttonFillsWidth && !Self.layout(.card).buttonFillsWidth)
    }

    @Test("texts have a contrast of 4.5 to 1 in light and in dark mode", arguments: [CardPalette.light, .dark])
    func contrast(palette: CardPalette) {
        for role in CardContent.Line.Role.allCases {
            #expect(Self.contrast(palette.color(role), palette.background) >= 4.5)
        }
        #expect(Self.contrast(palette.buttonText, palette.button) >= 4.5)
        // WCAG 2.2 §1.4.11: a button is recognized by its color.
        #expect(Self.contrast(palette.button, palette.background) >= 3)
    }

    /// The contrast ratio of WCAG 2.2 with the gamma curve simplified to its second power, which is a little lower for
    /// dark colors.
    private static func contrast(_ one: CardPalette.Color, _ other: CardPalette.Color) -> Double {
        func luminance(_ color: CardPalette.Color) -> Double {
            func linear(_ value: Int) -> Double { Double(value) / 255 * Double(value) / 255 }
            return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
        }
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
}

@Suite("Images of cards")
struct CardImageRuleTests {
    @Test("what is no image is refused with the reason")
    func refusals() {
        func refusal(_ status: Int = 200, _ type: String? = "image/png", _ bytes: Int = 10) -> String? {
            CardImageRule.refusal(status: status, mediaType: type, bytes: bytes)
        }
        #expect(refusal() == nil && refusal(200, nil) == nil && refusal(200, "IMAGE/webp") == nil)
        #expect(refusal(404) == "status 404" && refusal(0) == "status 0")
        #expect(refusal(200, "text/html") == "its type is text/html, which is no image")
        #expect(refusal(200, "image/png", 0) == "it is empty")
        #expect(refusal(200, "image/png", CardImageRule.byteLimit) == nil)
        #expect(refusal(200, "image/png", CardImageRule.byteLimit + 1) == "it is larger than 8 MiB")
    }

    @Test("an image is decoded as small as fills its place, and never enlarged")
    func thumbnails() {
        func thumbnail(_ image: (Double, Double), _ place: (Double, Double)) -> String {
            CardImageRule.thumbnail(
                of: .init(width: image.0, height: image.1),
                filling: .init(width: place.0, height: place.1)
            ).description
        }
        #expect(thumbnail((4_000, 2_000), (400, 400)) == "800x400")
        #expect(thumbnail((100, 50), (400, 400)) == "100x50")
        #expect(thumbnail((0, 50), (400, 400)) == "0x50")
    }

    @Test("a rotation that enlarges the place loads the image again, a small change does not")
    func rotation() {
        #expect(CardImageRule.isTooSmall(.init(width: 390, height: 192), for: .init(width: 844, height: 192)))
        #expect(!CardImageRule.isTooSmall(.init(width: 390, height: 192), for: .init(width: 400, height: 192)))
        #expect(!CardImageRule.isTooSmall(.init(width: 844, height: 192), for: .init(width: 390, height: 192)))
    }
}
