import AdCore
import AdRuntime
import PlayReconcile
import PlayText

/// Waits for the beacons of ads, and reads their outcomes from the ledger.
struct BeaconWait: Sendable {
    private let context: RunContext

    init(_ context: RunContext) { self.context = context }

    private var beacons: BeaconDispatcher { self.context.services.beacons }

    /// Waits until the outcome of an ad's beacons is known, or until the timeout.
    ///
    /// With a ledger, it also waits for beacons in flight, which would be unconfirmed for the next process.
    func wait(for ad: Ad) async {
        let options = self.context.options
        await self.beacons.wait(within: self.context.plan.scaled(options.timeout)) {
            await self.isAny(of: ad, countsUnsettled: true) { !$0.isSettled }
        }
        guard options.ledger != nil else { return }
        await self.beacons.wait(within: RunContext.maxAttemptTime) {
            await self.isAny(of: ad, countsUnsettled: false) { if case .inFlight = $0 { true } else { false } }
        }
    }

    /// Whether a beacon of an ad is in a state to wait for.
    ///
    /// With `countsUnsettled`, a beacon without a reported outcome counts, and the ledger need not be read.
    private func isAny(
        of ad: Ad,
        countsUnsettled: Bool,
        _ isWaiting: (LedgerEntry.State) -> Bool
    ) async -> Bool {
        if self.beacons.hasPendingRecords { return true }
        guard await self.beacons.isBusy() else { return false }
        let records = self.context.printer.records(of: ad.id)
        if countsUnsettled, !BeaconWait.unsettled(records).isEmpty, self.beacons.hasClaims { return true }
        let entries = (try? await self.beacons.entries(of: BeaconWait.keys(of: records))) ?? []
        return entries.contains { isWaiting($0.state) }
    }

    /// The ledger's states of an ad's beacons whose outcome was not reported, by the names of their keys.
    ///
    /// The ledger is read only if there are such beacons.
    func unsettledStates(of ad: Ad) async -> [String: LedgerLine.State] {
        let records = self.context.printer.records(of: ad.id)
        let unsettled = BeaconWait.unsettled(records)
        guard !unsettled.isEmpty else { return [:] }
        let entries: [LedgerEntry]
        do throws(LedgerError) {
            entries = try await self.beacons.entries(of: unsettled)
        } catch {
            let states = unsettled.map { (BeaconWait.name(of: $0), LedgerLine.State.pending(reason: error.message)) }
            return Dictionary(states) { first, _ in first }
        }
        // More outcomes may have been reported meanwhile.
        let ended = BeaconWait.ended(self.context.printer.records(of: ad.id))
        return BeaconWait.states(of: unsettled, in: entries, ended: ended)
    }

    /// The states of beacons in a ledger.
    ///
    /// A missing beacon was in a file that was replaced, and is not sent.
    static func states(
        of unsettled: Set<BeaconKey>,
        in entries: [LedgerEntry],
        ended: Set<BeaconKey> = []
    ) -> [String: LedgerLine.State] {
        let found = entries.filter { unsettled.contains($0.beacon.key) }
        let lost = unsettled.subtracting(found.map(\.beacon.key)).subtracting(ended)
        let reason = "no longer in the ledger, because its file was replaced"
        return Dictionary(
            found.map { (self.name(of: $0.beacon.key), LedgerLine($0).state) }
                + lost.map { (self.name(of: $0), .unconfirmed(reason: reason)) }
        ) { first, _ in first }
    }

    /// The recorded beacons.
    static func keys(of records: [AdRecord]) -> Set<BeaconKey> { Set(BeaconHistory.all(in: records).map(\.key)) }

    /// The beacons whose outcome was reported.
    private static func ended(_ records: [AdRecord]) -> Set<BeaconKey> {
        Set(BeaconHistory.all(in: records).filter { $0.outcome != .pending }.map(\.key))
    }

    /// The recorded beacons without a reported outcome.
    private static func unsettled(_ records: [AdRecord]) -> Set<BeaconKey> {
        Set(BeaconHistory.all(in: records).filter { $0.outcome == .pending }.map(\.key))
    }

    /// The key as verdicts name it.
    ///
    /// A provider's own key does not contain the event, and is replaced.
    private static func name(of key: BeaconKey) -> String {
        key.text.contains("/\(key.event)/") ? key.text : BeaconKey(ad: key.ad, event: key.event).text
    }
}

/// The outcomes of an ad's beacons.
struct BeaconOutcomes {
    /// The reasons of pending beacons, by key.
    private(set) var pending: [String: String] = [:]
    /// The reasons of the other beacons, by key.
    private(set) var others: [String: String] = [:]
    private var isBad: Bool

    /// Combines the reported outcomes with the ledger's states of the other beacons.
    init(_ records: [AdRecord], _ unsettled: [String: LedgerLine.State]) {
        self.isBad = BeaconHistory.all(in: records).contains(where: \.outcome.isFailure)
        for (key, state) in unsettled {
            switch state {
            case .pending(let reason): self.pending[key] = reason
            // Another process with the same ledger may have sent it.
            case .delivered: self.others[key] = "delivered by another process"
            case .unconfirmed(let reason), .dead(let reason):
                self.others[key] = reason
                self.isBad = true
            }
        }
    }

    /// The worst outcome; nil if all beacons were delivered.
    var worst: String? { self.isBad ? "unconfirmed or dead" : self.pending.isEmpty ? nil : "still pending" }
}
