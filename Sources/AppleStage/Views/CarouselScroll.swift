/// Where a carousel is, from the offset of its scroll view.
///
/// A scroll view counts from the left, also where reading begins on the right: there the first card is at the far end.
struct CarouselScroll: Hashable, Sendable {
    let count: Int
    /// The width of a page, in points.
    let pageWidth: Double
    let isRightToLeft: Bool

    /// The position of an offset, in cards from the first one.
    func position(offset: Double) -> Double {
        guard self.pageWidth > 0, self.count > 0, offset.isFinite else { return 0 }
        let fromLeft = min(max(offset / self.pageWidth, 0), Double(self.count - 1))
        return self.isRightToLeft ? Double(self.count - 1) - fromLeft : fromLeft
    }

    /// The offset at which a card fills the view.
    func offset(of card: Int) -> Double {
        guard self.count > 0 else { return 0 }
        let card = min(max(card, 0), self.count - 1)
        return Double(self.isRightToLeft ? self.count - 1 - card : card) * max(0, self.pageWidth)
    }
}
