package import AdCore

/// A beacon as a reconciliation sees it, whatever ledger it lies in.
package struct LedgerLine: Hashable, Sendable {
    /// How far it came.
    package enum State: Hashable, Sendable {
        case delivered
        case unconfirmed(reason: String)
        case dead(reason: String)
        /// Neither sent to its end nor given up.
        case pending(reason: String)
    }

    let key: String
    let event: String
    /// Where it goes, without its secrets.
    let url: String
    /// Whether money depends on it.
    let isBilling: Bool
    package let state: State
    let attempts: Int
    let recorded: WallTime
    /// Whether its server takes each key once: then it may arrive more than once.
    let isResent: Bool

    package init(
        key: String,
        event: String,
        url: String,
        isBilling: Bool,
        state: State,
        attempts: Int,
        recorded: WallTime,
        isResent: Bool = false
    ) {
        self.key = key
        self.event = event
        self.url = url
        self.isBilling = isBilling
        self.state = state
        self.attempts = attempts
        self.recorded = recorded
        self.isResent = isResent
    }
}

extension LedgerLine {
    package init(_ entry: LedgerEntry) {
        self.key = entry.beacon.key.text
        self.event = entry.beacon.key.event.rawValue
        self.url = Redaction.address(entry.beacon.call.address.text)
        self.isBilling = entry.beacon.call.isBilling
        switch entry.standing {
        case .delivered: self.state = .delivered
        case .unconfirmed(let reason): self.state = .unconfirmed(reason: reason)
        case .dead(let reason): self.state = .dead(reason: reason)
        case .recorded(_, let reason): self.state = .pending(reason: reason ?? "it waits for its turn")
        case .inFlight: self.state = .pending(reason: "it is being sent")
        }
        self.attempts = entry.attempts
        self.recorded = entry.recorded
        self.isResent = entry.beacon.call.guarantee == .atLeastOnce
    }
}
