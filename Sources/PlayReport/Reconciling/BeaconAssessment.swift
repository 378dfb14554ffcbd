import AdCore
import PlayConsole
import SandboxSSP

/// Decides what became of each beacon, and says why.
struct BeaconAssessment: Sendable {
    /// How long after it was recorded a beacon is late; nil where the two clocks are none of one time.
    let lateAfter: Duration?
    /// How many hits are missing.
    let dropped: Int
    /// The servers that the hits were sent to, as the callers named them.
    let hosts: Set<String>

    /// What became of a beacon with these hits of its key, oldest first.
    func outcome(_ line: LedgerLine, _ arrivals: [Arrival]) -> BeaconOutcome {
        let counted = arrivals.filter(\.isCounted)
        let (verdict, cause) = self.verdict(line, arrivals, counted)
        return BeaconOutcome(
            key: line.key,
            event: line.event,
            url: line.url,
            isBilling: line.isBilling,
            verdict: verdict,
            cause: cause,
            hits: arrivals.map(\.n)
        )
    }

    /// What to say of hits, at least one, that no line of the ledger stands for.
    func unknown(_ key: String?, _ arrivals: [Arrival]) -> BeaconOutcome {
        let path = arrivals.first?.path ?? ""
        let why =
            key == nil
            ? "it has no Idempotency-Key"
            : "the ledger does not have its key: another one recorded it, or it was forgotten since"
        return BeaconOutcome(
            key: key,
            event: Sandbox.Bill.event(key: key, path: path),
            url: path,
            isBilling: false,
            verdict: .unknown,
            cause: "\(why); \(ArrivalText.story(arrivals))",
            hits: arrivals.map(\.n)
        )
    }

    private func verdict(_ line: LedgerLine, _ arrivals: [Arrival], _ counted: [Arrival]) -> (BeaconVerdict, String) {
        if counted.count > 1, line.isResent, line.state == .delivered {
            let story = ArrivalText.story(arrivals)
            return (.repeated, "sent again under one key, which its server is said to take once: \(story)")
        }
        if counted.count > 1 { return (.doubled, self.doubled(line, arrivals, counted.count)) }
        let fate = self.fate(line, arrivals)
        switch (line.state, counted.first) {
        case (.delivered, nil):
            if arrivals.isEmpty, let place = self.elsewhere(line) {
                return (.elsewhere, "delivered by the ledger's word; \(place)")
            }
            return (.lost, "delivered by the ledger's word, but \(fate)")
        case (.delivered, let first?):
            let story = self.attempts(line, arrivals) + ArrivalText.story(arrivals)
            guard let after = self.lateness(line, first) else { return (.matched, story) }
            let wait = "counted \(ArrivalText.seconds(after)) after it was recorded"
            return (.late, line.attempts < 2 ? "\(wait), and not tried before; \(story)" : "\(wait); \(story)")
        case (.unconfirmed(let reason), nil): return (.unconfirmed, "\(reason); \(fate)")
        case (.unconfirmed(let reason), _): return (.unconfirmed, "\(reason); it arrived: \(fate)")
        case (.dead(let reason), nil): return (.dead, "\(reason); \(fate)")
        case (.dead(let reason), _): return (.dead, "\(reason); and yet \(fate)")
        case (.pending(let reason), nil):
            return (.pending, line.attempts == 0 ? "\(reason); not tried yet" : "\(reason); \(fate)")
        case (.pending(let reason), _):
            let risk = line.isResent ? "; sent again, it is doubled where the server ignores Idempotency-Key" : ""
            return (.pending, "\(reason); \(fate)\(risk)")
        }
    }

    private func doubled(_ line: LedgerLine, _ arrivals: [Arrival], _ count: Int) -> String {
        let word =
            switch line.state {
            case .delivered: ""
            case .unconfirmed(let reason): "; unconfirmed by the ledger's word: \(reason)"
            case .dead(let reason): "; dead by the ledger's word: \(reason)"
            case .pending(let reason): "; pending by the ledger's word: \(reason)"
            }
        return "counted \(count) times: \(ArrivalText.story(arrivals)); doubled only where the server ignores "
            + "Idempotency-Key\(word)"
    }

    /// What the server saw of a beacon that was counted once or not at all.
    private func fate(_ line: LedgerLine, _ arrivals: [Arrival]) -> String {
        if arrivals.isEmpty {
            return self.elsewhere(line).map { "nobody knows here whether it arrived: \($0)" } ?? "it never arrived"
                + self.gap
        }
        return ArrivalText.story(arrivals) + (arrivals.contains(where: \.isCounted) ? "" : self.gap)
    }

    /// What is not found may have been given up.
    private var gap: String {
        switch self.dropped {
        case 0: ""
        case 1: ", unless it is the 1 hit that the server gave up"
        default: ", unless it is among the \(self.dropped) hits that the server gave up"
        }
    }

    /// Which other server it went to; nil where it went to one of those whose hits are known.
    private func elsewhere(_ line: LedgerLine) -> String? {
        guard !self.hosts.isEmpty, let url = HTTPURL(line.url) else { return nil }
        let named = url.writtenHost
        // This machine has several names.
        let names = url.isLoopback ? [named, "localhost", "127.0.0.1", "[::1]"] : [named]
        let isKnown = names.contains { self.hosts.contains("\($0):\(url.port)") || self.hosts.contains($0) }
        guard !isKnown else { return nil }
        let others = self.hosts.sorted().prefix(3).joined(separator: ", ")
        return "it went to \(named):\(url.port), and the hits are those of \(others)"
    }

    private func lateness(_ line: LedgerLine, _ first: Arrival) -> Duration? {
        guard let lateAfter else { return nil }
        let after = first.at - line.recorded
        return after > lateAfter ? after : nil
    }

    /// How many attempts left nothing that could be seen.
    private func attempts(_ line: LedgerLine, _ arrivals: [Arrival]) -> String {
        let unseen = line.attempts - arrivals.count
        guard unseen > 0 else { return "" }
        return "\(unseen) of \(line.attempts) attempts left no hit\(self.gap); "
    }
}
