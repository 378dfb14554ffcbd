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

    private enum News: Sendable {
        case posted(HostSignal)
        case came(UInt64, isGone: Locked<Bool>, @Sendable (HostSignal) -> Void)
    }

    private let state = Locked(State())
    /// One piece of news after the other: none overtakes another on its way to an observer.
    private let mailbox = Mailbox<News>()

    /// A board on which nothing is covered and the app is in the foreground.
    public init() {}

    /// Tells everybody who observes.
    public func post(_ signal: HostSignal) { self.put(.posted(signal)) }

    /// Reports the present state at once and every change from then on, in order.
    public func observe(_ observer: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
        let id = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        let isGone = Locked(false)
        self.put(.came(id, isGone: isGone) { signal in if !isGone.withLock({ $0 }) { observer(signal) } })
        return HostObservation { [weak self] in
            isGone.withLock { $0 = true }
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// How many observe now.
    var observers: Int { self.state.withLock { $0.observers.count } }

    private func put(_ news: News) {
        self.mailbox.put(news) { news in
            switch news {
            case .posted(let signal):
                let observers = self.state.withLock { state in
                    state.take(signal)
                    return Array(state.observers.values)
                }
                for observer in observers { observer(signal) }
            case .came(let id, let isGone, let observer):
                let present = self.state.withLock { state -> [HostSignal] in
                    // Whoever went before its turn came is not kept.
                    guard !isGone.withLock({ $0 }) else { return [] }
                    state.observers[id] = observer
                    return state.present
                }
                for signal in present { observer(signal) }
            }
        }
    }
}
