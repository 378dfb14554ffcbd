package import AdCore

extension AdClock {
    /// Suspends the caller's work until a moment, or until the task is cancelled; with nil only until it is cancelled.
    package func rest(until moment: Moment?) async {
        let wait = ClockWait(self)
        if let moment { await wait.wait(until: moment) } else { await wait.wait() }
    }

    /// Starts a task that counts as work, on the current thread up to its first suspension where the platform can.
    @discardableResult
    package func startWorkImmediately(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return self.work(body) }
        self.workStarted()
        return Task.immediate {
            await body()
            self.workEnded()
        }
    }

    /// Starts a task that counts as work from now until it ends.
    @discardableResult
    package func work(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        self.workStarted()
        return Task {
            await body()
            self.workEnded()
        }
    }
}
