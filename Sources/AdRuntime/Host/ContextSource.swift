public import AdCore
import SystemSupport

/// The source of a request's context: known values, and closures that get a value when a request is made.
///
/// All closures start at the same time and have the same deadline; with a `ConsentSource` the consent comes first. A value
/// that is late is left out of this request, so that no ad waits for an identifier. What the consent does not allow is
/// neither asked for nor sent, as is everything personal of a child (`coppa`, OpenRTB 2.6 §3.2.3).
///
/// ```swift
/// let source = ContextSource(known: AdContext(userAgent: "Example/1.0"), ifa: { await askForTheIdentifier() })
/// ```
public struct ContextSource: Sendable {
    /// The values that are known already.
    public var known: AdContext {
        get { self.boxedKnown.value }
        set { self.boxedKnown = Boxed(newValue) }
    }
    private var boxedKnown: Boxed<AdContext>
    /// Gets the advertising identifier.
    public var ifa: (@Sendable () async -> String?)?
    /// Gets the user agent of the device's web views.
    public var userAgent: (@Sendable () async -> String?)?
    /// Gets the device's location.
    public var location: (@Sendable () async -> AdContext.Location?)?
    /// Says what the user has answered to the app's question whether it may track, at each request; nil where systems
    /// have no such question.
    package var authorization: (@Sendable () -> TrackingAuthorization)?
    /// The consent; without a source that of `known` counts.
    public var consent: ConsentSource?
    /// How long a request waits for the closures.
    public var timeout: Duration
    /// The advertising identifiers of earlier requests.
    private let sentIdentifiers = SentIdentifiers()
    /// The position of the last request; copies share it.
    private let sentLocation = Locked<AdContext.Location?>(nil)
    /// The limits of ad tracking and the observers of withdrawals; copies share it.
    private let watch = ConsentWatch()

    /// Creates a source; values without a closure are left out of every request.
    public init(
        known: AdContext = AdContext(),
        ifa: (@Sendable () async -> String?)? = nil,
        userAgent: (@Sendable () async -> String?)? = nil,
        location: (@Sendable () async -> AdContext.Location?)? = nil,
        consent: ConsentSource? = nil,
        timeout: Duration = .milliseconds(200)
    ) {
        self.boxedKnown = Boxed(known)
        self.ifa = ifa
        self.userAgent = userAgent
        self.location = location
        self.consent = consent
        self.timeout = timeout
    }

    /// Limits ad tracking from now on, or no longer: nothing personal is asked for or sent, whatever the consent is.
    package func limitTracking(_ isLimited: Bool) {
        if self.watch.set(.app, isLimited) { self.watch.update(to: self.policy) }
    }

    /// Returns the context with the values that arrive within `timeout`, without what may not be sent.
    ///
    /// This is the one way to the context of a request, so that no provider sees what the privacy table withholds. The
    /// consent comes first: closures of what is withheld are not called.
    package func context(by clock: any AdClock) async -> AdContext {
        let deadline = clock.now + min(max(.zero, self.timeout), AdServices.maximumTimeout)
        let query = ContextQuery(self.known, clock)
        var tasks = [query.start(self.userAgent) { $0.userAgent = $1 }]
        if let consent = self.consent {
            await consent.refresh(by: clock, until: deadline)
            let current = self.merged(consent.current)
            query.update { $0.consent = current }
        }
        let authorization = self.authorization?()
        query.update { $0.authorization = authorization ?? $0.authorization }
        // An identifier of zeros does not count yet: the system may have another one now.
        let isLimited = self.watch.limits.contains(.app)
        query.update { $0 = isLimited ? $0.permitted.withholding() : $0.permitted }
        let permitted = query.context
        if permitted.permits(.advertisingID) { tasks.append(query.start(self.ifa) { $0.ifa = $1 }) }
        if permitted.permits(.coarseLocation) { tasks.append(query.start(self.location) { $0.location = $1 }) }
        await query.wait(until: deadline)
        for task in tasks { task?.cancel() }
        // Again, for what has come since: the consent may be another one, and an identifier of zeros limits tracking.
        var answered = query.context
        if let consent = self.consent { answered.consent = self.merged(consent.current) }
        if self.ifa != nil, answered.ifa != nil, self.watch.set(.identifier, answered.hasPlaceholder) {
            self.watch.update(to: self.policy)
        }
        let context = self.watch.limits.isEmpty ? answered.permitted : answered.permitted.withholding()
        self.sentIdentifiers.insert(context.ifa)
        self.sentLocation.withLock { $0 = context.location }
        return context
    }

    /// The context of an earlier request, without what the consent took back since then.
    package func current(_ context: AdContext) -> AdContext {
        var now = self.watch.limits.isEmpty ? context : context.withholding()
        let (authorization, consent) = (self.authorization?(), self.consent?.current)
        guard authorization != nil || consent != nil else { return now }
        now.authorization = authorization ?? now.authorization
        if let consent { now.consent = self.merged(consent) }
        return now.permitted
    }

    /// The position of the last request, as far as the consent allows it now.
    var lastLocation: AdContext.Location? {
        let sent = AdContext(location: self.sentLocation.withLock(\.self), consent: self.known.consent)
        return self.current(sent).permitted.location
    }

    /// Whether a piece of data may leave the device now.
    func permits(_ data: DeviceData) -> Bool { self.policy.use(of: data).isAllowed }

    /// The advertising identifiers that may not be sent any more, to be removed from beacons that were not sent yet: those
    /// of earlier requests, and the one that the app gives, which beacons of an earlier process may contain.
    @Sendable
    func withheldIdentifiers() -> [String] {
        let all = self.sentIdentifiers.all + [self.known.ifa].compactMap(\.self).filter { !$0.isEmpty }
        return all.isEmpty || self.permits(.advertisingID) ? [] : all
    }

    /// The policy of the known values with the current consent.
    private var policy: PrivacyPolicy {
        let consent = self.consent.map { self.merged($0.current) } ?? self.known.consent
        return ContextSource.policy(self.known, self.authorization?(), consent, self.watch)
    }

    private static func policy(
        _ known: AdContext,
        _ authorization: TrackingAuthorization?,
        _ consent: AdContext.Consent,
        _ watch: ConsentWatch
    ) -> PrivacyPolicy {
        var context = watch.limits.isEmpty ? known : known.withholding()
        context.authorization = authorization ?? known.authorization
        context.consent = consent
        return PrivacyPolicy(context)
    }

    /// Calls a closure when the user or the host takes something back; ads that are loaded were chosen with it.
    func observeWithdrawals(_ observe: @escaping @Sendable () -> Void) -> HostObservation {
        self.watch.observe(observe, from: { self.policy }) {
            // The consent holds this closure, which must not hold the consent.
            let authorization = self.authorization
            return self.consent?.observe { [weak watch = self.watch, known = self.boxedKnown, authorization] current in
                guard let watch else { return }
                let consent = ContextSource.merged(current, known.value)
                watch.update(to: ContextSource.policy(known.value, authorization?(), consent, watch))
            }
        }
    }

    /// The consent of the source, and of the known values what only the host knows.
    private func merged(_ current: AdContext.Consent?) -> AdContext.Consent {
        ContextSource.merged(current, self.known)
    }

    private static func merged(_ current: AdContext.Consent?, _ known: AdContext) -> AdContext.Consent {
        var consent = current ?? known.consent
        if current == nil { consent.state = .pending }
        if known.consent.coppa == true { consent.coppa = true }
        if known.consent.limitsTracking { consent.limitsTracking = true }
        return consent
    }
}

/// Closures that run at the same time, until all have returned or the deadline has passed.
private final class ContextQuery: Sendable {
    private struct State {
        var context: AdContext
        /// The closures that have not returned, and one for the caller while it may start others.
        var pendingCount = 1
    }

    private let completion: ClockWait
    private let clock: any AdClock
    private let state: Locked<State>

    init(_ known: AdContext, _ clock: any AdClock) {
        self.completion = ClockWait(clock)
        self.clock = clock
        self.state = Locked(State(context: known))
    }

    var context: AdContext { self.state.withLock { $0.context } }

    func update(_ change: (inout AdContext) -> Void) { self.state.withLock { change(&$0.context) } }

    func start<Value: Sendable>(
        _ source: (@Sendable () async -> Value?)?,
        _ apply: @escaping @Sendable (inout AdContext, Value) -> Void
    ) -> Task<Void, Never>? {
        guard let source else { return nil }
        self.state.withLock { $0.pendingCount += 1 }
        return self.clock.work {
            let value = await source()
            if let value { self.update { apply(&$0, value) } }
            if self.isLastToEnd() { self.completion.end() }
        }
    }

    /// Waits until all closures that were started have returned, or until a moment.
    func wait(until deadline: Moment) async {
        guard !self.isLastToEnd() else { return }
        await self.completion.wait(until: deadline)
    }

    private func isLastToEnd() -> Bool {
        self.state.withLock { state in
            state.pendingCount -= 1
            return state.pendingCount == 0
        }
    }
}
