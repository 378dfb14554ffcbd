import AdCore
import TestSupport
import Testing

@Suite("Card carousel")
struct CarouselTests {
    private func pairs(_ changes: [CardCarousel.Change]) -> [Int: Double] {
        Dictionary(uniqueKeysWithValues: changes.map { ($0.card, $0.visible) })
    }

    @Test("no card is visible off screen, and the first one on screen")
    func appear() {
        var carousel = CardCarousel(count: 3)
        #expect(carousel.visible(0) == 0)
        #expect(self.pairs(carousel.appear()) == [0: 1])
        #expect(carousel.appear().isEmpty)
        #expect(self.pairs(carousel.disappear()) == [0: 0])
    }

    @Test("between two positions, parts of two cards are visible")
    func scroll() {
        var carousel = CardCarousel(count: 3)
        _ = carousel.appear()
        #expect(self.pairs(carousel.scroll(to: 0.25)) == [0: 0.75, 1: 0.25])
        #expect(self.pairs(carousel.scroll(to: 1)) == [0: 0, 1: 1])
        #expect(carousel.page == 1)
        #expect(self.pairs(carousel.scroll(to: 99)) == [1: 0, 2: 1])
        #expect(carousel.scroll(to: .nan).isEmpty)
        #expect(self.pairs(carousel.scroll(to: -.infinity)) == [0: 1, 2: 0])
    }

    @Test("the next card after the last is the first, and skipped cards are never visible")
    func scrollToNext() {
        var carousel = CardCarousel(count: 3)
        _ = carousel.appear()
        #expect(self.pairs(carousel.scrollToNext()) == [0: 0, 1: 1])
        #expect(self.pairs(carousel.scrollToNext()) == [1: 0, 2: 1])
        #expect(self.pairs(carousel.scrollToNext()) == [2: 0, 0: 1])
        #expect(self.pairs(carousel.scroll(to: 2)) == [0: 0, 2: 1])
    }

    @Test("a carousel without cards reports no changes")
    func empty() {
        var carousel = CardCarousel(count: -1)
        #expect(carousel.page == nil)
        #expect((carousel.appear() + carousel.scrollToNext() + carousel.scroll(to: 1) + carousel.disappear()).isEmpty)
    }

    @Test("the reported changes always add up to the visible shares")
    func sums() {
        let seed = TestSeed.chosen ?? .random(in: 0 ... .max)
        var random = TestRandom(seed: seed)
        var carousel = CardCarousel(count: 5)
        var seen: [Int: Double] = [:]
        for step in 0..<2_000 {
            let changes =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: carousel.appear()
                case 1: carousel.disappear()
                case 2: carousel.scrollToNext()
                default: carousel.scroll(to: .random(in: -1...6, using: &random))
                }
            for change in changes { seen[change.card] = change.visible }
            for card in 0..<5 {
                #expect(seen[card, default: 0] == carousel.visible(card), "YABBI_SEED=\(seed), step \(step)")
            }
            let sum = (0..<5).reduce(0) { $0 + carousel.visible($1) }
            #expect(abs(sum - (carousel.isOnScreen ? 1 : 0)) < 1e-9, "YABBI_SEED=\(seed), step \(step)")
        }
    }
}
