import LibC
import SystemSupport

/// A word for which a thread waits.
public final class OneWord: Sendable {
    private let ends: [Int32]

    /// A word that nobody has said.
    public init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("There is no pipe.") }
        self.ends = ends
    }

    deinit { for end in self.ends { close(end) } }

    /// Lets all go on that wait, now and later.
    public func say() {
        var byte: UInt8 = 1
        _ = write(self.ends[1], &byte, 1)
    }

    /// Waits until it is said; false where it was not within half a minute.
    @discardableResult
    public func wait() -> Bool {
        var event = pollfd(fd: self.ends[0], events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 30_000) == 1
    }
}

/// Runs a body on a thread of its own: what blocks has no place on one of the few threads that tasks share.
public func onOwnThread(_ body: @escaping @Sendable () -> Void) {
    guard DedicatedThread.start("yabbi-test", body) else { preconditionFailure("There is no thread.") }
}
