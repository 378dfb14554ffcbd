import AdCore
package import PlayReconcile

extension LedgerLine {
    /// A line for tests.
    package static func sample(
        _ key: String = "k",
        _ state: State = .delivered,
        attempts: Int = 1,
        recorded: Int64 = 0,
        url: String = "http://127.0.0.1:8080/t/view",
        event: String = "view",
        isBilling: Bool = true,
        isAtLeastOnce: Bool = false,
        address: String? = nil
    ) -> LedgerLine {
        LedgerLine(
            key: key,
            event: event,
            url: url,
            isBilling: isBilling,
            state: state,
            attempts: attempts,
            recorded: WallTime(milliseconds: recorded),
            isAtLeastOnce: isAtLeastOnce,
            address: address
        )
    }
}

extension ReceivedHit {
    /// A hit for tests, which was counted unless the fault says otherwise.
    package static func sample(
        _ n: Int,
        _ fault: String? = nil,
        key: String? = "k",
        at time: Int64 = 0,
        path: String = "/t/view",
        host: String? = "127.0.0.1:8080",
        isCounted: Bool? = nil
    ) -> ReceivedHit {
        ReceivedHit(
            n: n,
            at: WallTime(milliseconds: time),
            key: key,
            path: path,
            host: host,
            fault: fault,
            isCounted: isCounted ?? (fault != "status" && fault != "redirectLoop")
        )
    }
}

extension Reconciliation {
    package init(
        _ lines: [LedgerLine],
        _ arrivals: [ReceivedHit],
        dropped: Int = 0,
        lateAfter: Duration? = .seconds(60)
    ) {
        self.init(lines, against: HitList(arrivals, dropped: dropped), lateAfter: lateAfter)
    }
}
