/// Cards side by side, of which one fills the view at rest: which of them can be seen, and how much of each.
///
/// It only says what is on screen; whether that is a view, each card's own ad decides, and once.
///
/// ```swift
/// var carousel = CardCarousel(count: places.count)
/// for change in carousel.appear() { places[change.card].setVisibleRatio(change.visible) }
/// ```
public struct CardCarousel: Hashable, Sendable {
    /// A card of which more or less can be seen than before.
    public struct Change: Hashable, Sendable {
        /// Which card, counted from 0.
        public let card: Int
        /// The share of it that is on screen, from 0 to 1.
        public let visible: Double
    }

    /// How many cards there are.
    public let count: Int
    /// Which card fills the view; between two whole numbers, parts of two do.
    public private(set) var position: Double = 0
    /// Whether the carousel is on screen.
    public private(set) var isOnScreen = false

    /// A carousel at its first card, not on screen yet.
    public init(count: Int) { self.count = max(0, count) }

    /// The card that fills most of the view; nil where there is none.
    public var page: Int? { self.count == 0 ? nil : Int(self.position.rounded()) }

    /// The share of a card that is on screen.
    public func visible(_ card: Int) -> Double {
        guard self.isOnScreen, (0..<self.count).contains(card) else { return 0 }
        return max(0, 1 - abs(Double(card) - self.position))
    }

    /// The carousel comes on screen.
    public mutating func appear() -> [Change] { self.change { $0.isOnScreen = true } }

    /// The carousel leaves the screen.
    public mutating func disappear() -> [Change] { self.change { $0.isOnScreen = false } }

    /// Scrolls to a position, at most to the last card; what is no number changes nothing.
    public mutating func scroll(to position: Double) -> [Change] {
        guard !position.isNaN, self.count > 0 else { return [] }
        return self.change { $0.position = min(max(position, 0), Double($0.count - 1)) }
    }

    /// Turns to the next card, from the last one to the first.
    public mutating func turn() -> [Change] {
        guard let page else { return [] }
        return self.scroll(to: Double((page + 1) % self.count))
    }

    private mutating func change(_ body: (inout CardCarousel) -> Void) -> [Change] {
        let before = self
        body(&self)
        // No more than two can be seen at a time: those of before and those of now.
        let cards = Set([before, self].flatMap { $0.shown }).sorted()
        return cards.compactMap { card in
            let visible = self.visible(card)
            return visible == before.visible(card) ? nil : Change(card: card, visible: visible)
        }
    }

    private var shown: [Int] {
        guard self.count > 0 else { return [] }
        let first = Int(self.position.rounded(.down))
        return [first, first + 1].filter { $0 < self.count }
    }
}
