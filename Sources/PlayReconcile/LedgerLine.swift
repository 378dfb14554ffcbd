package import AdCore

/// A beacon of any ledger, for a reconciliation.
package struct LedgerLine: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case delivered
        case unconfirmed(reason: String)
        case dead(reason: String)
        /// Not delivered yet.
        case pending(reason: String)
    }

    let key: String
    let event: String
    /// The redacted URL.
    let url: String
    /// The URL as it is sent, only to be compared.
    let address: String
    /// Whether it is billable.
    let isBilling: Bool
    package let state: State
    let attempts: Int
    let recorded: WallTime
    /// Whether it is delivered at least once: then the server may receive it more than once.
    let isAtLeastOnce: Bool

    package init(
        key: String,
        event: String,
        url: String,
        isBilling: Bool,
        state: State,
        attempts: Int,
        recorded: WallTime,
        isAtLeastOnce: Bool = false,
        address: String? = nil
    ) {
        self.address = address ?? url
        self.key = key
        self.event = event
        self.url = url
        self.isBilling = isBilling
        self.state = state
        self.attempts = attempts
        self.recorded = recorded
        self.isAtLeastOnce = isAtLeastOnce
    }
}

extension LedgerLine {
    package init(_ entry: LedgerEntry) {
        self.key = entry.beacon.key.text
        self.event = entry.beacon.key.event.rawValue
        self.url = Redaction.address(entry.beacon.call.address.text)
        self.address = entry.beacon.call.address.text
        self.isBilling = entry.beacon.call.isBilling
        switch entry.standing {
        case .delivered: self.state = .delivered
        case .unconfirmed(let reason): self.state = .unconfirmed(reason: reason)
        case .dead(let reason): self.state = .dead(reason: reason)
        case .pending(_, let reason): self.state = .pending(reason: reason ?? "waiting to be sent")
        case .inFlight: self.state = .pending(reason: "being sent")
        }
        self.attempts = entry.attempts
        self.recorded = entry.recorded
        self.isAtLeastOnce = entry.beacon.call.guarantee == .atLeastOnce
    }
}
