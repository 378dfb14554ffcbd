import AdCore
import SystemLock

/// An offer of an answer that is kept, in one ad's hands: whoever lets go of it gives it back, unless it was shown.
final class OfferHold: Sendable {
    private let mark: OfferCache.Mark
    private let house: AdHouse

    /// Takes an offer; nil where somebody else has it.
    init?(_ mark: OfferCache.Mark, of house: AdHouse) {
        guard house.cache.withLock({ $0.take(mark) }) else { return nil }
        self.mark = mark
        self.house = house
    }

    /// It is on screen: nobody gets it again.
    func shown() { self.house.cache.withLock { $0.shown(self.mark) } }

    deinit { self.house.cache.withLock { $0.giveBack(self.mark) } }
}
