import AdCore
import SystemSupport

/// One ad's exclusive hold on an offer of a cached response; the offer is given back with the last reference, unless it
/// was shown.
final class OfferLease: Sendable {
    private let mark: OfferCache.Mark
    private let machine: Locked<LoadMachine>

    init(_ mark: OfferCache.Mark, of machine: Locked<LoadMachine>) {
        self.mark = mark
        self.machine = machine
    }

    /// The offer is on screen: no other ad gets it.
    func markShown() { self.machine.withLock { $0.markShown(self.mark) } }

    deinit { self.machine.withLock { $0.release(self.mark) } }
}
