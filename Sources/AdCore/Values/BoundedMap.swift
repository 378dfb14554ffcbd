/// A dictionary of bounded size: the entry that was set the longest ago is removed first.
///
/// Setting an entry again makes it the newest.
package struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private var values: [Key: (value: Value, turn: Int)] = [:]
    /// The keys in the order in which they were set; an entry with an older turn than its key's is obsolete.
    private var order: [(key: Key, turn: Int)] = []
    /// The index of the oldest entry in `order`; those before it wait to be removed together.
    private var start = 0
    private var turn = 0

    package init(limit: Int) { self.limit = limit }

    /// The number of entries.
    package var count: Int { self.values.count }

    /// The value of a key; nil if there is none or it was removed.
    package subscript(key: Key) -> Value? { self.values[key]?.value }

    /// Sets the value of a key, and removes the oldest entry if there are too many.
    package mutating func insert(_ value: Value, for key: Key) {
        self.turn += 1
        self.values[key] = (value, self.turn)
        self.order.append((key, self.turn))
        while self.values.count > self.limit, self.start < self.order.count {
            let oldest = self.order[self.start]
            self.start += 1
            if self.values[oldest.key]?.turn == oldest.turn { self.values[oldest.key] = nil }
        }
        // At most `limit` entries are left, so the cost of a call is constant on average.
        if self.order.count > 2 * self.limit {
            self.order = self.order[self.start...].filter { self.values[$0.key]?.turn == $0.turn }
            self.start = 0
        }
    }

    /// Removes all entries.
    package mutating func removeAll() { self = BoundedMap(limit: self.limit) }
}

extension BoundedMap where Value == Void {
    /// Whether there is an entry with this key.
    package func contains(_ key: Key) -> Bool { self[key] != nil }

    /// Adds a key.
    package mutating func insert(_ key: Key) { self.insert((), for: key) }
}
