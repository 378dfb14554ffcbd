/// The colors of a card, as red, green and blue from 0 to 255: those of `CardCreative.document`.
struct CardPalette: Hashable, Sendable {
    /// A color.
    struct Color: Hashable, Sendable {
        let red: Int
        let green: Int
        let blue: Int

        init(_ red: Int, _ green: Int, _ blue: Int) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }

    let background: Color
    let border: Color
    let text: Color
    let secondaryText: Color
    let button: Color
    let buttonText: Color

    /// In light mode.
    static let light = CardPalette(
        background: Color(255, 255, 255),
        border: Color(200, 200, 204),
        text: Color(28, 28, 30),
        secondaryText: Color(90, 90, 95),
        button: Color(0, 88, 199),
        buttonText: Color(255, 255, 255)
    )
    /// In dark mode.
    static let dark = CardPalette(
        background: Color(28, 28, 30),
        border: Color(72, 72, 74),
        text: Color(242, 242, 247),
        secondaryText: Color(174, 174, 178),
        button: Color(109, 179, 255),
        buttonText: Color(0, 23, 46)
    )

    /// The color of a text.
    func color(_ role: CardContent.Line.Role) -> Color {
        switch role {
        case .headline, .body, .promoCode: self.text
        case .label, .advertiser, .teaser: self.secondaryText
        }
    }
}
