public import AdCore
import AdTrace
import SystemSupport

/// A provider's live session: connected as long as it is wanted, with ads as the server pushes them.
///
/// It owns its connection and the pages that it has given: they end with it, or earlier with `end()`, for a page without
/// its session could neither be told anything nor go.
///
/// ```swift
/// let machine = SmarticoSession(game)
/// let session = EngagementSession(machine, services: services, sockets: transport, minutesBehindUTC: { _ in 0 })
/// session.send(.logIn(SmarticoUser(id: "u-7")))
/// for await ad in session.ads { try? await ad.show(on: presenter) }
/// ```
public final class EngagementSession<Machine: EngagementMachine>: Sendable {
    /// The ads that can be shown, each once, to whoever asks first.
    ///
    /// An ad that nobody shows in time expires by itself and does not come any more. Of more than a few that nobody has
    /// asked for the oldest are let go. A listener that stops listening takes none from the next one.
    public var ads: AsyncStream<Ad> {
        let queue = self.queue
        return AsyncStream { await queue.next() }
    }

    private let provider: ProviderName
    private let context: ProviderContext
    private let sockets: any SocketTransport
    private let minutesBehindUTC: @Sendable (WallTime) -> Int
    private let mailbox = SerialMailbox<Mail>()
    private let eventBroadcaster = Broadcaster<Machine.Event>(.bufferingNewest(256))
    private let state: Locked<State>
    private let tape: SessionTraceWriter<Machine>?
    private let queue = EngagementAdQueue(most: EngagementSession.mostWaiting)

    private var services: AdServices { self.context.services }

    /// What the mailbox takes.
    private enum Mail: Sendable {
        case input(EngagementInput<Machine.Command>)
        /// News of a connection, of the present one or of one before, and where it was counted; an end is not.
        case socket(SocketEvent, of: UInt64, InboundBacklog?)
        /// What a page said, and where it was counted.
        case message(String, of: PageID, InboundBacklog)
        case timer(EngagementTimer, setting: UInt64)
        case end
    }

    private struct State {
        var machine: Machine
        var random: SplitMix
        var connection: (any SocketConnection)?
        var connections: UInt64 = 0
        var timers: [EngagementTimer: (alarm: AlarmID, setting: UInt64)] = [:]
        var settings: UInt64 = 0
        var pages: [PageID: WeakAd] = [:]
        var observation: HostObservation?
        var isOver = false
    }

    /// How many ads wait for whoever takes them.
    private static var mostWaiting: Int { 16 }

    /// A session that does nothing until it is told to.
    ///
    /// - Parameters:
    ///   - machine: The provider's session.
    ///   - services: The clock, the stage and all that ads share.
    ///   - sockets: Opens the connections.
    ///   - minutesBehindUTC: How many minutes local time lies behind UTC at a time, as a browser tells it.
    public init(
        _ machine: Machine,
        services: AdServices,
        sockets: any SocketTransport,
        minutesBehindUTC: @escaping @Sendable (WallTime) -> Int
    ) {
        self.provider = machine.provider
        self.context = ProviderContext(provider: machine.provider, openMode: .inApp, services: services)
        self.sockets = sockets
        self.minutesBehindUTC = minutesBehindUTC
        let seed = services.random()
        self.state = Locked(State(machine: machine, random: SplitMix(seed: seed)))
        self.tape = services.trace?.begin(machine, seed: seed)
        let observation = services.signals.observe { [weak self] in self?.put(.input(.signal($0))) }
        self.state.withLock { $0.observation = observation }
    }

    deinit {
        let state = self.state.withLock { $0 }
        for timer in state.timers.values { self.services.clock.cancel(timer.alarm) }
        state.observation?.cancel()
        state.connection?.close()
        for page in state.pages.values { page.ad?.destroy() }
        self.queue.finish()
    }

    /// Wants something of the session.
    public func send(_ command: Machine.Command) { self.put(.input(.command(command))) }

    /// Ends the session: the connection is closed, and neither an ad nor news comes any more.
    public func end() { self.put(.end) }

    /// What happens besides ads, from now on; each call gives a stream of its own, which ends with the session.
    public var news: AsyncStream<Machine.Event> { self.eventBroadcaster.messages }

    /// How many ads wait for whoever takes them.
    var untaken: Int { self.queue.count }

    /// How many pages, timers and listeners there are now.
    var counts: (pages: Int, timers: Int, listeners: Int) {
        let (pages, timers) = self.state.withLock { ($0.pages.count, $0.timers.count) }
        return (pages, timers, self.eventBroadcaster.streamCount)
    }

    private func put(_ mail: Mail) {
        self.services.clock.workBegan()
        // Whoever puts something in handles it, but not for ever what others put in meanwhile.
        self.mailbox.post(mail, rounds: 4, handle: self.handled) {
            self.services.clock.work { self.mailbox.resume(self.handled) }
        }
    }

    private func handled(_ mail: Mail) {
        self.take(mail)
        self.services.clock.workEnded()
    }

    /// Takes news of a connection; one that says more than can be handled is given up.
    private func put(_ event: SocketEvent, of number: UInt64, _ backlog: InboundBacklog) {
        if case .closed = event { return self.put(.socket(event, of: number, nil)) }
        switch backlog.add(event.size) {
        case .fits: self.put(.socket(event, of: number, backlog))
        case .full:
            let text = "the server said more than could be handled, and the connection was given up"
            self.put(.socket(.closed(SocketEnd(.overflow, text)), of: number, nil))
        case .dropped: break
        }
    }

    /// Takes news of a page; where one says more than can be handled the rest is dropped.
    private func put(_ event: PageEvent, of page: PageID, _ backlog: InboundBacklog) {
        guard case .message(let text) = event else { return self.put(.input(.page(page, event))) }
        switch backlog.add(text.utf8.count) {
        case .fits: self.put(.message(text, of: page, backlog))
        case .full:
            self.note("page.flood", "a page says more than can be handled, and the rest was dropped")
        case .dropped: break
        }
    }

    private func take(_ mail: Mail) {
        switch mail {
        case .input(let input):
            // Each page goes once, and is never told anything again.
            if case .page(let page, .gone) = input { _ = self.state.withLock { $0.pages.removeValue(forKey: page) } }
            self.handle(input)
        case .message(let text, let page, let backlog):
            backlog.remove(text.utf8.count)
            self.handle(.page(page, .message(text)))
        case .socket(let event, let number, let backlog):
            backlog?.remove(event.size)
            let isPresent = self.state.withLock { $0.connection != nil && $0.connections == number }
            guard isPresent else { return }
            if case .closed = event { self.disconnect() }
            if let told = SessionEvent(event) { self.record(told) }
            self.handle(.socket(event))
        case .timer(let timer, let setting):
            let isSet = self.state.withLock { state in
                guard state.timers[timer]?.setting == setting else { return false }
                state.timers[timer] = nil
                return true
            }
            if isSet { self.handle(.timer(timer)) }
        case .end: self.finish()
        }
    }

    private func handle(_ input: EngagementInput<Machine.Command>) {
        let clock = self.services.clock
        let wall = clock.wallTime
        let time = EngagementTime(now: clock.now, wall: wall, minutesBehindUTC: self.minutesBehindUTC(wall))
        let actions = self.state.withLock { state in
            state.isOver ? nil : state.machine.handle(input, at: time, random: &state.random)
        }
        guard let actions else { return }
        self.tape?.note(input, at: time, actions)
        for action in actions { self.carryOut(action) }
    }

    private func carryOut(_ action: EngagementAction<Machine.Event>) {
        switch action {
        case .connect(let request): self.connect(request)
        case .send(let text): self.state.withLock { $0.connection }?.send(text)
        case .disconnect: self.disconnect()
        case .setTimer(let timer, let moment): self.setTimer(timer, at: moment)
        case .cancelTimer(let timer): self.cancelTimer(timer)
        case .offer(let page, let offer): self.offer(page, offer)
        case .post(let page, let message): self.ad(page)?.post(message)
        case .ready(let page): self.ad(page)?.put(.stage(.ready))
        case .close(let page): self.ad(page)?.put(.stage(.closeRequested(by: .creative)))
        case .withdraw(let page): self.ad(page)?.destroy()
        case .news(let news):
            self.record(.news(news))
            self.eventBroadcaster.send(news)
        case .issue(let issue): self.record(.issue(issue))
        }
    }

    private func connect(_ request: SocketRequest) {
        let (old, number) = self.state.withLock { state in
            state.connections += 1
            defer { state.connection = nil }
            return (state.connection, state.connections)
        }
        old?.close()
        self.record(.connecting(request.url))
        let backlog = InboundBacklog(most: 10_000)
        let connection = self.sockets.open(request) { [weak self] event in self?.put(event, of: number, backlog) }
        self.state.withLock { $0.connection = connection }
    }

    private func disconnect() {
        let connection = self.state.withLock { state in
            defer { state.connection = nil }
            return state.connection
        }
        connection?.close()
    }

    private func setTimer(_ timer: EngagementTimer, at moment: Moment) {
        self.cancelTimer(timer)
        let setting = self.state.withLock { state in
            state.settings += 1
            return state.settings
        }
        let alarm = self.services.clock.schedule(at: moment) { [weak self] in
            self?.put(.timer(timer, setting: setting))
        }
        self.state.withLock { $0.timers[timer] = (alarm, setting) }
    }

    private func cancelTimer(_ timer: EngagementTimer) {
        let alarm = self.state.withLock { $0.timers.removeValue(forKey: timer)?.alarm }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func offer(_ page: PageID, _ offer: Offer) {
        let backlog = InboundBacklog(most: 1_000)
        let bridge = PageBridge { [weak self] event in self?.put(event, of: page, backlog) }
        let ad = Ad(id: AdID(bits: self.services.random()), self.context, bridge: bridge, source: .init { _ in offer })
        self.state.withLock { $0.pages[page] = WeakAd(ad: ad) }
        self.services.clock.workAtOnce {
            guard (try? await ad.loadAtRest()) != nil else { return }
            for oldest in self.queue.put(ad) { self.letGo(oldest) }
        }
    }

    private func letGo(_ ad: Ad) {
        self.note("ad.untaken", "nobody takes the ads, and one was let go")
        ad.destroy()
    }

    private func ad(_ page: PageID) -> Ad? { self.state.withLock { $0.pages[page]?.ad } }

    private func finish() {
        let state = self.state.withLock { state -> State in
            let ended = state
            state.isOver = true
            state.connection = nil
            state.timers = [:]
            state.pages = [:]
            state.observation = nil
            return ended
        }
        guard !state.isOver else { return }
        for timer in state.timers.values { self.services.clock.cancel(timer.alarm) }
        state.observation?.cancel()
        state.connection?.close()
        self.eventBroadcaster.finish()
        for page in state.pages.values { page.ad?.destroy() }
        self.queue.finish()
    }

    /// Tells of what no machine has decided.
    private func note(_ code: String, _ text: String) {
        let issue = AdIssue(code, at: .whole, text)
        self.tape?.note(issue, at: self.services.clock.now)
        self.record(.issue(issue))
    }

    private func record(_ event: SessionEvent) {
        guard let observer = self.services.observer else { return }
        observer.observe(SessionRecord(at: self.services.clock.now, provider: self.provider, event: event))
    }
}

extension SocketEvent {
    /// How many bytes wait with it.
    fileprivate var size: Int {
        if case .text(let text) = self { text.utf8.count } else { 0 }
    }
}

/// An ad, as long as somebody else wants it.
private struct WeakAd: Sendable {
    weak let ad: Ad?
}
