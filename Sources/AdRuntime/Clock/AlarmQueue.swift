package import AdCore

/// Alarms in the order in which they are due: a binary heap whose cancelled entries are thrown out when they are many.
package struct AlarmQueue {
    private struct Entry {
        let due: Moment
        let id: AlarmID

        func isBefore(_ other: Entry) -> Bool {
            self.due == other.due ? self.id.number < other.id.number : self.due < other.due
        }
    }

    private var heap: [Entry] = []
    private var closures: [AlarmID: @Sendable () -> Void] = [:]
    private var last: UInt64 = 0

    /// No alarms.
    package init() {}

    /// How many alarms are set.
    package var count: Int { self.closures.count }

    /// Sets an alarm.
    package mutating func add(at due: Moment, _ fire: @escaping @Sendable () -> Void) -> AlarmID {
        self.last += 1
        let id = AlarmID(self.last)
        self.closures[id] = fire
        self.heap.append(Entry(due: due, id: id))
        self.siftUp(self.heap.count - 1)
        return id
    }

    /// Takes an alarm back, and returns what it would have called.
    ///
    /// Let go of that outside any lock: it may hold the last reference to something that cancels alarms when it ends.
    package mutating func cancel(_ id: AlarmID) -> (@Sendable () -> Void)? {
        guard let closure = self.closures.removeValue(forKey: id) else { return nil }
        if self.heap.count > 64, self.heap.count > 2 * self.closures.count { self.rebuild() }
        return closure
    }

    /// When the next alarm is due.
    package mutating func nextDue() -> Moment? {
        while let first = self.heap.first, self.closures[first.id] == nil { self.removeFirst() }
        return self.heap.first?.due
    }

    /// Takes the next alarm out if it is due.
    package mutating func popDue(at now: Moment) -> (due: Moment, fire: @Sendable () -> Void)? {
        guard let due = self.nextDue(), due <= now, let first = self.heap.first,
            let fire = self.closures.removeValue(forKey: first.id)
        else { return nil }
        self.removeFirst()
        return (due, fire)
    }

    private mutating func rebuild() {
        // A sorted array is a heap.
        self.heap = self.heap.filter { self.closures[$0.id] != nil }.sorted { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        let last = self.heap.removeLast()
        guard !self.heap.isEmpty else { return }
        self.heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < self.heap.count {
                if self.heap[child].isBefore(self.heap[least]) { least = child }
            }
            guard least != parent else { return }
            self.heap.swapAt(least, parent)
            parent = least
        }
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard self.heap[child].isBefore(self.heap[parent]) else { return }
            self.heap.swapAt(child, parent)
            child = parent
        }
    }
}
