#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value behind the platform's mutex.
///
/// The standard library's `Mutex` asks for newer Apple systems than we do, and ThreadSanitizer can't see through it.
/// Nothing slow and nothing foreign is done inside `withLock`.
// The mutex is what makes the unchecked promise true: `state` is touched inside `withLock` only.
package final class Locked<State>: @unchecked Sendable {
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Puts a value behind a lock.
    package init(_ state: State) {
        self.state = state
        // A mutex must not move in memory, so it lives beside the object and not in it.
        self.mutex = .allocate(capacity: 1)
        self.mutex.initialize(to: pthread_mutex_t())
        guard pthread_mutex_init(self.mutex, nil) == 0 else { preconditionFailure("A mutex can't be made.") }
    }

    deinit {
        pthread_mutex_destroy(self.mutex)
        self.mutex.deinitialize(count: 1)
        self.mutex.deallocate()
    }

    /// Gives the value to a closure while nobody else has it.
    package func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        return try body(&self.state)
    }
}
