import AdCore

/// One ad's exclusive right to an offer of a cached response; releasing the last reference returns the offer, unless it
/// was shown.
final class OfferReservation: Sendable {
    private let proposalID: OfferCache.ProposalID
    private let queue: LoadQueue

    init(_ proposalID: OfferCache.ProposalID, of queue: LoadQueue) {
        self.proposalID = proposalID
        self.queue = queue
    }

    /// Marks the offer as shown, so that no other ad gets it.
    func markShown() { self.queue.markShown(self.proposalID) }

    deinit { self.queue.release(self.proposalID) }
}
