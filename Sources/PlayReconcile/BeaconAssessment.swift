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

    /// The verdict on a beacon with its hits.
    func outcome(_ line: LedgerLine, _ arrivals: Arrivals) -> ReconciledBeacon {
        let (verdict, cause) = self.verdict(line, arrivals)
        return ReconciledBeacon(
            key: line.key,
            event: line.event,
            url: line.url,
            isBilling: line.isBilling,
            verdict: verdict,
            cause: cause + arrivals.note,
            hits: arrivals.numbers,
            hitCount: arrivals.count
        )
    }

    /// The verdict on hits that the ledger does not have.
    ///
    /// - Precondition: There is at least one hit.
    func unknown(_ key: String?, _ arrivals: Arrivals) -> ReconciledBeacon {
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
            cause: "\(reason); \(arrivals.text)\(arrivals.note)",
            hits: arrivals.numbers,
            hitCount: arrivals.count
        )
    }

    private func verdict(_ line: LedgerLine, _ arrivals: Arrivals) -> (BeaconVerdict, String) {
        if arrivals.counted > 1, line.isAtLeastOnce, line.state == .delivered {
            let times = ArrivalText.times(arrivals.counted)
            return (.repeated, "received \(times); billed once if the server honors Idempotency-Key: \(arrivals.text)")
        }
        if arrivals.counted > 1 { return (.doubled, self.duplicate(line, arrivals)) }
        let hits = self.hits(line, arrivals)
        switch (line.state, arrivals.firstCounted) {
        case (.delivered, nil):
            if arrivals.count == 0, let place = self.elsewhere(line) ?? self.outside(line) {
                return (.elsewhere, "delivered according to the ledger; \(place)")
            }
            return (.lost, "delivered according to the ledger, but \(hits)")
        case (.delivered, let first?):
            let hits = self.attempts(line, arrivals) + arrivals.text
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

    private func duplicate(_ line: LedgerLine, _ arrivals: Arrivals) -> String {
        let state =
            switch line.state {
            case .delivered: ""
            case .unconfirmed(let reason): "; unconfirmed according to the ledger: \(reason)"
            case .dead(let reason): "; dead according to the ledger: \(reason)"
            case .pending(let reason): "; pending according to the ledger: \(reason)"
            }
        return "received \(ArrivalText.times(arrivals.counted)); billed once if the server honors Idempotency-Key: "
            + "\(arrivals.text)\(state)"
    }

    /// The hits of a beacon that was counted once or not at all.
    private func hits(_ line: LedgerLine, _ arrivals: Arrivals) -> String {
        if arrivals.count == 0 {
            return (self.elsewhere(line) ?? self.outside(line)).map { "unknown whether it was received: \($0)" }
                ?? "the server did not receive it" + self.dropNote
        }
        return arrivals.text + (arrivals.counted > 0 ? "" : self.dropNote)
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

    /// Why a log need not have a beacon's request; nil if it covers its time.
    ///
    /// The ledger does not say when a beacon was delivered. One that was recorded shortly before the end of a log may
    /// have been delivered after it, so its request is in the next log.
    private func outside(_ line: LedgerLine) -> String? {
        guard let period else { return nil }
        let recorded = "it was recorded at \(CalendarText.iso8601(line.recorded))"
        let range = "\(CalendarText.iso8601(period.first)) to \(CalendarText.iso8601(period.last))"
        if line.recorded > period.last || line.recorded < period.first {
            return "\(recorded), and the log is from \(range)"
        }
        guard let lateAfter, line.recorded + lateAfter > period.last else { return nil }
        return "\(recorded), less than \(ArrivalText.seconds(lateAfter)) before the end of the log, which is from "
            + "\(range): its request may be in the next log"
    }

    /// Whether a `Host` header names the server of a URL; one without a port names all of its ports.
    private func isServer(_ header: String, of url: HTTPURL) -> Bool {
        guard let server = HTTPURL("http://\(header)/") else { return false }
        // The hosts of the loopback interface are the same server.
        guard server.host == url.host || server.isLoopback && url.isLoopback else { return false }
        return server.port == url.port || header == server.writtenHost
    }

    private func lateness(_ line: LedgerLine, _ first: WallTime) -> Duration? {
        guard let lateAfter else { return nil }
        let after = first - line.recorded
        return after > lateAfter ? after : nil
    }

    /// The number of attempts without a hit.
    private func attempts(_ line: LedgerLine, _ arrivals: Arrivals) -> String {
        let missing = line.attempts - arrivals.count
        guard missing > 0 else { return "" }
        return "\(missing) of \(line.attempts) attempts without a hit\(self.dropNote); "
    }
}
