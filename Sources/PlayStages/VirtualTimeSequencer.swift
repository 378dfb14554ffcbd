import AdCore
package import AdRuntime
import SystemSupport

/// Lets one through at a time, and only when everything else is at rest.
///
/// In virtual time a whole life passes in a moment, and the threads of the machine would decide anew in every run what
/// comes before what. Here records come first, then a user who leaves, then calls; each in the order of its making.
package final class VirtualTimeSequencer: Sendable {
    private struct Waiting {
        let order: (rank: Int, number: Int)
        let rest: ClockWait
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWatching = false
        var numbers: [String: Int] = [:]
        var last = 0
    }

    private let clock: any AdClock
    private let state = Locked(State())

    package init(_ clock: any AdClock) { self.clock = clock }

    /// Waits for the turn of something that is written down; what is called later has its keys.
    package func record(_ keys: [String]) async {
        let number = self.state.withLock { state in
            state.last += 1
            for key in keys where state.numbers[key] == nil { state.numbers[key] = state.numbers.count }
            return state.last
        }
        await self.wait((0, number))
    }

    /// Waits for the turn of a user who has nothing more to do.
    func leave() async { await self.wait((1, 0)) }

    /// Waits for the turn of a call.
    package func call(_ key: String) async {
        let number = self.state.withLock { state in state.numbers[key] ?? .max }
        await self.wait((2, number))
    }

    private func wait(_ order: (rank: Int, number: Int)) async {
        let rest = ClockWait(self.clock)
        let isFirst = self.state.withLock { state in
            state.waiting.append(Waiting(order: order, rest: rest))
            defer { state.isWatching = true }
            return !state.isWatching
        }
        if isFirst { self.watch(rounds: 2) }
        await rest.wait()
    }

    /// Time stands at its moment until all is at rest, and what that leads to as well.
    private func watch(rounds: Int) {
        _ = self.clock.schedule(at: self.clock.now) { [weak self] in
            guard let self else { return }
            if rounds > 1 { self.watch(rounds: rounds - 1) } else { self.letOneThrough() }
        }
    }

    private func letOneThrough() {
        let (next, isLast) = self.state.withLock { state -> (ClockWait?, Bool) in
            let index = state.waiting.indices.min { state.waiting[$0].order < state.waiting[$1].order }
            let rest = index.map { state.waiting.remove(at: $0).rest }
            state.isWatching = !state.waiting.isEmpty
            return (rest, state.waiting.isEmpty)
        }
        // From here on this one holds time again; the next is let through when it is done.
        next?.end()
        if !isLast { self.watch(rounds: 2) }
    }
}
