import AdCore
import PlayConsole
import PlayText

/// Decides the verdict on each beacon, with its cause.
struct BeaconAssessment: Sendable {
    /// How long after its record a beacon is late; nil if ledger and server use different clocks.
    let lateAfter: Duration?
    /// How many hits the server dropped.
    let dropped: Int
    /// The `Host` headers of all hits.
    let hosts: Set<String>
    /// When the first and the last request of a log came; nil if the hits are complete.
    var period: (first: WallTime, last: WallTime)?
    /// Whether hits were matched by their keys; otherwise by their URLs.
    var matchesByKey = true

    /// The verdict on a beacon with the hits of its key, oldest first.
    func outcome(_ line: LedgerLine, _ arrivals: [ReceivedHit]) -> ReconciledBeacon {
        let counted = arrivals.filter(\.isCounted)
        let (verdict, cause) = self.verdict(line, arrivals, counted)
        return ReconciledBeacon(
            key: line.key,
            event: line.event,
            url: line.url,
            isBilling: line.isBilling,
            verdict: verdict,
            cause: cause,
            hits: arrivals.map(\.n)
        )
    }

    /// The verdict on hits that the ledger does not have.
    ///
    /// - Precondition: There is at least one hit.
    func unknown(_ key: String?, _ arrivals: [ReceivedHit]) -> ReconciledBeacon {
        let reason =
            switch (self.matchesByKey, key) {
            case (false, _): "no beacon of the ledger has this URL: another ledger recorded it, or it was pruned"
            case (true, nil): "no Idempotency-Key"
            case (true, _?): "the key is not in the ledger: another ledger recorded it, or it was pruned"
            }
        return ReconciledBeacon(
            key: key,
            event: arrivals.first?.event ?? "",
            url: arrivals.first?.path ?? "",
            isBilling: false,
            verdict: .unknown,
            cause: "\(reason); \(ArrivalText.text(arrivals))",
            hits: arrivals.map(\.n)
        )
    }

    private func verdict(_ line: LedgerLine, _ arrivals: [ReceivedHit], _ counted: [ReceivedHit]) -> (
        BeaconVerdict, String
    ) {
        if counted.count > 1, line.isAtLeastOnce, line.state == .delivered {
            let hits = ArrivalText.text(arrivals)
            let times = ArrivalText.times(counted.count)
            return (.repeated, "received \(times); billed once if the server honors Idempotency-Key: \(hits)")
        }
        if counted.count > 1 { return (.doubled, self.duplicate(line, arrivals, counted.count)) }
        let hits = self.hits(line, arrivals)
        switch (line.state, counted.first) {
        case (.delivered, nil):
            if arrivals.isEmpty, let place = self.elsewhere(line) ?? self.outside(line) {
                return (.elsewhere, "delivered according to the ledger; \(place)")
            }
            return (.lost, "delivered according to the ledger, but \(hits)")
        case (.delivered, let first?):
            let hits = self.attempts(line, arrivals) + ArrivalText.text(arrivals)
            guard let after = self.lateness(line, first) else { return (.matched, hits) }
            let delay = "counted \(ArrivalText.seconds(after)) after it was recorded"
            return (.late, line.attempts < 2 ? "\(delay), at the first attempt; \(hits)" : "\(delay); \(hits)")
        case (.unconfirmed(let reason), nil): return (.unconfirmed, "\(reason); \(hits)")
        case (.unconfirmed(let reason), _): return (.unconfirmed, "\(reason); the server received it: \(hits)")
        case (.dead(let reason), nil): return (.dead, "\(reason); \(hits)")
        case (.dead(let reason), _): return (.dead, "\(reason); but \(hits)")
        case (.pending(let reason), nil):
            return (.pending, line.attempts == 0 ? "\(reason); no attempt yet" : "\(reason); \(hits)")
        case (.pending(let reason), _):
            let risk =
                line.isAtLeastOnce ? "; the next attempt is a duplicate if the server ignores Idempotency-Key" : ""
            return (.pending, "\(reason); \(hits)\(risk)")
        }
    }

    private func duplicate(_ line: LedgerLine, _ arrivals: [ReceivedHit], _ count: Int) -> String {
        let state =
            switch line.state {
            case .delivered: ""
            case .unconfirmed(let reason): "; unconfirmed according to the ledger: \(reason)"
            case .dead(let reason): "; dead according to the ledger: \(reason)"
            case .pending(let reason): "; pending according to the ledger: \(reason)"
            }
        return "received \(ArrivalText.times(count)); billed once if the server honors Idempotency-Key: "
            + "\(ArrivalText.text(arrivals))\(state)"
    }

    /// The hits of a beacon that was counted once or not at all.
    private func hits(_ line: LedgerLine, _ arrivals: [ReceivedHit]) -> String {
        if arrivals.isEmpty {
            return self.elsewhere(line).map { "unknown whether it was received: \($0)" }
                ?? "the server did not receive it" + self.dropNote
        }
        return ArrivalText.text(arrivals) + (arrivals.contains(where: \.isCounted) ? "" : self.dropNote)
    }

    /// A note that a missing hit may be one that the server dropped.
    private var dropNote: String {
        switch self.dropped {
        case 0: ""
        case 1: ", unless it is the 1 hit that the server dropped"
        default: ", unless it is among the \(self.dropped) hits that the server dropped"
        }
    }

    /// The server that it was sent to, if none of the hits is from that server.
    private func elsewhere(_ line: LedgerLine) -> String? {
        guard !self.hosts.isEmpty, let url = HTTPURL(line.url) else { return nil }
        let isKnown = self.hosts.contains { self.isServer($0, of: url) }
        guard !isKnown else { return nil }
        let others = self.hosts.sorted().prefix(3).joined(separator: ", ")
        return "it was sent to \(url.writtenHost):\(url.port), but the hits are from \(others)"
    }

    /// Why a log can't have a beacon's request; nil if it covers its time.
    private func outside(_ line: LedgerLine) -> String? {
        guard let period, line.recorded > period.last || line.recorded < period.first else { return nil }
        let range = "\(CalendarText.iso8601(period.first)) to \(CalendarText.iso8601(period.last))"
        return "it was recorded at \(CalendarText.iso8601(line.recorded)), and the log is from \(range)"
    }

    /// Whether a `Host` header names the server of a URL; one without a port names all of its ports.
    private func isServer(_ header: String, of url: HTTPURL) -> Bool {
        guard let server = HTTPURL("http://\(header)/") else { return false }
        // The hosts of the loopback interface are the same server.
        guard server.host == url.host || server.isLoopback && url.isLoopback else { return false }
        return server.port == url.port || header == server.writtenHost
    }

    private func lateness(_ line: LedgerLine, _ first: ReceivedHit) -> Duration? {
        guard let lateAfter else { return nil }
        let after = first.at - line.recorded
        return after > lateAfter ? after : nil
    }

    /// The number of attempts without a hit.
    private func attempts(_ line: LedgerLine, _ arrivals: [ReceivedHit]) -> String {
        let missing = line.attempts - arrivals.count
        guard missing > 0 else { return "" }
        return "\(missing) of \(line.attempts) attempts without a hit\(self.dropNote); "
    }
}
