public import AdCore
import SystemLock

/// Where the context of a request comes from: values that are known, and values that must be asked for.
///
/// Each of the sources is asked at the same time and has the same deadline. What is late is left out of this request:
/// an ad is never kept waiting for an identifier.
///
/// ```swift
/// let source = ContextSource(known: AdContext(userAgent: "Example/1.0"), ifa: { await askForTheIdentifier() })
/// ```
public struct ContextSource: Sendable {
    /// What is known without asking.
    public var known: AdContext
    /// Asks for the advertising identifier.
    public var ifa: (@Sendable () async -> String?)?
    /// Asks for the user agent of the device's web views.
    public var userAgent: (@Sendable () async -> String?)?
    /// Asks for the device's place.
    public var location: (@Sendable () async -> AdContext.Location?)?
    /// How long a request waits for the sources.
    public var patience: Duration

    /// A source; what is not given is left out of every request.
    public init(
        known: AdContext = AdContext(),
        ifa: (@Sendable () async -> String?)? = nil,
        userAgent: (@Sendable () async -> String?)? = nil,
        location: (@Sendable () async -> AdContext.Location?)? = nil,
        patience: Duration = .milliseconds(200)
    ) {
        self.known = known
        self.ifa = ifa
        self.userAgent = userAgent
        self.location = location
        self.patience = patience
    }

    /// The context as far as it is known within the patience.
    package func context(by clock: any AdClock) async -> AdContext {
        let asking = Asking(self.known, open: [self.ifa != nil, self.userAgent != nil, self.location != nil])
        guard asking.isOpen else { return self.known }
        let tasks = [
            asking.ask(self.ifa, clock) { $0.ifa = $1 },
            asking.ask(self.userAgent, clock) { $0.userAgent = $1 },
            asking.ask(self.location, clock) { $0.location = $1 },
        ]
        let alarm = clock.schedule(at: clock.now + self.patience) { asking.end(clock) }
        // Whoever ends the asking has counted the work that goes on here; until then this piece is at rest.
        clock.workEnded()
        await withTaskCancellationHandler {
            await asking.ended.value
        } onCancel: {
            asking.end(clock)
        }
        clock.cancel(alarm)
        for task in tasks { task?.cancel() }
        return asking.context
    }
}

/// Sources that are asked at the same time, until all have answered or the patience is over.
private final class Asking: Sendable {
    let ended = OneShot<Void>()
    private let state: Locked<(context: AdContext, open: Int)>

    init(_ known: AdContext, open: [Bool]) { self.state = Locked((known, open.count { $0 })) }

    var isOpen: Bool { self.state.withLock { $0.open > 0 } }
    var context: AdContext { self.state.withLock { $0.context } }

    func ask<Value: Sendable>(
        _ source: (@Sendable () async -> Value?)?,
        _ clock: any AdClock,
        _ keep: @escaping @Sendable (inout AdContext, Value) -> Void
    ) -> Task<Void, Never>? {
        guard let source else { return nil }
        return clock.work {
            let value = await source()
            let isLast = self.state.withLock { state in
                if let value { keep(&state.context, value) }
                state.open -= 1
                return state.open == 0
            }
            if isLast { self.end(clock) }
        }
    }

    func end(_ clock: any AdClock) {
        clock.workBegan()
        if !self.ended.resolve(()) { clock.workEnded() }
    }
}
