public import AdCore
import SystemLock

/// Host signals that the app posts by hand, remembered for whoever comes later.
///
/// ```swift
/// let board = HostBoard()
/// board.post(.background(true))
/// ```
public final class HostBoard: HostSignals {
    private struct State {
        var isCovered = false
        var isInBackground = false
        var network: NetworkKind?
        var observers: [UInt64: @Sendable (HostSignal) -> Void] = [:]
        var last: UInt64 = 0

        mutating func take(_ signal: HostSignal) {
            switch signal {
            case .covered(let isCovered): self.isCovered = isCovered
            case .background(let isInBackground): self.isInBackground = isInBackground
            case .network(let kind): self.network = kind
            }
        }

        var present: [HostSignal] {
            var signals: [HostSignal] = []
            if self.isCovered { signals.append(.covered(true)) }
            if self.isInBackground { signals.append(.background(true)) }
            if let network { signals.append(.network(network)) }
            return signals
        }
    }

    private let state = Locked(State())

    /// A board on which nothing is covered and the app is in the foreground.
    public init() {}

    /// Tells everybody who observes.
    public func post(_ signal: HostSignal) {
        let observers = self.state.withLock { state in
            state.take(signal)
            return Array(state.observers.values)
        }
        for observer in observers { observer(signal) }
    }

    /// Reports the present state at once and every change from then on.
    public func observe(_ observer: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
        let (id, present) = self.state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return (state.last, state.present)
        }
        for signal in present { observer(signal) }
        return HostObservation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }
}
