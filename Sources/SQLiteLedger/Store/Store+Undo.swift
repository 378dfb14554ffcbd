import AdCore

/// What a transaction wrote whose commit failed with a disk error: it may be in the file all the same.
struct UnsureCommit {
    /// One of its claims.
    struct Claim {
        let key: BeaconKey
        let attempt: Int
        let request: ClaimRequest
    }

    /// The keys of the beacons that it recorded.
    var recorded: [BeaconKey] = []
    /// What it claimed.
    var claims: [Claim] = []
}

extension UnsureCommit {
    /// What the operations of a transaction wrote, by their replies.
    init(_ operations: [Operation], _ replies: [PendingReply]) {
        for (operation, reply) in zip(operations, replies) {
            if case .recorded(let keys, _, _) = reply { self.recorded += keys }
            guard let request = operation.claim, let claim = reply.claim else { continue }
            self.claims += claim.beacons.map { Claim(key: $0.beacon.key, attempt: $0.attempt, request: request) }
        }
    }
}

extension Store {
    /// Takes back what an unsure commit wrote, if it is in the file; to be called in a transaction.
    ///
    /// No caller got its claims, and the beacons that it recorded are sent by other means. Only a beacon that it recorded
    /// proves that it is in the file: without one, another process may have made the same claim at the same
    /// millisecond, and would send a beacon that is put back here. Such claims end with their leases.
    func undo(_ commit: UnsureCommit) throws(StoreError) {
        guard try !self.known(commit.recorded).isEmpty else { return }
        for claim in commit.claims { try self.undo(claim) }
        try self.removeUnclaimed(commit.recorded)
    }

    /// Makes a beacon pending again, unless its claim has ended since.
    private func undo(_ claim: UnsureCommit.Claim) throws(StoreError) {
        self.cachedQueues.removeAll(keepingCapacity: true)
        let find = try self[.findBeacon]
        find.bind(claim.key.text, at: 1)
        guard try find.step() else { return }
        let (number, state, attempts, queue) = (find.int(0), find.int(1), find.int(2), find.int(3))
        let moment = find.int(5)
        find.reset()
        // A later claim has another attempt number.
        guard let number, let queue, state == StateCode.inFlight.rawValue, attempts == Int64(claim.attempt),
            moment == claim.request.leaseEnd.milliseconds
        else { return }
        let unclaim = try self[.unclaim]
        unclaim.bind(number, at: 1)
        unclaim.bind(claim.request.now.milliseconds, at: 2)
        unclaim.bind(claim.attempt - 1, at: 3)
        try unclaim.run()
        try self.refresh(queue)
    }
}
