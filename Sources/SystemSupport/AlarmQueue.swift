/// Closures in the order in which they are due: a binary heap that is rebuilt when most of its entries were cancelled.
package struct AlarmQueue<Due: Comparable> {
    /// Identifies an alarm of this queue.
    package typealias Number = UInt64
    /// The closure that an alarm calls.
    package typealias Closure = @Sendable () -> Void

    private struct Entry {
        let due: Due
        let number: Number

        func isBefore(_ other: Entry) -> Bool {
            self.due == other.due ? self.number < other.number : self.due < other.due
        }
    }

    /// A closure in a dictionary; without a type of its own, each would need an adapter on the heap.
    private struct Stored {
        let fire: Closure
    }

    private var heap: [Entry] = []
    private var closures: [Number: Stored] = [:]
    private var lastNumber: Number = 0

    /// An empty queue.
    package init() {}

    /// How many alarms are set.
    package var count: Int { self.closures.count }

    /// Sets an alarm.
    package mutating func add(at due: Due, _ fire: @escaping Closure) -> Number {
        self.lastNumber += 1
        self.closures[self.lastNumber] = Stored(fire: fire)
        self.heap.append(Entry(due: due, number: self.lastNumber))
        self.siftUp(self.heap.count - 1)
        return self.lastNumber
    }

    /// Cancels an alarm and returns its closure.
    ///
    /// Release the closure outside any lock: it may hold the last reference to an object whose deinitializer cancels
    /// alarms.
    package mutating func cancel(_ number: Number) -> Closure? {
        guard let stored = self.closures.removeValue(forKey: number) else { return nil }
        if self.heap.count > 64, self.heap.count > 2 * self.closures.count { self.rebuild() }
        return stored.fire
    }

    /// When the next alarm is due.
    package mutating func nextDue() -> Due? {
        while let first = self.heap.first, self.closures[first.number] == nil { self.removeFirst() }
        return self.heap.first?.due
    }

    /// Removes the next alarm if it is due.
    package mutating func popDue(at now: Due) -> (due: Due, fire: Closure)? {
        guard let due = self.nextDue(), due <= now, let first = self.heap.first,
            let stored = self.closures.removeValue(forKey: first.number)
        else { return nil }
        self.removeFirst()
        return (due, stored.fire)
    }

    /// Removes every alarm, and returns their closures in the order in which they were due.
    package mutating func removeAll() -> [Closure] {
        var all: [Closure] = []
        while let due = self.nextDue(), let alarm = self.popDue(at: due) { all.append(alarm.fire) }
        return all
    }

    private mutating func rebuild() {
        // A sorted array is a heap.
        self.heap = self.heap.filter { self.closures[$0.number] != nil }.sorted { $0.isBefore($1) }
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
