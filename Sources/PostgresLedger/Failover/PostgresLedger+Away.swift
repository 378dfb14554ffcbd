import AdCore
import SystemSupport

// The server is away, and is back.
extension PostgresLedger {
    func route(_ now: WallTime) -> Failover.Route {
        let route = self.state.withLock { state -> Failover.Route in
            let instant = ContinuousClock.now
            _ = state.clock.present(now, at: instant)
            guard self.local != nil else { return .server }
            return state.failover.route(at: instant)
        }
        if route == .local(tries: true) { Task { await self.tryServer() } }
        return route
    }

    private func tryServer() async {
        do throws(ServerFailure) {
            let issues: [AdIssue] = try await self.server.perform { .open($0) }
            self.state.withLock { $0.issues += issues }
            self.answered()
        } catch {
            self.failed(error)
        }
    }

    func failed(_ failure: ServerFailure) {
        guard self.local != nil, failure.isAway else { return }
        self.state.withLock { state in
            guard state.failover.failed(at: .now) else { return }
            let text = "\(failure.error.message). Beacons are recorded in files of this host until then"
            state.issues.append(AdIssue("ledger.away", at: .whole, text))
        }
    }

    func answered() {
        let carries = self.state.withLock { state in
            _ = state.failover.answered()
            return state.hasLocalBeacons && !state.isCarryingOver
        }
        if carries { self.startCarryOver() }
    }

    /// Carries the beacons of this host's files over; one at a time.
    func startCarryOver() {
        let starts = self.state.withLock { state -> (now: WallTime, beacons: [Beacon])? in
            guard self.local != nil, state.hasLocalBeacons, !state.isCarryingOver, state.clock.isSet else {
                return nil
            }
            state.isCarryingOver = true
            // A beacon that is recorded or settled from now on needs another one.
            state.hasLocalBeacons = false
            defer { state.unresolved = [] }
            return (state.clock.present(nil, at: .now).wallTime, state.unresolved)
        }
        guard let starts, let local else { return }
        Task { await self.carryOver(local, starts.beacons, at: starts.now) }
    }

    private func carryOver(_ local: LocalLedgers, _ unresolved: [Beacon], at now: WallTime) async {
        do throws(ServerFailure) {
            if !unresolved.isEmpty {
                let _: RecordResult = try await self.server.perform { .record(unresolved, now, $0) }
            }
            try await CarryOver(local: local, server: self.server, now: now).run()
            self.state.withLock { state in
                state.isCarryingOver = false
                if !state.localClaims.isEmpty { state.hasLocalBeacons = true }
            }
        } catch {
            self.state.withLock { state in
                state.isCarryingOver = false
                state.hasLocalBeacons = true
                state.unresolved += unresolved
            }
            self.failed(error)
        }
    }
}
