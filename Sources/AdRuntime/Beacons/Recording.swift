package import AdCore

/// The result of recording beacons, with the claim that was made in the same transaction.
package struct Recording: Sendable {
    /// The keys that were new, in the given order.
    package let new: [BeaconKey]
    /// The repairs and losses of the ledger, and why the beacons could not be recorded durably.
    package let issues: [AdIssue]
    /// The claim, which `BeaconDispatcher.deliver` must get; nil if there was none.
    var claimed: BeaconScheduler.Input?

    init(_ result: RecordResult, claimed: BeaconScheduler.Input? = nil) {
        (self.new, self.issues) = (result.new, result.issues)
        self.claimed = claimed
    }
}
