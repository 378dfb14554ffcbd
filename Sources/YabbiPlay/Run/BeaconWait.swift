import AdCore
import AdRuntime
import PlayReport

/// Waits for the beacons of ads, and reads from the ledger what became of them.
struct BeaconWait: Sendable {
    private let context: RunContext
    /// The number of the last beacon of ads before this one.
    private var mark: Int64

    init(_ context: RunContext) {
        self.context = context
        self.mark = context.mark
    }

    private var beacons: BeaconDispatcher { self.context.services.beacons }

    /// Waits until the outcome of an ad's beacons is known, or the time is over.
    ///
    /// With a ledger, it also waits for those that are being sent: they would be unconfirmed for the next process.
    func wait(for ad: Ad) async {
        let options = self.context.options
        await self.beacons.rest(within: self.context.plan.scaled(options.timeout)) {
            await self.isAny(of: ad, isUnsettledEnough: true) { !$0.isSettled }
        }
        guard options.ledger != nil else { return }
        await self.beacons.rest(within: RunContext.longestAttempt) {
            await self.isAny(of: ad, isUnsettledEnough: false) { if case .inFlight = $0 { true } else { false } }
        }
    }

    /// Whether a beacon of an ad is in a state that is waited for.
    ///
    /// Where it is enough that a beacon has no known outcome yet, the ledger need not be read.
    private func isAny(
        of ad: Ad,
        isUnsettledEnough: Bool,
        _ isWaiting: (LedgerEntry.State) -> Bool
    ) async -> Bool {
        if self.beacons.isAnnounced { return true }
        guard await self.beacons.isBusy() else { return false }
        let open = BeaconWait.unsettled(self.context.printer.records(of: ad.id))
        if isUnsettledEnough, !open.isEmpty, self.beacons.hasInHand { return true }
        let entries = (try? await self.beacons.entries(after: self.mark)) ?? []
        return entries.contains { $0.beacon.key.ad == ad.id && isWaiting($0.state) }
    }

    /// The states in the ledger of an ad's beacons whose outcome was not reported, by the names of their keys.
    ///
    /// The ledger is read only where there are some, and only for what came since the last time.
    mutating func open(of ad: Ad) async -> [String: LedgerLine.State] {
        let records = self.context.printer.records(of: ad.id)
        let open = BeaconWait.unsettled(records)
        guard !open.isEmpty else { return [:] }
        let entries: [LedgerEntry]
        do throws(LedgerError) {
            entries = try await self.beacons.entries(after: self.mark)
        } catch {
            let states = open.map { (BeaconWait.name(of: $0), LedgerLine.State.pending(reason: error.message)) }
            return Dictionary(states) { first, _ in first }
        }
        self.mark = entries.map(\.number).max() ?? self.mark
        // Other outcomes may have been reported meanwhile.
        let ended = BeaconWait.ended(self.context.printer.records(of: ad.id))
        return BeaconWait.states(of: open, in: entries, ended: ended)
    }

    /// The states of beacons in a ledger; one that it does not hold was in a file that is gone, and is not sent.
    static func states(
        of open: Set<BeaconKey>,
        in entries: [LedgerEntry],
        ended: Set<BeaconKey> = []
    ) -> [String: LedgerLine.State] {
        let found = entries.filter { open.contains($0.beacon.key) }
        let lost = open.subtracting(found.map(\.beacon.key)).subtracting(ended)
        let reason = "it is no longer in the ledger, which was replaced meanwhile"
        return Dictionary(
            found.map { (self.name(of: $0.beacon.key), LedgerLine($0).state) }
                + lost.map { (self.name(of: $0), .unconfirmed(reason: reason)) }
        ) { first, _ in first }
    }

    /// The beacons whose outcome was reported.
    private static func ended(_ records: [AdRecord]) -> Set<BeaconKey> { Set(records.compactMap(\.event.endedBeacon)) }

    /// The beacons that were recorded and whose outcome is not known.
    private static func unsettled(_ records: [AdRecord]) -> Set<BeaconKey> {
        var keys: Set<BeaconKey> = []
        for record in records {
            if case .beaconRecorded(let key, _) = record.event { keys.insert(key) }
            if let key = record.event.endedBeacon { keys.remove(key) }
        }
        return keys
    }

    /// The key as verdicts name it: a provider's own key does not name the event.
    private static func name(of key: BeaconKey) -> String {
        key.text.contains("/\(key.event)/") ? key.text : BeaconKey(ad: key.ad, event: key.event).text
    }
}

extension AdEvent {
    /// The beacon whose outcome this event reports; nil for other events.
    fileprivate var endedBeacon: BeaconKey? {
        switch self {
        case .beaconDelivered(let key, _), .beaconUnconfirmed(let key, _), .beaconDead(let key, _): key
        default: nil
        }
    }
}

/// An ad's beacons by what is wrong with them.
struct JudgedBeacons {
    /// The reasons of those that are still to be sent, by key.
    private(set) var pending: [String: String] = [:]
    /// The reasons of the others, by key.
    private(set) var others: [String: String] = [:]
    private var isBad: Bool

    /// Judges what was reported, and the states of those whose outcome was not.
    init(_ records: [AdRecord], _ open: [String: LedgerLine.State]) {
        self.isBad = records.contains { record in
            switch record.event {
            case .beaconUnconfirmed, .beaconDead: true
            default: false
            }
        }
        for (key, state) in open {
            switch state {
            case .pending(let reason): self.pending[key] = reason
            // Another process with the same ledger may have been faster.
            case .delivered: self.others[key] = "delivered by another process"
            case .unconfirmed(let reason), .dead(let reason):
                self.others[key] = reason
                self.isBad = true
            }
        }
    }

    /// What became of the worst; nil where all were delivered.
    var fate: String? { self.isBad ? "unconfirmed or dead" : self.pending.isEmpty ? nil : "still pending" }
}
