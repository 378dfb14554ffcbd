import AdCore

/// The keys that the server has recorded last for this host, which it can't report while it is away.
///
/// Adding keys is cheap, because it is done all the time; looking one up is not, until the first lookup has made a set.
struct RecentKeys: Sendable {
    private let limit: Int
    private var batches: [[BeaconKey]] = []
    /// The index of the oldest batch; those before it wait to be removed together.
    private var start = 0
    private var count = 0
    private var lookup: Set<BeaconKey>?

    init(limit: Int) { self.limit = limit }

    mutating func add(_ keys: [BeaconKey]) {
        self.lookup = nil
        self.batches.append(keys)
        self.count += keys.count
        while self.count > self.limit, self.start < self.batches.count - 1 {
            self.count -= self.batches[self.start].count
            self.batches[self.start] = []
            self.start += 1
        }
        if self.start > 1_024, 2 * self.start > self.batches.count {
            self.batches.removeFirst(self.start)
            self.start = 0
        }
    }

    mutating func contains(_ key: BeaconKey) -> Bool {
        let keys = self.lookup ?? Set(self.batches[self.start...].joined())
        self.lookup = keys
        return keys.contains(key)
    }
}
