public import AdCore
import SystemSupport

/// The source of a request's context: known values, and closures that get a value when a request is made.
///
/// All closures start at the same time and have the same deadline. A value that is late is left out of this request, so
/// that no ad waits for an identifier. With `coppa` (OpenRTB 2.6 §3.2.3) neither an identifier nor a location is sent.
///
/// ```swift
/// let source = ContextSource(known: AdContext(userAgent: "Example/1.0"), ifa: { await askForTheIdentifier() })
/// ```
public struct ContextSource: Sendable {
    /// The values that are known already.
    public var known: AdContext
    /// Gets the advertising identifier.
    public var ifa: (@Sendable () async -> String?)?
    /// Gets the user agent of the device's web views.
    public var userAgent: (@Sendable () async -> String?)?
    /// Gets the device's location.
    public var location: (@Sendable () async -> AdContext.Location?)?
    /// How long a request waits for the closures.
    public var timeout: Duration

    /// Creates a source; values without a closure are left out of every request.
    public init(
        known: AdContext = AdContext(),
        ifa: (@Sendable () async -> String?)? = nil,
        userAgent: (@Sendable () async -> String?)? = nil,
        location: (@Sendable () async -> AdContext.Location?)? = nil,
        timeout: Duration = .milliseconds(200)
    ) {
        self.known = known
        self.ifa = ifa
        self.userAgent = userAgent
        self.location = location
        self.timeout = timeout
    }

    /// Returns the context with the values that arrive within `timeout`.
    ///
    /// When COPPA applies or data is withheld, the closures for identifier and location are not called.
    package func context(by clock: any AdClock) async -> AdContext {
        let isWithheld = self.known.isWithheld || self.known.consent.coppa == true
        let known = isWithheld ? self.known.withholding() : self.known
        let (ifa, location) = isWithheld ? (nil, nil) : (self.ifa, self.location)
        let pendingCount = [ifa != nil, self.userAgent != nil, location != nil].count { $0 }
        guard pendingCount > 0 else { return known }
        let query = ContextQuery(known, pendingCount: pendingCount, clock)
        let tasks = [
            query.start(ifa) { $0.ifa = $1 },
            query.start(self.userAgent) { $0.userAgent = $1 },
            query.start(location) { $0.location = $1 },
        ]
        await query.completion.wait(until: clock.now + min(max(.zero, self.timeout), AdServices.maximumTimeout))
        for task in tasks { task?.cancel() }
        return query.context
    }
}

/// Closures that run at the same time, until all have returned or the deadline has passed.
private final class ContextQuery: Sendable {
    let completion: ClockWait
    private let clock: any AdClock
    private let state: Locked<(context: AdContext, pendingCount: Int)>

    init(_ known: AdContext, pendingCount: Int, _ clock: any AdClock) {
        self.completion = ClockWait(clock)
        self.clock = clock
        self.state = Locked((known, pendingCount))
    }

    var context: AdContext { self.state.withLock { $0.context } }

    func start<Value: Sendable>(
        _ source: (@Sendable () async -> Value?)?,
        _ apply: @escaping @Sendable (inout AdContext, Value) -> Void
    ) -> Task<Void, Never>? {
        guard let source else { return nil }
        return self.clock.work {
            let value = await source()
            let isLast = self.state.withLock { state in
                if let value { apply(&state.context, value) }
                state.pendingCount -= 1
                return state.pendingCount == 0
            }
            if isLast { self.completion.end() }
        }
    }
}
