import AdCore

/// An origin as a dictionary key, cheaper than its text.
struct OriginKey: Hashable {
    let host: String
    let port: Int
    let isSecure: Bool

    init(_ url: HTTPURL) {
        self.host = url.host
        self.port = url.port
        self.isSecure = url.isSecure
    }
}

/// The cached row of a queue.
struct CachedQueue {
    let id: Int64
    var due: Int64?
}

extension Store {
    /// The maximum number of cached queues.
    private static let maxCachedQueues = 1_024

    /// Inserts beacons and returns the keys that were new; to be called in a transaction.
    ///
    /// - Parameters:
    ///   - beacons: The beacons.
    ///   - now: The current time.
    ///   - leaseEnd: Until when they are claimed from the start; nil if they are pending.
    /// - Returns: The keys that were new.
    /// - Throws: Why nothing can be inserted.
    func record(
        _ beacons: [Beacon],
        at now: WallTime,
        claimedUntil leaseEnd: WallTime? = nil
    ) throws(StoreError) -> [BeaconKey] {
        try self.sweep(at: now)
        var new: [BeaconKey] = []
        new.reserveCapacity(beacons.count)
        for beacon in beacons where try self.record(beacon, at: now, claimedUntil: leaseEnd) { new.append(beacon.key) }
        self.counts.rows += new.count
        return new
    }

    private func record(
        _ beacon: Beacon,
        at now: WallTime,
        claimedUntil leaseEnd: WallTime?
    ) throws(StoreError) -> Bool {
        guard let url = beacon.call.address.url?.http else { return try self.recordDead(beacon, at: now) }
        let origin = OriginKey(url)
        let isPending = leaseEnd == nil
        let (queue, isNewQueue) = try self.queue(of: origin, url, due: isPending ? now : nil)
        let number = try self.nextNumber()
        let insert = try self[isPending ? .insertBeacon : .insertClaimed]
        if let leaseEnd { insert.bind(leaseEnd.milliseconds, at: 16) }
        let isNew = try self.insert(beacon, by: insert, number: number, queue: queue.id, at: now)
        if isNew {
            self.lastNumber = number
            if isPending, (queue.due ?? .max) > now.milliseconds {
                let lower = try self[.lowerQueueDue]
                lower.bind(queue.id, at: 1)
                lower.bind(now.milliseconds, at: 2)
                try lower.run()
                self.cachedQueues[origin]?.due = now.milliseconds
            }
        } else if isNewQueue {
            // The key exists with another origin; the new queue stays empty.
            let delete = try self[.deleteQueue]
            delete.bind(queue.id, at: 1)
            try delete.run()
            self.cachedQueues[origin] = nil
        }
        return isNew
    }

    /// Inserts a beacon with an invalid address: it is dead from the start and in no queue.
    private func recordDead(_ beacon: Beacon, at now: WallTime) throws(StoreError) -> Bool {
        let number = try self.nextNumber()
        let insert = try self[.insertDead]
        insert.bind(beacon.call.address.uncallableReason ?? "", at: 16)
        guard try self.insert(beacon, by: insert, number: number, queue: 0, at: now) else { return false }
        self.lastNumber = number
        self.counts.settled += 1
        return true
    }

    /// Deletes beacons whose commit failed, unless they were claimed since; to be called in a transaction.
    func removeUnclaimed(_ keys: [BeaconKey]) throws(StoreError) {
        try self.remove(keys, if: .unsent)
    }

    /// Those of the keys that the ledger has.
    func known(_ keys: [BeaconKey]) throws(StoreError) -> Set<BeaconKey> {
        var known: Set<BeaconKey> = []
        for key in keys {
            let find = try self[.findBeacon]
            find.bind(key.text, at: 1)
            if try find.step() { known.insert(key) }
            find.reset()
        }
        return known
    }

    /// Which beacons are deleted because another ledger has them.
    enum Removal {
        case all
        /// Those that were never claimed.
        case unsent
        /// Those that are still postponed until this time, and were not claimed since.
        case postponed(until: WallTime)

        fileprivate func includes(_ state: StateCode?, attempts: Int64?, moment: Int64?) -> Bool {
            switch self {
            case .all: true
            case .unsent: state == .pending && attempts == 0
            case .postponed(let until): state == .pending && moment == until.milliseconds
            }
        }
    }

    /// Deletes beacons; to be called in a transaction.
    func remove(_ keys: [BeaconKey], if removal: Removal) throws(StoreError) {
        for key in keys {
            let find = try self[.findBeacon]
            find.bind(key.text, at: 1)
            guard try find.step() else { continue }
            let (number, state, attempts, queue) = (find.int(0), find.int(1), find.int(2), find.int(3))
            let moment = find.int(5)
            find.reset()
            let code = state.flatMap { StateCode(rawValue: $0) }
            guard let number, removal.includes(code, attempts: attempts, moment: moment) else { continue }
            let delete = try self[.delete]
            delete.bind(number, at: 1)
            try delete.run()
            self.counts.rows -= 1
            if code != .pending, code != .inFlight { self.counts.settled -= 1 }
            if let queue { try self.refresh(queue) }
        }
        self.cachedQueues.removeAll(keepingCapacity: true)
    }

    private func insert(
        _ beacon: Beacon,
        by insert: Statement,
        number: Int64,
        queue: Int64,
        at now: WallTime
    ) throws(StoreError) -> Bool {
        let call = beacon.call
        insert.bind(number, at: 1)
        insert.bind(call.isBilling ? 1 : 0, at: 2)
        insert.bind(now.milliseconds, at: 3)
        insert.bind(queue, at: 4)
        insert.bind(call.method.code, at: 9)
        insert.bind(call.successRule.code, at: 10)
        insert.bind(call.guarantee.code, at: 11)

        let texts = (
            beacon.key.text, beacon.key.ad.rawValue, beacon.key.event.rawValue, beacon.provider.rawValue,
            call.address.text
        )
        let size =
            texts.0.utf8.count + texts.1.utf8.count + texts.2.utf8.count + texts.3.utf8.count + texts.4.utf8.count
        self.bindBuffer.clear()
        self.bindBuffer.reserve(size)
        insert.bind(text: self.bindBuffer.add(texts.0), at: 5)
        insert.bind(text: self.bindBuffer.add(texts.1), at: 6)
        insert.bind(text: self.bindBuffer.add(texts.2), at: 7)
        insert.bind(text: self.bindBuffer.add(texts.3), at: 8)
        insert.bind(text: self.bindBuffer.add(texts.4), at: 12)

        self.encoded.encode(call.headers)
        let secrets = call.secrets.isEmpty ? [] : FieldBytes.encode(call.secrets)
        let body = call.body ?? []
        self.writtenSinceCount += size + self.encoded.bytes.count + secrets.count + body.count
        let outcome = self.encoded.bytes.withUnsafeBytes { headers in
            secrets.withUnsafeBytes { secrets in
                body.withUnsafeBytes { body -> Result<Void, StoreError> in
                    if headers.isEmpty { insert.bindNull(at: 13) } else { insert.bind(blob: headers, at: 13) }
                    if secrets.isEmpty { insert.bindNull(at: 14) } else { insert.bind(blob: secrets, at: 14) }
                    if call.body == nil { insert.bindNull(at: 15) } else { insert.bind(blob: body, at: 15) }
                    return Result { () throws(StoreError) in try insert.run() }
                }
            }
        }
        try outcome.get()
        return self.connection.changes > 0
    }

    private func nextNumber() throws(StoreError) -> Int64 {
        let last: Int64
        if let lastNumber { last = lastNumber } else { last = try self.numberInUse() }
        guard last < .max else {
            throw .described(LedgerError("the ledger has no beacon number left; use a new file"))
        }
        self.lastNumber = last
        return last + 1
    }

    /// The queue of an origin, which is created with a due time if missing.
    private func queue(of origin: OriginKey, _ url: HTTPURL, due: WallTime?) throws(StoreError) -> (
        CachedQueue, isNew: Bool
    ) {
        if let cached = self.cachedQueues[origin] { return (cached, false) }
        if self.cachedQueues.count >= Store.maxCachedQueues { self.cachedQueues.removeAll(keepingCapacity: true) }
        let text = url.origin
        if let found = try self.findQueue(text) {
            let cached = CachedQueue(id: found.id, due: found.due)
            self.cachedQueues[origin] = cached
            return (cached, false)
        }
        let insert = try self[.insertQueue]
        insert.bind(text, at: 1)
        if let due { insert.bind(due.milliseconds, at: 2) } else { insert.bindNull(at: 2) }
        try insert.run()
        let cached = CachedQueue(id: self.connection.lastRow, due: due?.milliseconds)
        self.cachedQueues[origin] = cached
        return (cached, true)
    }

    /// The queue of an origin; nil if there is none.
    func findQueue(_ origin: String) throws(StoreError) -> (id: Int64, due: Int64?, turn: Int64?)? {
        let find = try self[.findQueue]
        find.bind(origin, at: 1)
        guard try find.step() else { return nil }
        defer { find.reset() }
        guard let id = find.int(0) else { return nil }
        return (id, find.int(1), find.int(2))
    }
}
