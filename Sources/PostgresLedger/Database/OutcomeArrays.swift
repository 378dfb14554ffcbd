import AdCore
import PostgresClient
import SQLiteLedger

/// Outcomes as the array parameters of `LedgerSQL.settle`.
struct OutcomeArrays {
    private var keys: [String?] = []
    private var attempts: [Int64?] = []
    private var states: [Int64?] = []
    private var due: [Int64?] = []
    private var spare: [Int64?] = []
    private var reasons: [String?] = []

    mutating func add(
        _ claimed: ClaimedBeacon,
        _ outcome: DeliveryOutcome,
        _ present: CallerClock.Present,
        at now: WallTime
    ) {
        var due = present.distance(to: now)
        var reason: String?
        let state: StateCode
        switch outcome {
        case .delivered: state = .delivered
        case .unconfirmed(let text): (state, reason) = (.unconfirmed, text)
        case .dead(let text): (state, reason) = (.dead, text)
        case .retry(let time, let text): (state, due, reason) = (.pending, present.distance(to: time), text)
        }
        self.keys.append(claimed.beacon.key.text)
        self.attempts.append(Int64(claimed.attempt))
        self.states.append(state.rawValue)
        self.due.append(due)
        self.spare.append(Int64(claimed.attempt - claimed.attempts(after: outcome)))
        self.reasons.append(reason)
    }

    var values: [PostgresValue] {
        [
            .texts(self.keys), .ints(self.attempts), .ints(self.states), .ints(self.due), .ints(self.spare),
            .texts(self.reasons),
        ]
    }
}
