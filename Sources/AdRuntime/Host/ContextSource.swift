public import AdCore
import SystemSupport

/// Where the context of a request comes from: values that are known, and values that must be asked for.
///
/// Each of the sources is asked at the same time and has the same deadline. What is late is left out of this request:
/// an ad is never kept waiting for an identifier. Of a child (`coppa`) neither an identifier nor a place is given to
/// anybody.
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
    ///
    /// What tells who or where a child is (COPPA), or what is withheld, is left out, and not even asked for.
    package func context(by clock: any AdClock) async -> AdContext {
        let isWithheld = self.known.isWithheld || self.known.consent.coppa == true
        let known = isWithheld ? self.known.withholding() : self.known
        let (ifa, location) = isWithheld ? (nil, nil) : (self.ifa, self.location)
        let open = [ifa != nil, self.userAgent != nil, location != nil].count { $0 }
        guard open > 0 else { return known }
        let asking = Asking(known, open: open, clock)
        let tasks = [
            asking.ask(ifa) { $0.ifa = $1 },
            asking.ask(self.userAgent) { $0.userAgent = $1 },
            asking.ask(location) { $0.location = $1 },
        ]
        await asking.rest.wait(until: clock.now + min(max(.zero, self.patience), AdServices.longestPatience))
        for task in tasks { task?.cancel() }
        return asking.context
    }
}

/// Sources that are asked at the same time, until all have answered or the patience is over.
private final class Asking: Sendable {
    let rest: ClockWait
    private let clock: any AdClock
    private let state: Locked<(context: AdContext, open: Int)>

    init(_ known: AdContext, open: Int, _ clock: any AdClock) {
        self.rest = ClockWait(clock)
        self.clock = clock
        self.state = Locked((known, open))
    }

    var context: AdContext { self.state.withLock { $0.context } }

    func ask<Value: Sendable>(
        _ source: (@Sendable () async -> Value?)?,
        _ keep: @escaping @Sendable (inout AdContext, Value) -> Void
    ) -> Task<Void, Never>? {
        guard let source else { return nil }
        return self.clock.work {
            let value = await source()
            let isLast = self.state.withLock { state in
                if let value { keep(&state.context, value) }
                state.open -= 1
                return state.open == 0
            }
            if isLast { self.rest.end() }
        }
    }
}
