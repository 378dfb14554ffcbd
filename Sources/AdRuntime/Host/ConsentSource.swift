public import AdCore
import SystemSupport

/// The consent of the user while the app runs: asked for at each request, and posted when it changes.
///
/// A consent management platform answers late and changes its answer later. Until it has answered, nothing personal is
/// sent. An answer that comes after a request's deadline counts from the next request on.
///
/// ```swift
/// let consent = ConsentSource { await askThePlatform() }
/// let source = ContextSource(known: AdContext(userAgent: "Example/1.0"), consent: consent)
/// // Later, when the user changes the settings:
/// consent.post(AdContext.Consent(usPrivacy: "1YYN"))
/// ```
public final class ConsentSource: Sendable {
    private struct State {
        var consent: AdContext.Consent?
        /// How often the consent was posted: an answer that was asked for before is older.
        var postCount: UInt64 = 0
        var isAsking = false
        var last: UInt64 = 0
        var waits: [UInt64: ClockWait] = [:]
        var streams: [UInt64: AsyncStream<AdContext.Consent>.Continuation] = [:]
        var observers: [UInt64: @Sendable (AdContext.Consent) -> Void] = [:]

        mutating func nextID() -> UInt64 {
            self.last += 1
            return self.last
        }

        /// Sets the consent; returns the observers to call if it differs.
        mutating func apply(_ consent: AdContext.Consent) -> [@Sendable (AdContext.Consent) -> Void] {
            self.postCount += 1
            guard consent != self.consent else { return [] }
            self.consent = consent
            // Under the lock, which decides the order. Nothing of a reader runs in here.
            for stream in self.streams.values { stream.yield(consent) }
            return Array(self.observers.values)
        }
    }

    private let state: Locked<State>
    private let ask: (@Sendable () async -> AdContext.Consent?)?

    /// Creates a source that asks at each request; nil is no answer.
    ///
    /// Without a closure only posted consent counts.
    public init(asking ask: (@Sendable () async -> AdContext.Consent?)? = nil) {
        self.state = Locked(State())
        self.ask = ask
    }

    /// Creates a source that reads the IAB's keys (TCF, GPP, US Privacy) at each request, where a consent management
    /// platform stores them.
    ///
    /// What can't be read withholds everything personal, and is an issue of each load.
    public convenience init(reading store: any KeyValueStore) {
        self.init { ConsentKeys(reading: store).consent }
    }

    deinit { for stream in self.state.withLock({ Array($0.streams.values) }) { stream.finish() } }

    /// Sets the consent, for requests from now on, and reports it if it differs.
    public func post(_ consent: AdContext.Consent) {
        for observer in self.state.withLock({ $0.apply(consent) }) { observer(consent) }
    }

    /// Asks now, without a request: call it when the platform reports a change, so that ads that were loaded with what
    /// the user takes back are dropped at once.
    public func update() async {
        guard let ask else { return }
        let posts = self.state.withLock { $0.postCount }
        self.apply(await ask(), posts: posts)
    }

    /// Calls a closure with every change from now on.
    func observe(_ observe: @escaping @Sendable (AdContext.Consent) -> Void) -> HostObservation {
        let id = self.state.withLock { state in
            let id = state.nextID()
            state.observers[id] = observe
            return id
        }
        return HostObservation { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    /// The current consent if there is one, and then every change; a slow reader gets the newest one only.
    ///
    /// The observation ends when the task that reads it is cancelled, or when the stream is released.
    public func changes() -> AsyncStream<AdContext.Consent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AdContext.Consent.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = self.state.withLock { state in
            let id = state.nextID()
            state.streams[id] = continuation
            if let consent = state.consent { continuation.yield(consent) }
            return id
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    /// The last known consent; nil before the first answer.
    package var current: AdContext.Consent? { self.state.withLock { $0.consent } }

    /// How many streams are read.
    var streamCount: Int { self.state.withLock { $0.streams.count } }

    /// How many observers there are.
    var observerCount: Int { self.state.withLock { $0.observers.count } }

    /// Asks, and waits for the answer until a moment.
    ///
    /// There is one question at a time, whose answer is for all who wait.
    func refresh(by clock: any AdClock, until deadline: Moment) async {
        guard let ask else { return }
        let wait = ClockWait(clock)
        let (id, posts, isFirst) = self.state.withLock { state in
            let id = state.nextID()
            state.waits[id] = wait
            defer { state.isAsking = true }
            return (id, state.postCount, !state.isAsking)
        }
        if isFirst {
            clock.work { [weak self] in
                let answer = await ask()
                self?.finish(answer, posts: posts)
            }
        }
        await wait.wait(until: deadline)
        self.state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    private func finish(_ answer: AdContext.Consent?, posts: UInt64) {
        self.apply(answer, posts: posts)
        let waits = self.state.withLock { state in
            state.isAsking = false
            defer { state.waits = [:] }
            return Array(state.waits.values)
        }
        for wait in waits { wait.end() }
    }

    /// Sets the answer to a question; what was posted while it was open is newer.
    private func apply(_ answer: AdContext.Consent?, posts: UInt64) {
        guard let answer else { return }
        let observers = self.state.withLock { $0.postCount == posts ? $0.apply(answer) : [] }
        for observer in observers { observer(answer) }
    }
}
