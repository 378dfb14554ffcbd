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
        /// The question that requests wait for, and when it was asked.
        var open: (question: Question, asked: Moment)?
        /// The newest question, and the newest one whose answer was applied.
        var lastQuestion: UInt64 = 0
        var answered: UInt64 = 0
        var last: UInt64 = 0
        var waits: [UInt64: ClockWait] = [:]
        var streams: [UInt64: AsyncStream<AdContext.Consent>.Continuation] = [:]
        var observers: [UInt64: @Sendable (AdContext.Consent) -> Void] = [:]

        mutating func nextID() -> UInt64 {
            self.last += 1
            return self.last
        }

        mutating func newQuestion() -> Question {
            self.lastQuestion += 1
            return Question(number: self.lastQuestion, postCount: self.postCount)
        }

        /// Sets the consent; returns whether it differs.
        mutating func apply(_ consent: AdContext.Consent) -> Bool {
            guard consent != self.consent else { return false }
            self.consent = consent
            // Under the lock, which decides the order. Nothing of a reader runs in here.
            for stream in self.streams.values { stream.yield(consent) }
            return true
        }
    }

    /// A question to the platform.
    ///
    /// What is posted after it was asked is newer than its answer.
    private struct Question: Sendable {
        let number: UInt64
        let postCount: UInt64
    }

    /// How long requests wait for the same question; then it is asked again.
    static let longestQuestion = Duration.seconds(10)

    private let state: Locked<State>
    /// The changes that observers are told of, in order: each must see what was allowed before.
    private let unreported = SerialMailbox<AdContext.Consent>()
    private let ask: (@Sendable () async -> AdContext.Consent?)?
    /// Whether the answer is read from a store.
    private let readsStore: Bool

    /// Creates a source that asks at each request; nil is no answer.
    ///
    /// Without a closure only posted consent counts. Requests at the same time share one question, whose answer may be
    /// older than a change: call ``update()`` or ``post(_:)`` when the consent changes.
    public init(asking ask: (@Sendable () async -> AdContext.Consent?)? = nil) {
        self.state = Locked(State())
        self.ask = ask
        self.readsStore = false
    }

    /// Creates a source that reads the IAB's keys (TCF, GPP, US Privacy) at each request, where a consent management
    /// platform stores them.
    ///
    /// While none of the keys is set, the platform has not answered, and nothing personal is sent. What can't be read
    /// withholds everything personal as well, and is an issue of each load.
    public init(reading store: any KeyValueStore) {
        self.state = Locked(State())
        self.ask = { ConsentKeys(reading: store).consent }
        self.readsStore = true
    }

    deinit { for stream in self.state.withLock({ Array($0.streams.values) }) { stream.finish() } }

    /// Sets the consent, for requests from now on, and reports it if it differs.
    public func post(_ consent: AdContext.Consent) {
        self.state.withLock { state in
            state.postCount += 1
            if state.apply(consent) { self.unreported.enqueue(consent) }
        }
        self.report()
    }

    private func report() {
        self.unreported.drain { consent in
            for observer in self.state.withLock({ Array($0.observers.values) }) { observer(consent) }
        }
    }

    /// Asks now, without a request: call it when the platform reports a change, so that ads that were loaded with what
    /// the user takes back are dropped at once.
    public func update() async {
        guard let ask else { return }
        let question = self.state.withLock { $0.newQuestion() }
        self.apply(await ask(), to: question)
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
    /// Requests share one question; a question that stays open for too long is asked again. A store is read for each
    /// request: with a reading that began earlier, a request would miss a change.
    func refresh(by clock: any AdClock, until deadline: Moment) async {
        guard let ask else { return }
        if self.readsStore { return await self.update() }
        let wait = ClockWait(clock)
        let now = clock.now
        let (id, question) = self.state.withLock { state -> (UInt64, Question?) in
            let id = state.nextID()
            state.waits[id] = wait
            if let open = state.open, now - open.asked < ConsentSource.longestQuestion { return (id, nil) }
            let question = state.newQuestion()
            state.open = (question, now)
            return (id, question)
        }
        if let question {
            clock.work { [weak self] in
                let answer = await ask()
                self?.finish(answer, to: question)
            }
        }
        await wait.wait(until: deadline)
        self.state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    private func finish(_ answer: AdContext.Consent?, to question: Question) {
        self.apply(answer, to: question)
        let waits = self.state.withLock { state -> [ClockWait] in
            guard state.open?.question.number == question.number else { return [] }
            state.open = nil
            defer { state.waits = [:] }
            return Array(state.waits.values)
        }
        for wait in waits { wait.end() }
    }

    /// Sets the answer to a question; what was posted while it was open is newer, and so is a later question's answer.
    private func apply(_ answer: AdContext.Consent?, to question: Question) {
        guard let answer else { return }
        self.state.withLock { state in
            guard state.postCount == question.postCount, question.number > state.answered else { return }
            state.answered = question.number
            if state.apply(answer) { self.unreported.enqueue(answer) }
        }
        self.report()
    }
}
