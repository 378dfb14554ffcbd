#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value behind the platform's mutex; copies share the value and its lock.
///
/// The standard library's `Mutex` asks for newer Apple systems than we do, and ThreadSanitizer can't see through it.
/// Nothing slow and nothing foreign is done inside `withLock`.
// The mutex is what makes the unchecked promise true: the value is touched inside `withLock` only.
package struct Locked<State>: @unchecked Sendable {
    private let box: ManagedBuffer<State, pthread_mutex_t>

    /// Puts a value behind a lock.
    package init(_ state: State) {
        self.box = Box<State>.make(state)
    }

    /// Gives the value to a closure while nobody else has it.
    package func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try self.box.withUnsafeMutablePointers { state, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}

/// The value and its mutex in one piece of memory: a mutex must not move, and an ad has several.
private final class Box<State>: ManagedBuffer<State, pthread_mutex_t> {
    static func make(_ state: State) -> ManagedBuffer<State, pthread_mutex_t> {
        self.create(minimumCapacity: 1) { box in
            box.withUnsafeMutablePointerToElements { mutex in
                mutex.initialize(to: pthread_mutex_t())
                guard pthread_mutex_init(mutex, nil) == 0 else { preconditionFailure("A mutex can't be made.") }
            }
            return state
        }
    }

    deinit {
        _ = self.withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
