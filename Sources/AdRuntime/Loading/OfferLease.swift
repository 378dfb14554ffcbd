import AdCore

/// One ad's exclusive hold on an offer of a cached response; releasing the last reference returns the offer, unless it
/// was shown.
final class OfferLease: Sendable {
    private let mark: OfferCache.Mark
    private let queue: LoadQueue

    init(_ mark: OfferCache.Mark, of queue: LoadQueue) {
        self.mark = mark
        self.queue = queue
    }

    /// Marks the offer as shown, so that no other ad gets it.
    func markShown() { self.queue.markShown(self.mark) }

    deinit { self.queue.release(self.mark) }
}
