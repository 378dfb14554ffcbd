import AdCore
import SystemSupport

/// One ad's exclusive hold on an offer of a cached response; releasing the last reference returns the offer, unless it
/// was shown.
final class OfferLease: Sendable {
    private let mark: OfferCache.Mark
    private let machine: Locked<LoadMachine>

    init(_ mark: OfferCache.Mark, of machine: Locked<LoadMachine>) {
        self.mark = mark
        self.machine = machine
    }

    /// Marks the offer as shown, so that no other ad gets it.
    func markShown() { self.machine.withLock { $0.markShown(self.mark) } }

    deinit { self.machine.withLock { $0.release(self.mark) } }
}
