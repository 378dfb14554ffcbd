import AdCore
import SystemSupport

/// What limits ad tracking besides the consent: the facade's setting, and an identifier that the system has replaced by
/// zeros.
final class TrackingLimit: Sendable {
    private let state = Locked((byHost: false, byIdentifier: false))

    /// Whether the host limits it.
    var byHost: Bool {
        get { self.state.withLock { $0.byHost } }
        set { self.state.withLock { $0.byHost = newValue } }
    }

    /// Whether the last identifier of the system was none.
    var byIdentifier: Bool {
        get { self.state.withLock { $0.byIdentifier } }
        set { self.state.withLock { $0.byIdentifier = newValue } }
    }

    var isOn: Bool { self.state.withLock { $0.byHost || $0.byIdentifier } }
}
