public import AdCore
import SystemSupport

/// Host signals that the app posts; a new observer gets the current state first.
///
/// ```swift
/// let signals = HostSignalSource()
/// signals.post(.background(true))
/// ```
public final class HostSignalSource: HostSignals {
    private struct State {
        var isCovered = false
        var isInBackground = false
        var network: NetworkKind?
        var volume: Double?
        var obstructions: [AdObstruction] = []
        var observers: [UInt64: Observer] = [:]
        var last: UInt64 = 0

        mutating func apply(_ signal: HostSignal) {
            switch signal {
            case .covered(let isCovered): self.isCovered = isCovered
            case .background(let isInBackground): self.isInBackground = isInBackground
            case .network(let kind): self.network = kind
            case .volume(let percent): self.volume = percent
            case .obstructed(let views): self.obstructions = views
            }
        }

        /// The next signal of an observer that is drained; without one it is not drained any more.
        mutating func next(_ id: UInt64) -> (observe: @Sendable (HostSignal) -> Void, signal: HostSignal)? {
            guard var observer = self.observers[id] else { return nil }
            defer { self.observers[id] = observer }
            guard !observer.waiting.isEmpty else {
                observer.isDraining = false
                // Frees the buffer.
                observer.waiting = []
                return nil
            }
            return (observer.observe, observer.waiting.removeFirst())
        }

        var currentSignals: [HostSignal] {
            var signals: [HostSignal] = []
            if self.isCovered { signals.append(.covered(true)) }
            if self.isInBackground { signals.append(.background(true)) }
            if let network { signals.append(.network(network)) }
            if let volume { signals.append(.volume(volume)) }
            if !self.obstructions.isEmpty { signals.append(.obstructed(self.obstructions)) }
            return signals
        }
    }

    /// An observer and the queue of its signals, so that a slow observer does not delay the others.
    ///
    /// The source's lock guards it, and there is one for each ad on screen.
    private struct Observer {
        let observe: @Sendable (HostSignal) -> Void
        /// The signals that it has not got yet, in order.
        var waiting: [HostSignal]
        /// Whether a thread is delivering the signals.
        var isDraining = false
    }

    private let state = Locked(State())

    /// Creates a source whose ads are not covered and whose app is in the foreground.
    public init() {}

    /// Whether something of the app covers the ads.
    package var isCovered: Bool { self.state.withLock { $0.isCovered } }

    /// Whether the app is in the background.
    package var isInBackground: Bool { self.state.withLock { $0.isInBackground } }

    /// Sends a signal to every observer.
    public func post(_ signal: HostSignal) {
        let ids = self.state.withLock { state in
            state.apply(signal)
            let ids = Array(state.observers.keys)
            for id in ids { state.observers[id]?.waiting.append(signal) }
            return ids
        }
        for id in ids { self.drain(id) }
    }

    /// Reports the current state at once and every later signal, in order.
    public func observe(_ observe: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
        let id = self.state.withLock { state in
            state.last += 1
            state.observers[state.last] = Observer(observe: observe, waiting: state.currentSignals)
            return state.last
        }
        self.drain(id)
        let source = WeakReference(to: self)
        return HostObservation { _ = source.object?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    /// Delivers the waiting signals of an observer, unless another thread is delivering them.
    private func drain(_ id: UInt64) {
        let isFirst = self.state.withLock { state in
            guard let observer = state.observers[id], !observer.isDraining else { return false }
            state.observers[id]?.isDraining = true
            return true
        }
        guard isFirst else { return }
        // Called outside the lock, because the closure may call the source.
        while let (observe, signal) = self.state.withLock({ $0.next(id) }) { observe(signal) }
    }

    /// How many observers there are.
    var observerCount: Int { self.state.withLock { $0.observers.count } }
}
