/// What was remembered last, bounded in number: the oldest is forgotten first.
///
/// What is remembered again is new again.
package struct BoundedMap<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let most: Int
    private var values: [Key: (value: Value, turn: Int)] = [:]
    /// Every key in the order of its turns; a turn that is no longer its key's own is past.
    private var order: [(key: Key, turn: Int)] = []
    /// Where the oldest turn stands in `order`; what lies before it is forgotten and waits to be removed.
    private var start = 0
    private var turn = 0

    package init(most: Int) { self.most = most }

    /// How many are remembered.
    package var count: Int { self.values.count }

    /// What is remembered of a key.
    package subscript(key: Key) -> Value? { self.values[key]?.value }

    /// Remembers a value, and forgets the oldest where there are too many.
    package mutating func remember(_ value: Value, for key: Key) {
        self.turn += 1
        self.values[key] = (value, self.turn)
        self.order.append((key, self.turn))
        while self.values.count > self.most, self.start < self.order.count {
            let oldest = self.order[self.start]
            self.start += 1
            if self.values[oldest.key]?.turn == oldest.turn { self.values[oldest.key] = nil }
        }
        // At most as many are left as may be remembered: a constant share for each turn.
        if self.order.count > 2 * self.most {
            self.order = self.order[self.start...].filter { self.values[$0.key]?.turn == $0.turn }
            self.start = 0
        }
    }

    /// Forgets everything.
    package mutating func forget() { self = BoundedMap(most: self.most) }
}

extension BoundedMap where Value == Void {
    /// Whether a key is remembered.
    package func contains(_ key: Key) -> Bool { self[key] != nil }

    /// Remembers a key.
    package mutating func remember(_ key: Key) { self.remember((), for: key) }
}
