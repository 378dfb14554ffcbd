import LibC

/// A value behind the platform's mutex; copies share the value and its lock.
///
/// The standard library's `Mutex` asks for newer Apple systems than we do, and ThreadSanitizer can't see through it.
/// Nothing slow and nothing foreign is done inside `withLock`.
// The mutex is what makes the unchecked promise true: the value is touched inside `withLock` only.
package struct Locked<State>: @unchecked Sendable {
    private let box: ManagedBuffer<pthread_mutex_t, State>

    /// Puts a value behind a lock.
    package init(_ state: State) {
        self.box = Box<State>.make(state)
    }

    /// Gives the value to a closure while nobody else has it.
    package func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try self.box.withUnsafeMutablePointers { mutex, state in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}

/// The mutex and the value in one piece of memory: a mutex must not move, and an ad has several.
///
/// The value comes second: one without a size has no place of its own, and would stand where the object itself is read.
private final class Box<State>: ManagedBuffer<pthread_mutex_t, State> {
    static func make(_ state: State) -> ManagedBuffer<pthread_mutex_t, State> {
        let box = self.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        box.withUnsafeMutablePointers { mutex, value in
            guard pthread_mutex_init(mutex, nil) == 0 else { preconditionFailure("A mutex can't be made.") }
            value.initialize(to: state)
        }
        return box
    }

    deinit {
        self.withUnsafeMutablePointers { mutex, value in
            value.deinitialize(count: 1)
            pthread_mutex_destroy(mutex)
        }
    }
}
