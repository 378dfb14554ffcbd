/// Where cards stand among an app's own entries: in one block, behind so many entries, and never more than so many.
///
/// ```swift
/// let rows = FeedInserter(after: 4, most: 3).rows(of: posts, with: cards)
/// ```
public struct FeedInserter: Hashable, Sendable {
    /// One row of a feed.
    public enum Row<Entry, Card> {
        /// An entry of the app.
        case entry(Entry)
        /// A card.
        case card(Card)
    }

    /// Behind how many entries the cards stand; a shorter feed gets none.
    public let after: Int
    /// How many cards stand there at most.
    public let most: Int

    /// A rule; what is negative counts as none.
    public init(after: Int, most: Int) {
        self.after = max(0, after)
        self.most = max(0, most)
    }

    /// Entries and cards in the order in which they are shown.
    public func rows<Entry, Card>(of entries: [Entry], with cards: [Card]) -> [Row<Entry, Card>] {
        let own = entries.map { Row<Entry, Card>.entry($0) }
        guard entries.count >= self.after else { return own }
        return own[..<self.after] + cards.prefix(self.most).map { .card($0) } + own[self.after...]
    }
}

extension FeedInserter.Row: Sendable where Entry: Sendable, Card: Sendable {}
extension FeedInserter.Row: Equatable where Entry: Equatable, Card: Equatable {}
