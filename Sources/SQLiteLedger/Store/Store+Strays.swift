import AdCore

extension Store {
    /// Gives beacons whose queue is not there a queue again; false where there may be more of them.
    ///
    /// Nothing of ours leaves one so, but somebody's tool may, and it would wait for ever. One look into the index for each
    /// gap between two queues finds them. The queues lie next to each other in number; there is
    /// none behind the last where `isLast`.
    func adoptStrays(between queues: [Int64], isLast: Bool, at now: WallTime) throws(Fault) -> Bool {
        for (before, after) in zip(queues, queues.dropFirst() + (isLast ? [.max] : [])) {
            guard before < after - 1, let stray = try self.strayQueue(before, after) else { continue }
            try self.adopt(stray, at: now)
            // One queue at a time: the next operation goes on.
            return false
        }
        return true
    }

    private func strayQueue(_ before: Int64, _ after: Int64) throws(Fault) -> Int64? {
        let stray = try self[.strayQueue]
        stray.bind(before, at: 1)
        stray.bind(after, at: 2)
        return try stray.number()
    }

    private func adopt(_ stray: Int64, at now: WallTime) throws(Fault) {
        let strays = try self[.strays]
        strays.bind(stray, at: 1)
        strays.bind(Sweep.most, at: 2)
        var rows: [(number: Int64, origin: String?)] = []
        while try strays.step() {
            guard let number = strays.int(0) else { continue }
            rows.append((number, strays.text(1).flatMap { TrackingURL($0) }?.http.origin))
        }
        var adopters: Set<Int64> = []
        for row in rows {
            guard let origin = row.origin else {
                try self.kill(row.number, "its address is damaged", at: now)
                continue
            }
            let queue = try self.carriedQueue(origin)
            let adopt = try self[.adopt]
            adopt.bind(row.number, at: 1)
            adopt.bind(queue, at: 2)
            try adopt.run()
            adopters.insert(queue)
        }
        for queue in adopters { try self.refresh(queue) }
    }
}
