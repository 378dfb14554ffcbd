/// Cards side by side, of which one fills the view: how much of each is visible.
///
/// It only computes visible shares; each card's own ad decides when they are a view.
///
/// ```swift
/// var carousel = CardCarousel(count: places.count)
/// for change in carousel.appear() { places[change.card].setVisibleRatio(change.visible) }
/// ```
public struct CardCarousel: Hashable, Sendable {
    /// A change of a card's visible share.
    public struct Change: Hashable, Sendable {
        /// The index of the card.
        public let card: Int
        /// The share of its area that is on screen, from 0 to 1.
        public let visible: Double
    }

    /// The number of cards.
    public let count: Int
    /// The index of the card that fills the view; with a fraction, parts of two cards are visible.
    public private(set) var position: Double = 0
    /// Whether the carousel is on screen.
    public private(set) var isOnScreen = false

    /// Creates a carousel at its first card, off the screen.
    public init(count: Int) { self.count = max(0, count) }

    /// The card that fills most of the view; nil if there are no cards.
    public var page: Int? { self.count == 0 ? nil : Int(self.position.rounded()) }

    /// The visible share of a card.
    public func visible(_ card: Int) -> Double {
        guard self.isOnScreen, (0..<self.count).contains(card) else { return 0 }
        return max(0, 1 - abs(Double(card) - self.position))
    }

    /// Marks the carousel as on screen.
    public mutating func appear() -> [Change] { self.change { $0.isOnScreen = true } }

    /// Marks the carousel as off the screen.
    public mutating func disappear() -> [Change] { self.change { $0.isOnScreen = false } }

    /// Scrolls to a position, clamped to the first and last card; NaN changes nothing.
    public mutating func scroll(to position: Double) -> [Change] {
        guard !position.isNaN, self.count > 0 else { return [] }
        return self.change { $0.position = min(max(position, 0), Double($0.count - 1)) }
    }

    /// Scrolls to the next card, from the last one to the first.
    public mutating func scrollToNext() -> [Change] {
        guard let page else { return [] }
        return self.scroll(to: Double((page + 1) % self.count))
    }

    private mutating func change(_ body: (inout CardCarousel) -> Void) -> [Change] {
        let before = self
        body(&self)
        // At most two cards are visible before the change and two after it.
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
