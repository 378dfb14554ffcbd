import LibC

/// Lets a thread sleep until another one sets the signal; a signal that is set first is kept.
// `@unchecked` is safe because the flag is accessed with the mutex held only.
package final class ThreadSignal: @unchecked Sendable {
    private var isSet = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a signal that is not set.
    package init() {
        self.mutex.initialize(to: pthread_mutex_t())
        self.condition.initialize(to: pthread_cond_t())
        guard pthread_mutex_init(self.mutex, nil) == 0, pthread_cond_init(self.condition, nil) == 0 else {
            preconditionFailure("pthread_mutex_init or pthread_cond_init failed.")
        }
    }

    deinit {
        pthread_cond_destroy(self.condition)
        pthread_mutex_destroy(self.mutex)
        self.condition.deallocate()
        self.mutex.deallocate()
    }

    /// Ends the current wait of the waiting thread, or its next one.
    package func set() {
        pthread_mutex_lock(self.mutex)
        self.isSet = true
        pthread_mutex_unlock(self.mutex)
        pthread_cond_signal(self.condition)
    }

    /// Sleeps until the signal is set, and clears it.
    package func wait() {
        pthread_mutex_lock(self.mutex)
        defer { pthread_mutex_unlock(self.mutex) }
        while !self.isSet { pthread_cond_wait(self.condition, self.mutex) }
        self.isSet = false
    }
}
