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
    private final class Observer: Sendable {
        private let mailbox = SerialMailbox<HostSignal>()
        private let observe: @Sendable (HostSignal) -> Void

        init(_ observe: @escaping @Sendable (HostSignal) -> Void) { self.observe = observe }

        /// Adds signals; called under the source's lock, which decides their order.
        func append(_ signals: [HostSignal]) { for signal in signals { self.mailbox.enqueue(signal) } }

        /// Delivers the signals; called outside the source's lock, because the closure may call the source.
        func drain(while isObserving: () -> Bool) {
            self.mailbox.drain { signal in if isObserving() { self.observe(signal) } }
        }
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
        let observers = self.state.withLock { state in
            state.apply(signal)
            for observer in state.observers.values { observer.append([signal]) }
            return state.observers
        }
        for (id, observer) in observers { observer.drain { self.isObserved(id) } }
    }

    /// Reports the current state at once and every later signal, in order.
    public func observe(_ observe: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
        let observer = Observer(observe)
        let id = self.state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            observer.append(state.currentSignals)
            return state.last
        }
        observer.drain { self.isObserved(id) }
        return HostObservation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    private func isObserved(_ id: UInt64) -> Bool { self.state.withLock { $0.observers[id] != nil } }

    /// How many observers there are.
    var observerCount: Int { self.state.withLock { $0.observers.count } }
}
