import SystemSupport

/// Whether the user has quit the whole run, and not only the current ad.
package final class ExitRequest: Sendable {
    private let state = Locked(false)

    package init() {}

    package var isRequested: Bool { self.state.withLock { $0 } }

    func request() { self.state.withLock { $0 = true } }
}
