package import SystemSupport

/// Waits in real time, whatever clock a run uses.
package enum Timer {
    /// Calls a closure after a time, unless the task is cancelled.
    package static func after(
        _ duration: Duration,
        _ body: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        Task {
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            body()
        }
    }
}

extension OneShot {
    /// The value as soon as it is set, or another one after a time.
    package func value(within limit: Duration, otherwise other: Value) async -> Value {
        let timer = Timer.after(limit) { self.set(other) }
        defer { timer.cancel() }
        return await self.value
    }
}
