public import LibC

// `@unchecked` is safe because the value is accessed inside `withLock` only.

/// A value behind the platform's mutex; copies share the value and its lock.
///
/// The standard library's `Mutex` requires newer Apple systems, and ThreadSanitizer does not understand it. Run no slow
/// and no foreign code inside `withLock`.
///
/// Public like other generic types of this module, although no product has the module: Swift inlines and specializes the
/// functions of a `package` type in no other module, `@inlinable` or not.
public struct Locked<State>: @unchecked Sendable {
    @usableFromInline let box: ManagedBuffer<pthread_mutex_t, State>

    /// Creates a lock with its value.
    package init(_ state: State) {
        self.box = Box<State>.make(state)
    }

    /// Calls a closure with exclusive access to the value.
    @inlinable
    package func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try self.box.withUnsafeMutablePointers { mutex, state in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}

/// The mutex and the value in one allocation: a mutex must not move, and an ad has several.
///
/// The value is the tail element, because a value of size zero as the header would overlap the object itself.
private final class Box<State>: ManagedBuffer<pthread_mutex_t, State> {
    static func make(_ state: State) -> ManagedBuffer<pthread_mutex_t, State> {
        let box = self.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        box.withUnsafeMutablePointers { mutex, value in
            guard pthread_mutex_init(mutex, nil) == 0 else { preconditionFailure("pthread_mutex_init failed.") }
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
