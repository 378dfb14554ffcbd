import AdCore
import SQLiteLedger

/// Carries the beacons of this host's files over to the server.
///
/// Each step can be interrupted and done again: the server records each key once, and a beacon is removed from its file
/// after the server has it. Until then it is claimed there, so that it is not sent from here.
struct CarryOver: Sendable {
    let local: LocalLedgers
    let server: ServerLedger
    /// The current time.
    let now: WallTime

    /// The number of beacons in one exchange.
    private static let pageSize = 256
    /// How long beacons stay claimed that are on their way to the server.
    private static let lease = Duration.seconds(600)

    /// Carries over all beacons that are not being sent now.
    func run() async throws(ServerFailure) {
        do throws(LedgerError) {
            try await self.carryHeld()
            try await self.carryWaiting()
            try await self.carrySettled()
        } catch {
            throw ServerFailure(error)
        }
    }

    private func send(_ beacons: [CarriedBeacon]) async throws(LedgerError) {
        guard !beacons.isEmpty else { return }
        do throws(ServerFailure) {
            try await self.server.perform { .carry(beacons, self.now, $0) }
        } catch {
            throw error.error
        }
    }

    private func carryHeld() async throws(LedgerError) {
        while true {
            let page = try await self.local.held.entries(after: .min, limit: CarryOver.pageSize)
            guard !page.isEmpty else { return }
            try await self.send(
                page.map { entry in
                    // One with an invalid address is dead from the start, here as there.
                    let state = entry.state.isSettled ? entry.state : .pending(nextTry: self.now, reason: nil)
                    return CarriedBeacon(
                        beacon: entry.beacon,
                        state: state,
                        attempts: 0,
                        recorded: entry.recorded,
                        isInDoubt: false
                    )
                }
            )
            try await self.local.held.remove(page.map(\.beacon.key))
        }
    }

    private func carryWaiting() async throws(LedgerError) {
        let waiting = try await self.waiting()
        _ = try await self.local.own.makeAllDue(at: self.now)
        while true {
            let size = CarryOver.pageSize
            let request = ClaimRequest(limit: size, each: size, at: self.now, lease: CarryOver.lease)
            let claimed = try await self.local.own.claim(request).beacons
            guard !claimed.isEmpty else { return }
            // What an earlier process may have sent is settled here, and carried over with its outcome.
            for one in claimed where one.isExpiredAtMostOnce {
                let outcome = DeliveryOutcome.unconfirmed(reason: ClaimedBeacon.leaseExpiredReason)
                try await self.local.own.settle(one, as: outcome, at: self.now)
            }
            let carried = claimed.filter { !$0.isExpiredAtMostOnce }
            do throws(LedgerError) {
                try await self.send(carried.map { self.carried($0, waiting[$0.beacon.key]) })
            } catch {
                for one in carried {
                    let time = waiting[one.beacon.key]?.nextTry ?? self.now
                    let reason = waiting[one.beacon.key]?.reason ?? "it was not carried over"
                    try await self.local.own.settle(one, as: .retry(at: time, reason: reason), at: self.now)
                }
                throw error
            }
            try await self.local.own.remove(carried.map(\.beacon.key))
        }
    }

    private typealias Waiting = (nextTry: WallTime, reason: String?)

    /// When beacons are due that have failed before.
    private func waiting() async throws(LedgerError) -> [BeaconKey: Waiting] {
        var waiting: [BeaconKey: Waiting] = [:]
        var last = Int64.min
        while true {
            let page = try await self.local.own.entries(after: last, limit: 1_000)
            guard let end = page.last else { return waiting }
            last = end.number
            for entry in page {
                guard case .pending(let time, let reason) = entry.state, entry.attempts > 0 else { continue }
                waiting[entry.beacon.key] = (time, reason)
            }
        }
    }

    private func carried(_ claimed: ClaimedBeacon, _ waiting: Waiting?) -> CarriedBeacon {
        CarriedBeacon(
            beacon: claimed.beacon,
            state: .pending(nextTry: waiting?.nextTry ?? self.now, reason: waiting?.reason),
            attempts: claimed.attempt - 1,
            recorded: claimed.recorded,
            isInDoubt: claimed.wasInterrupted
        )
    }

    private func carrySettled() async throws(LedgerError) {
        var last = Int64.min
        while true {
            let page = try await self.local.own.entries(after: last, limit: CarryOver.pageSize)
            guard let end = page.last else { return }
            last = end.number
            let settled = page.filter(\.state.isSettled)
            try await self.send(
                settled.map { entry in
                    CarriedBeacon(
                        beacon: entry.beacon,
                        state: entry.state,
                        attempts: entry.attempts,
                        recorded: entry.recorded,
                        isInDoubt: false
                    )
                }
            )
            try await self.local.own.remove(settled.map(\.beacon.key))
        }
    }
}
