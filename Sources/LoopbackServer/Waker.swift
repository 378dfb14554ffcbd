import SystemSupport

/// Wakes the connections that wait for something: a new event, a new picture.
///
/// A waiting connection first notes the generation, then looks for what it waits for, and waits only if nothing has
/// woken it in between, so that no wake is lost.
package final class Waker: Sendable {
    /// Counts the wakes.
    typealias Generation = UInt64

    private struct State {
        var generation: Generation = 0
        var waits: [UInt64: @Sendable () -> Void] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The number of wakes so far.
    var generation: Generation { self.state.withLock(\.generation) }

    /// Wakes everything that waits.
    package func wake() {
        let waits = self.state.withLock { state in
            state.generation &+= 1
            defer { state.waits = [:] }
            return state.waits.values
        }
        for each in waits { each() }
    }

    /// Calls a closure once at the next wake; nil if there was one since `generation`.
    func add(since generation: Generation, _ onWake: @escaping @Sendable () -> Void) -> UInt64? {
        self.state.withLock { state in
            guard state.generation == generation else { return nil }
            state.last += 1
            state.waits[state.last] = onWake
            return state.last
        }
    }

    /// Removes a closure.
    func remove(_ number: UInt64) { _ = self.state.withLock { $0.waits.removeValue(forKey: number) } }
}
