import AdCore

extension Store {
    /// Assigns beacons whose queue row is missing to a queue again; false if there may be more of them.
    ///
    /// The ledger never leaves such rows, but another tool may, and they would never be sent. One index lookup per gap
    /// between two queue IDs finds them. `queues` are successive IDs of existing queues; with `isLast` there is none
    /// after the last one.
    func adoptOrphans(between queues: [Int64], isLast: Bool, at now: WallTime) throws(StoreError) -> Bool {
        for (before, after) in zip(queues, queues.dropFirst() + (isLast ? [.max] : [])) {
            guard before < after - 1, let orphan = try self.orphanQueue(before, after) else { continue }
            try self.adopt(orphan, at: now)
            // One missing queue at a time; the next operation continues.
            return false
        }
        return true
    }

    private func orphanQueue(_ before: Int64, _ after: Int64) throws(StoreError) -> Int64? {
        let orphan = try self[.orphanQueue]
        orphan.bind(before, at: 1)
        orphan.bind(after, at: 2)
        return try orphan.number()
    }

    private func adopt(_ orphan: Int64, at now: WallTime) throws(StoreError) {
        let orphans = try self[.orphans]
        orphans.bind(orphan, at: 1)
        orphans.bind(Sweep.maxRows, at: 2)
        var rows: [(number: Int64, origin: String?)] = []
        while try orphans.step() {
            guard let number = orphans.int(0) else { continue }
            rows.append((number, orphans.text(1).flatMap { TrackingURL($0) }?.http.origin))
        }
        var adopters: Set<Int64> = []
        for row in rows {
            guard let origin = row.origin else {
                try self.markDead(row.number, "its address is damaged", at: now)
                continue
            }
            let queue = try self.queueID(for: origin)
            let adopt = try self[.adopt]
            adopt.bind(row.number, at: 1)
            adopt.bind(queue, at: 2)
            try adopt.run()
            adopters.insert(queue)
        }
        for queue in adopters { try self.refresh(queue) }
    }
}
