public import AdCore

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
        var context = self.known
        guard self.ifa != nil || self.userAgent != nil || self.location != nil else { return context }
        let deadline = clock.now + self.patience
        async let ifa = clock.answer(of: self.ifa, by: deadline)
        async let userAgent = clock.answer(of: self.userAgent, by: deadline)
        async let location = clock.answer(of: self.location, by: deadline)
        context.ifa = await ifa ?? context.ifa
        context.userAgent = await userAgent ?? context.userAgent
        context.location = await location ?? context.location
        return context
    }
}

extension AdClock {
    /// What a source answers before the deadline, else nil; the source is cancelled when it is late.
    fileprivate func answer<Value: Sendable>(
        of source: (@Sendable () async -> Value?)?,
        by deadline: Moment
    ) async -> Value? {
        guard let source else { return nil }
        let outcome = OneShot<Value?>()
        let asking = self.work {
            let value = await source()
            self.workBegan()
            if !outcome.resolve(value) { self.workEnded() }
        }
        let alarm = self.schedule(at: deadline) {
            self.workBegan()
            if !outcome.resolve(nil) { self.workEnded() }
        }
        // Whoever resolved has counted the work that goes on here; until then this piece is at rest.
        self.workEnded()
        let value = await outcome.value
        self.cancel(alarm)
        asking.cancel()
        return value
    }
}
