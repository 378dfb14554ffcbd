import AdCore
import SystemSupport

/// Whether ads can be seen by the host's signals: the app is in the foreground, and nothing covers the ads.
///
/// Signals arrive on any thread and are effective here at once, before they reach the main actor.
final class SignalWatch: Sendable {
    private struct State {
        var isCovered = false
        var isInBackground = false
        var changed: (@Sendable () -> Void)?

        var isInFront: Bool { !self.isCovered && !self.isInBackground }

        mutating func apply(_ signal: HostSignal) {
            switch signal {
            case .covered(let isCovered): self.isCovered = isCovered
            case .background(let isInBackground): self.isInBackground = isInBackground
            case .network: break
            }
        }
    }

    private let state: Locked<State>
    private let observation: HostObservation

    init(_ signals: any HostSignals) {
        let state = Locked(State())
        self.state = state
        self.observation = signals.observe { signal in
            let changed = state.withLock { state -> (@Sendable () -> Void)? in
                let before = state.isInFront
                state.apply(signal)
                return state.isInFront == before ? nil : state.changed
            }
            changed?()
        }
    }

    deinit { self.observation.cancel() }

    /// Whether ads can be seen now.
    var isInFront: Bool { self.state.withLock { $0.isInFront } }

    /// Sets the closure that is called, on any thread, when `isInFront` has changed.
    func onChange(_ changed: @escaping @Sendable () -> Void) { self.state.withLock { $0.changed = changed } }
}
