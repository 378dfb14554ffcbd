/// Where the parts of a card are, for its style, the user's text size and the width.
///
/// Lengths are in points.
struct CardLayout: Hashable, Sendable {
    /// Where the image is.
    enum ImagePlace: Hashable, Sendable {
        /// Above the texts, as wide as they are, at most this high.
        case above(height: Double)
        /// Beside the texts, on the side where reading begins.
        case beside(side: Double)
    }

    /// Where the image is; nil without one.
    let image: ImagePlace?
    /// Whether label and advertiser are in one line, with the space between them.
    let disclosureIsOneLine: Bool
    /// Whether the button is as wide as the texts.
    let buttonFillsWidth: Bool
    /// The distance of all parts from the card's edge, and between two of them.
    let padding: Double
    let spacing: Double
    private let style: AdCardStyle
    private let usesLargeText: Bool

    /// The smallest side of something that a finger presses (Human Interface Guidelines, "Buttons").
    static let smallestTarget = 44.0
    static let cornerRadius = 12.0
    /// The width below which nothing is side by side: the narrowest iPhone beside an open app of Split View has 320.
    private static let narrow = 280.0

    /// Lays out a card in a width; `usesLargeText` is true for the five accessibility sizes of Dynamic Type.
    init(_ style: AdCardStyle, width: Double, usesLargeText: Bool, hasImage: Bool) {
        let isNarrow = width < CardLayout.narrow
        self.style = style
        self.usesLargeText = usesLargeText
        self.disclosureIsOneLine = !usesLargeText && !isNarrow
        self.buttonFillsWidth = usesLargeText || isNarrow || style == .slide
        self.padding = style == .row ? 12 : 16
        self.spacing = style == .row ? 4 : 8
        self.image = hasImage ? CardLayout.place(style, width, isStacked: usesLargeText || isNarrow) : nil
    }

    private static func place(_ style: AdCardStyle, _ width: Double, isStacked: Bool) -> ImagePlace {
        switch style {
        case .row where !isStacked: .beside(side: 72)
        // A row with its image above would push the next entries of the feed out of sight.
        case .row: .above(height: 96)
        // 16:9, and at most the height of `CardCreative.document`, so that a wide card leaves room for its texts.
        case .card, .slide: .above(height: min(max(0, width) * 9 / 16, 192))
        }
    }

    /// The most lines of a text; 0 is any number.
    ///
    /// Those of `CardCreative.document`. At the accessibility sizes a line holds a few words, so that nothing is cut off.
    func lineLimit(_ role: CardContent.Line.Role) -> Int {
        guard !self.usesLargeText else { return 0 }
        return switch role {
        case .label, .advertiser, .teaser, .promoCode: 1
        case .headline: 2
        case .body: self.style == .row ? 2 : 3
        }
    }
}
