public import AdCore
import SystemSupport

/// Reports view-through impressions to SKAdNetwork or AdAttributionKit, for the ads of bids that bring a signature.
///
/// An impression lasts from the ad's view to its close. The system decides whether it was long enough. On systems that
/// have neither, as on Linux and macOS, it does nothing but pass on what it observes.
///
/// ```swift
/// let observer = AttributionObserver()
/// let services = try AdServices.standard(opener: opener, observer: observer)
/// ```
public final class AttributionObserver: AdObserver {
    private struct State {
        var machine = ViewThroughMachine()
        /// The impressions that last; the end of a stream is the end of its impression.
        var running: [AdID: AsyncStream<Never>.Continuation] = [:]
    }

    private let state = Locked(State())
    private let next: (any AdObserver)?
    private let system: AttributionSystem
    private let report: @Sendable (AttributionCall, AsyncStream<Never>) async -> Void

    /// Creates an observer.
    ///
    /// - Parameter next: Observes the same, as a log.
    public convenience init(next: (any AdObserver)? = nil) {
        self.init(next: next, system: .current, report: SystemAttribution.report)
    }

    /// Creates an observer; `report` starts an impression, waits for the end of the stream, and ends it.
    init(
        next: (any AdObserver)?,
        system: AttributionSystem,
        report: @escaping @Sendable (AttributionCall, AsyncStream<Never>) async -> Void
    ) {
        self.next = next
        self.system = system
        self.report = report
    }

    deinit { for end in self.state.withLock({ Array($0.running.values) }) { end.finish() } }

    /// Starts an impression at the ad's view, and ends it when the ad closes.
    public func observe(_ record: AdRecord) {
        switch self.state.withLock({ $0.machine.handle(record) }) {
        case .start(let ad, let attribution): self.start(ad, attribution)
        case .end(let ad): self.state.withLock { $0.running.removeValue(forKey: ad) }?.finish()
        case nil: break
        }
        self.next?.observe(record)
    }

    private func start(_ ad: AdID, _ attribution: InstallAttribution) {
        guard let call = AttributionCall(attribution, on: self.system) else { return }
        let (stream, end) = AsyncStream<Never>.makeStream()
        self.state.withLock { $0.running[ad] = end }
        let report = self.report
        Task { await report(call, stream) }
    }

    /// Passes on an input that changed nothing.
    public func observe(_ input: IgnoredInput) { self.next?.observe(input) }

    /// Passes on an event of a session.
    public func observe(_ record: SessionRecord) { self.next?.observe(record) }
}
