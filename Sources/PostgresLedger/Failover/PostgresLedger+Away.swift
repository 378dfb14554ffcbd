package import AdCore
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
            self.answered(hasWritten: false)
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

    func answered(hasWritten: Bool = true) {
        let carries = self.state.withLock { state in
            state.failover.answered(hasWritten: hasWritten)
            return state.hasLocalBeacons && !state.isCarryingOver && state.failover.carries(at: .now)
        }
        if carries { self.startCarryOver() }
    }

    /// Carries over what this host has kept, in the background, once at a time.
    func startCarryOver() { Task { await self.carryOver() } }

    /// Carries over what this host has kept; waits if that is being done.
    package func carryOver(at now: WallTime) async {
        self.state.withLock { _ = $0.clock.present(now, at: .now) }
        await self.carryOver()
    }

    private func carryOver() async {
        if let end = self.state.withLock(\.carryOverEnd) { return await end.value }
        let end = OneShot<Void>()
        defer { end.set(()) }
        let kept = self.state.withLock { state -> Kept? in
            guard self.local != nil, state.hasLocalBeacons, !state.isCarryingOver, state.clock.isSet else {
                return nil
            }
            state.carryOverEnd = end
            // A beacon that is recorded or settled from now on needs another one.
            state.hasLocalBeacons = false
            defer { (state.unresolved, state.outcomes) = ([], [:]) }
            let now = state.clock.present(nil, at: .now).wallTime
            return Kept(now: now, beacons: state.unresolved, outcomes: Array(state.outcomes.values))
        }
        guard let kept, let local else { return }
        var (beacons, outcomes) = (kept.beacons, kept.outcomes)
        do throws(ServerFailure) {
            // Before anything else: the leases of these beacons may end.
            while let last = outcomes.last {
                let _: Void = try await self.server.perform { .settle(last.claimed, last.outcome, kept.now, $0) }
                outcomes.removeLast()
            }
            if !beacons.isEmpty {
                let _: RecordResult = try await self.server.perform { .record(beacons, kept.now, $0) }
                // Recorded once: after its row was pruned it would be new.
                beacons = []
            }
            try await self.carryFiles(local, at: kept.now)
            self.state.withLock { state in
                state.carryOverEnd = nil
                state.failover.carriedOver()
                if !state.localClaims.isEmpty { state.hasLocalBeacons = true }
            }
        } catch {
            self.state.withLock { state in
                state.carryOverEnd = nil
                state.hasLocalBeacons = true
                // A beacon may be in both files now.
                state.hasCheckedHeld = false
                state.unresolved += beacons
                for one in outcomes where state.outcomes[one.claimed.beacon.key] == nil {
                    state.outcomes[one.claimed.beacon.key] = one
                }
                self.noteFailure(error, &state)
            }
            self.failed(error)
        }
    }

    /// Carries over what is in the files; by one process of this host at a time.
    private func carryFiles(_ local: LocalLedgers, at now: WallTime) async throws(ServerFailure) {
        guard local.mayHaveBeacons else { return }
        let lock: FolderLock?
        do throws(LedgerError) {
            lock = try FolderLock(of: local)
        } catch {
            throw ServerFailure(error)
        }
        guard let lock else { throw PostgresLedger.isBeingCarried }
        defer { lock.end() }
        let carryOver = CarryOver(local: local, server: self.server, now: now) { [state] keys in
            state.withLock { $0.recentKeys.add(keys) }
        }
        try await carryOver.run()
    }

    private static let isBeingCarried = ServerFailure(
        LedgerError("another process is carrying over what this computer has recorded")
    )

    /// Notes why beacons stay on this host, if the server is not away; a new reason is an issue.
    private func noteFailure(_ failure: ServerFailure, _ state: inout State) {
        let reason = failure.error.message
        guard !failure.isAway, state.failover.failedToCarryOver(reason, at: .now),
            failure != PostgresLedger.isBeingCarried
        else { return }
        let text = "\(reason). Beacons that this computer has recorded stay in its files until then"
        state.issues.append(AdIssue("ledger.notCarriedOver", at: .whole, text))
    }

    /// What this host has kept in memory.
    private struct Kept {
        let now: WallTime
        let beacons: [Beacon]
        let outcomes: [UnsettledOutcome]
    }
}
