/// Inserts cards into an app's feed: in one block after a number of entries, up to a number of cards.
///
/// ```swift
/// let rows = FeedInserter(after: 4, limit: 3).rows(of: posts, with: cards)
/// ```
public struct FeedInserter: Hashable, Sendable {
    /// One row of a feed.
    public enum Row<Entry, Card> {
        /// An entry of the feed.
        case entry(Entry)
        /// A card.
        case card(Card)
    }

    /// The number of entries before the cards; a shorter feed gets no cards.
    public let after: Int
    /// The maximum number of cards.
    public let limit: Int

    /// Creates a rule; a negative number counts as zero.
    public init(after: Int, limit: Int) {
        self.after = max(0, after)
        self.limit = max(0, limit)
    }

    /// Entries and cards in display order.
    public func rows<Entry, Card>(of entries: [Entry], with cards: [Card]) -> [Row<Entry, Card>] {
        let own = entries.map { Row<Entry, Card>.entry($0) }
        guard entries.count >= self.after else { return own }
        return own[..<self.after] + cards.prefix(self.limit).map { .card($0) } + own[self.after...]
    }
}

extension FeedInserter.Row: Sendable where Entry: Sendable, Card: Sendable {}
extension FeedInserter.Row: Equatable where Entry: Equatable, Card: Equatable {}
