package import AdCore
import AdRuntime
import SystemSupport

/// Orders I/O in virtual time: lets one operation proceed at a time, when everything else is idle.
///
/// In virtual time many events share one moment, and their order would depend on threads. The order here is: records of
/// beacons, then the close by a user, then requests of beacons as they were recorded, then bid requests.
package final class VirtualTimeSequencer: Sendable {
    private struct Waiting {
        let order: (rank: Int, number: Int, name: String)
        let keys: [String]
        let rest: ClockWait
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWatching = false
        /// The order in which beacons were recorded, by key.
        var numbers: [String: Int] = [:]
        /// How many records each sequence has had.
        var records: [String: Int] = [:]
    }

    private let clock: any AdClock
    private let state = Locked(State())

    package init(_ clock: any AdClock) { self.clock = clock }

    /// Waits for the turn of a record.
    ///
    /// The requests of its beacons are ordered by these keys. The records of one sequence keep their order; those of
    /// several, which are created at the same time, take turns in the order of the sequences' names.
    package func record(_ keys: [String], of sequence: String) async {
        let number = self.state.withLock { state in
            state.records[sequence, default: 0] += 1
            return state.records[sequence] ?? 0
        }
        await self.wait((0, number, sequence), keys)
    }

    /// Waits for the turn of a user who closes the ad.
    func close() async { await self.wait((1, 0, "")) }

    /// Waits for the turn of a beacon's request.
    package func request(_ key: String) async {
        let number = self.state.withLock { state in state.numbers[key] ?? .max }
        await self.wait((2, number, ""))
    }

    /// Waits for the turn of a bid request: the bidders of an auction are asked at the same time.
    package func bid(at url: String) async { await self.wait((3, 0, url)) }

    private func wait(_ order: (rank: Int, number: Int, name: String), _ keys: [String] = []) async {
        let rest = ClockWait(self.clock)
        let isFirst = self.state.withLock { state in
            state.waiting.append(Waiting(order: order, keys: keys, rest: rest))
            defer { state.isWatching = true }
            return !state.isWatching
        }
        if isFirst { self.watch(rounds: 2) }
        await rest.wait()
    }

    /// Waits twice, at the same moment, until everything is idle: the first round may cause further work.
    private func watch(rounds: Int) {
        _ = self.clock.schedule(at: self.clock.now) { [weak self] in
            guard let self else { return }
            if rounds > 1 { self.watch(rounds: rounds - 1) } else { self.releaseNext() }
        }
    }

    private func releaseNext() {
        let (next, isLast) = self.state.withLock { state -> (ClockWait?, Bool) in
            let index = state.waiting.indices.min { state.waiting[$0].order < state.waiting[$1].order }
            let next = index.map { state.waiting.remove(at: $0) }
            for key in next?.keys ?? [] where state.numbers[key] == nil { state.numbers[key] = state.numbers.count }
            state.isWatching = !state.waiting.isEmpty
            return (next?.rest, state.waiting.isEmpty)
        }
        // The released operation holds virtual time. The next one is released when it is done.
        next?.end()
        if !isLast { self.watch(rounds: 2) }
    }
}
