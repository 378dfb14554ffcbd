import AdCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What tasks put in and the ledger's thread takes out.
// The mutex is what makes the unchecked promise true: the state is touched with it held only.
final class Mailbox: @unchecked Sendable {
    /// What became of an order that was put in.
    enum Reception { case accepted, firstEver, closed }

    private struct State {
        var orders: [Order] = []
        var isStarted = false
        var isClosed = false
        var hasEnded = false
        /// Who waits for the end.
        var mourners: [CheckedContinuation<Void, Never>] = []

        mutating func takeGroup(upTo weight: Int) -> [Order] {
            var count = 0
            var sum = 0
            for order in self.orders {
                sum += order.weight
                guard count == 0 || sum <= weight else { break }
                count += 1
            }
            let group = Array(self.orders[..<count])
            self.orders.removeFirst(count)
            return group
        }
    }

    private var state = State()
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        self.mutex.initialize(to: pthread_mutex_t())
        self.bell.initialize(to: pthread_cond_t())
        guard pthread_mutex_init(self.mutex, nil) == 0, pthread_cond_init(self.bell, nil) == 0 else {
            preconditionFailure("A mutex can't be made.")
        }
    }

    deinit {
        pthread_cond_destroy(self.bell)
        pthread_mutex_destroy(self.mutex)
        self.bell.deallocate()
        self.mutex.deallocate()
    }

    private func withLock<R>(_ body: (inout State) -> R) -> R {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return body(&self.state)
    }

    /// Puts an order in; whoever puts in the first one ever has to start the thread.
    func post(_ order: Order) -> Reception {
        let (reception, isFirst) = self.withLock { state -> (Reception, Bool) in
            guard !state.isClosed else { return (.closed, false) }
            state.orders.append(order)
            guard state.isStarted else {
                state.isStarted = true
                return (.firstEver, false)
            }
            return (.accepted, state.orders.count == 1)
        }
        // Whoever put in the first of these wakes the thread; it takes all there is. It must not find the mailbox locked
        // by the very one that has just woken it.
        if isFirst { pthread_cond_signal(self.bell) }
        return reception
    }

    /// Takes what waits, as much as fits into one group and at least one order.
    ///
    /// - Parameters:
    ///   - weight: What fits into a group.
    ///   - isPatient: Whether to sleep until there is something.
    /// - Returns: Nothing where there is nothing at the moment; nil where there never will be any more.
    func take(upTo weight: Int, isPatient: Bool) -> [Order]? {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        // Not inside `withLock`: who sleeps here must not hold on to the state, which others change meanwhile.
        while self.state.orders.isEmpty {
            if self.state.isClosed { return nil }
            guard isPatient else { return [] }
            pthread_cond_wait(self.bell, self.mutex)
        }
        return self.state.takeGroup(upTo: weight)
    }

    /// Lets nothing more in; what is in is still done.
    func close() {
        self.withLock { state in
            state.isClosed = true
            pthread_cond_signal(self.bell)
        }
    }

    /// Closes, and returns when everything is done and the file is closed.
    func closeAndWait() async {
        await withCheckedContinuation { continuation in
            let isOver = self.withLock { state in
                state.isClosed = true
                pthread_cond_signal(self.bell)
                if state.hasEnded || !state.isStarted { return true }
                state.mourners.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// The thread has ended; what was put in meanwhile is given back.
    func end() -> [Order] {
        let (orders, mourners) = self.withLock { state in
            state.isClosed = true
            state.hasEnded = true
            defer {
                state.orders = []
                state.mourners = []
            }
            return (state.orders, state.mourners)
        }
        for mourner in mourners { mourner.resume() }
        return orders
    }
}
