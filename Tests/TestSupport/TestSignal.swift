import LibC
import SystemSupport

/// A one-time signal between threads.
public final class TestSignal: Sendable {
    private let ends: [Int32]

    /// Creates a signal that is not set.
    public init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("pipe() failed.") }
        self.ends = ends
    }

    deinit { for end in self.ends { close(end) } }

    /// Sets the signal, which ends all current and later waits.
    public func set() {
        var byte: UInt8 = 1
        _ = write(self.ends[1], &byte, 1)
    }

    /// Waits until the signal is set; returns false after 30 seconds.
    @discardableResult
    public func wait() -> Bool {
        var event = pollfd(fd: self.ends[0], events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 30_000) == 1
    }
}

/// Runs a blocking closure on its own thread, because it must not block the threads of Swift's concurrency.
public func runOnThread(_ body: @escaping @Sendable () -> Void) {
    guard DedicatedThread.start("yabbi-test", body) else { preconditionFailure("A thread can't be created.") }
}
