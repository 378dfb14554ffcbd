import AdCore
import SystemSupport

/// The exchanges that wait for a free connection, and those that have one.
final class ExchangeQueue: Sendable {
    private struct State {
        var scheduler: RequestScheduler
        var waiting: [UInt64: Exchange] = [:]
        var running: [UInt64: Exchange] = [:]
        var lastID: UInt64 = 0
        var isShutDown = false
    }

    private let state: Locked<State>

    /// Creates a queue with the limits of concurrent requests to one origin and to all.
    init(perHost: Int, total: Int) {
        self.state = Locked(State(scheduler: RequestScheduler(perHost: perHost, total: total)))
    }

    /// The number of a new exchange.
    func nextID() -> UInt64 {
        self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Adds an exchange, which gets its turn when a connection is free.
    func add(_ exchange: Exchange) {
        let isAdded = self.state.withLock { state in
            guard !state.isShutDown else { return false }
            state.waiting[exchange.id] = exchange
            state.scheduler.enqueue(exchange.id, for: exchange.request.url.origin)
            return true
        }
        guard isAdded else { return exchange.post(.shutDown) }
        self.startWaiting()
    }

    /// Removes an exchange that has finished; the next one gets its turn.
    func remove(_ exchange: Exchange) {
        self.state.withLock { state in
            let origin = exchange.request.url.origin
            if state.waiting.removeValue(forKey: exchange.id) != nil {
                state.scheduler.remove(exchange.id, from: origin)
            } else if state.running.removeValue(forKey: exchange.id) != nil {
                state.scheduler.finish(origin)
            }
        }
        self.startWaiting()
    }

    /// Whether no exchange waits or has a connection; for tests.
    var isEmpty: Bool {
        self.state.withLock { $0.scheduler.isEmpty && $0.waiting.isEmpty && $0.running.isEmpty }
    }

    /// Ends all exchanges; later ones end at once.
    func shutDown() {
        let all = self.state.withLock { state in
            state.isShutDown = true
            return Array(state.waiting.values) + Array(state.running.values)
        }
        for exchange in all { exchange.post(.shutDown) }
    }

    private func startWaiting() {
        while let exchange = self.popWaiting() { exchange.post(.turn) }
    }

    private func popWaiting() -> Exchange? {
        self.state.withLock { state in
            guard !state.isShutDown, let id = state.scheduler.next() else { return nil }
            guard let exchange = state.waiting.removeValue(forKey: id) else {
                preconditionFailure("The scheduler returned a request that is not waiting.")
            }
            state.running[id] = exchange
            return exchange
        }
    }
}
