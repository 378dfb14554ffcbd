public import AdCore
import SystemSupport

/// Host signals that the app posts by hand, remembered for whoever comes later.
///
/// ```swift
/// let board = HostSignalSource()
/// board.post(.background(true))
/// ```
public final class HostSignalSource: HostSignals {
    private struct State {
        var isCovered = false
        var isInBackground = false
        var network: NetworkKind?
        var observers: [UInt64: Observer] = [:]
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

    /// One who observes, and the news on its way there: one piece after the other, held up by nobody else.
    private final class Observer: Sendable {
        private let mailbox = SerialMailbox<HostSignal>()
        private let isGone = Locked(false)
        private let observe: @Sendable (HostSignal) -> Void

        init(_ observe: @escaping @Sendable (HostSignal) -> Void) { self.observe = observe }

        /// Under the board's lock: there the order is decided.
        func add(_ signals: [HostSignal]) { for signal in signals { self.mailbox.enqueue(signal) } }

        /// Outside it: an observer may do as it likes.
        func tell() {
            self.mailbox.drain { signal in if !self.isGone.withLock({ $0 }) { self.observe(signal) } }
        }

        func leave() { self.isGone.withLock { $0 = true } }
    }

    private let state = Locked(State())

    /// A board on which nothing is covered and the app is in the foreground.
    public init() {}

    /// Whether something lies over the ads now.
    package var isCovered: Bool { self.state.withLock { $0.isCovered } }

    /// Tells everybody who observes.
    public func post(_ signal: HostSignal) {
        let observers = self.state.withLock { state in
            state.take(signal)
            for observer in state.observers.values { observer.add([signal]) }
            return Array(state.observers.values)
        }
        for observer in observers { observer.tell() }
    }

    /// Reports the present state at once and every change from then on, in order.
    public func observe(_ observe: @escaping @Sendable (HostSignal) -> Void) -> HostObservation {
        let observer = Observer(observe)
        let id = self.state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            observer.add(state.present)
            return state.last
        }
        observer.tell()
        return HostObservation { [weak self] in
            observer.leave()
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// How many observe now.
    var observers: Int { self.state.withLock { $0.observers.count } }
}
