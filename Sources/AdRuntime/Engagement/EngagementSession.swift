public import AdCore
import AdTrace
import SystemSupport

/// A provider's live session: a connection over which the server pushes ads.
///
/// The session owns its connection and its ads: they end with it or with `end()`, because a page can't work without the
/// session.
///
/// ```swift
/// let machine = SmarticoSession(game)
/// let session = EngagementSession(machine, services: services, sockets: transport, minutesBehindUTC: { _ in 0 })
/// session.send(.logIn(SmarticoUser(id: "u-7")))
/// for await ad in session.ads { try? await ad.show(on: presenter) }
/// ```
public final class EngagementSession<Machine: EngagementMachine>: Sendable {
    /// The ads that can be shown; with several streams each ad goes to one of them.
    ///
    /// Expired ads are left out. When more than 16 ads wait, the oldest are destroyed. A stream that is no longer read
    /// takes no ad from the others.
    public var ads: AsyncStream<Ad> {
        let queue = self.queue
        return AsyncStream { await queue.next() }
    }

    private let provider: ProviderName
    private let context: ProviderContext
    private let sockets: any SocketTransport
    private let minutesBehindUTC: @Sendable (WallTime) -> Int
    private let mailbox = SerialMailbox<Item>()
    private let eventBroadcaster = Broadcaster<Machine.Event>(.bufferingNewest(256))
    private let state: Locked<State>
    private let trace: SessionTraceWriter<Machine>?
    private let queue = EngagementAdQueue(limit: EngagementSession.queueLimit)

    private var services: AdServices { self.context.services }

    /// An item of the session's mailbox.
    private enum Item: Sendable {
        case input(EngagementInput<Machine.Command>)
        /// An event of a connection, the current or an earlier one, with the backlog that counts it; `closed` has none.
        case socket(SocketEvent, of: UInt64, InboundBacklog?)
        /// A message of a page, with the backlog that counts it.
        case message(String, of: PageID, InboundBacklog)
        case timer(EngagementTimer, generation: UInt64)
        case end
    }

    private struct State {
        var machine: Machine
        var random: SplitMix
        var connection: (any SocketConnection)?
        var connections: UInt64 = 0
        var timers: [EngagementTimer: (alarm: AlarmID, generation: UInt64)] = [:]
        var lastGeneration: UInt64 = 0
        var pages: [PageID: WeakAd] = [:]
        var observation: HostObservation?
        var isOver = false
    }

    /// How many ads may wait in the queue.
    private static var queueLimit: Int { 16 }

    /// Creates a session, which does nothing before its first command.
    ///
    /// - Parameters:
    ///   - machine: The provider's session machine.
    ///   - services: The services that ads share.
    ///   - sockets: Opens the connections.
    ///   - minutesBehindUTC: How many minutes local time is behind UTC at a time, as JavaScript's
    ///     `getTimezoneOffset()` returns it.
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
        self.trace = services.trace?.start(machine, seed: seed)
        let observation = services.signals.observe { [weak self] in self?.post(.input(.signal($0))) }
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

    /// Sends a command to the session.
    public func send(_ command: Machine.Command) { self.post(.input(.command(command))) }

    /// Ends the session: closes the connection, destroys its ads, and finishes the streams.
    public func end() { self.post(.end) }

    /// The machine's events from now on; each call returns a new stream, which ends with the session.
    public var events: AsyncStream<Machine.Event> { self.eventBroadcaster.messages }

    /// How many ads wait in the queue.
    var queuedCount: Int { self.queue.count }

    /// How many pages, timers and event streams there are.
    var counts: (pages: Int, timers: Int, streams: Int) {
        let (pages, timers) = self.state.withLock { ($0.pages.count, $0.timers.count) }
        return (pages, timers, self.eventBroadcaster.streamCount)
    }

    private func post(_ item: Item) {
        self.services.clock.workStarted()
        // The posting thread handles a limited number of batches; a task handles what arrived meanwhile.
        self.mailbox.post(item, rounds: 4, handle: self.handleItem) {
            self.services.clock.work { self.mailbox.resume(self.handleItem) }
        }
    }

    private func handleItem(_ item: Item) {
        self.handle(item: item)
        self.services.clock.workEnded()
    }

    /// Posts an event of a connection; closes the connection when its backlog is full.
    private func post(_ event: SocketEvent, of number: UInt64, _ backlog: InboundBacklog) {
        if case .closed = event { return self.post(.socket(event, of: number, nil)) }
        switch backlog.add(event.size) {
        case .fits: self.post(.socket(event, of: number, backlog))
        case .full:
            let text = "the server sent messages faster than they are handled; the connection was closed"
            self.post(.socket(.closed(SocketEnd(.overflow, text)), of: number, nil))
        case .dropped: break
        }
    }

    /// Posts an event of a page; drops messages while the backlog is full.
    private func post(_ event: PageEvent, of page: PageID, _ backlog: InboundBacklog) {
        guard case .message(let text) = event else { return self.post(.input(.page(page, event))) }
        switch backlog.add(text.utf8.count) {
        case .fits: self.post(.message(text, of: page, backlog))
        case .full:
            self.report("page.flood", "the page sends messages faster than they are handled; some were dropped")
        case .dropped: break
        }
    }

    private func handle(item: Item) {
        switch item {
        case .input(let input):
            // A page goes once, and is sent nothing after that.
            if case .page(let page, .gone) = input { _ = self.state.withLock { $0.pages.removeValue(forKey: page) } }
            self.handle(input)
        case .message(let text, let page, let backlog):
            backlog.remove(text.utf8.count)
            self.handle(.page(page, .message(text)))
        case .socket(let event, let number, let backlog):
            backlog?.remove(event.size)
            let isCurrent = self.state.withLock { $0.connection != nil && $0.connections == number }
            guard isCurrent else { return }
            if case .closed = event { self.disconnect() }
            if let event = SessionEvent(event) { self.record(event) }
            self.handle(.socket(event))
        case .timer(let timer, let generation):
            let isSet = self.state.withLock { state in
                guard state.timers[timer]?.generation == generation else { return false }
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
        self.trace?.record(input, at: time, actions)
        for action in actions { self.execute(action) }
    }

    private func execute(_ action: EngagementAction<Machine.Event>) {
        switch action {
        case .connect(let request): self.connect(request)
        case .send(let text): self.state.withLock { $0.connection }?.send(text)
        case .disconnect: self.disconnect()
        case .setTimer(let timer, let moment): self.setTimer(timer, at: moment)
        case .cancelTimer(let timer): self.cancelTimer(timer)
        case .offer(let page, let offer): self.offer(page, offer)
        case .post(let page, let message): self.ad(page)?.sendToPage(message)
        case .ready(let page): self.ad(page)?.post(.stage(.ready))
        case .close(let page): self.ad(page)?.post(.stage(.closeRequested(by: .creative)))
        case .withdraw(let page): self.ad(page)?.destroy()
        case .report(let event):
            self.record(.machineEvent(event))
            self.eventBroadcaster.send(event)
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
        let backlog = InboundBacklog(countLimit: 10_000)
        let connection = self.sockets.open(request) { [weak self] event in self?.post(event, of: number, backlog) }
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
        let generation = self.state.withLock { state in
            state.lastGeneration += 1
            return state.lastGeneration
        }
        let alarm = self.services.clock.schedule(at: moment) { [weak self] in
            self?.post(.timer(timer, generation: generation))
        }
        self.state.withLock { $0.timers[timer] = (alarm, generation) }
    }

    private func cancelTimer(_ timer: EngagementTimer) {
        let alarm = self.state.withLock { $0.timers.removeValue(forKey: timer)?.alarm }
        if let alarm { self.services.clock.cancel(alarm) }
    }

    private func offer(_ page: PageID, _ offer: Offer) {
        let backlog = InboundBacklog(countLimit: 1_000)
        let bridge = PageBridge { [weak self] event in self?.post(event, of: page, backlog) }
        let ad = Ad(id: AdID(bits: self.services.random()), self.context, bridge: bridge, source: .init { _ in offer })
        self.state.withLock { $0.pages[page] = WeakAd(ad: ad) }
        self.services.clock.startWorkImmediately {
            guard (try? await ad.loadSuspendingWork()) != nil else { return }
            for oldest in self.queue.append(ad) { self.discard(oldest) }
        }
    }

    private func discard(_ ad: Ad) {
        self.report("ad.untaken", "too many ads wait for the app; the oldest was destroyed; read `ads` and show them")
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

    /// Reports an issue of the shell, which is no action of the machine.
    private func report(_ code: String, _ text: String) {
        let issue = AdIssue(code, at: .whole, text)
        self.trace?.record(issue, at: self.services.clock.now)
        self.record(.issue(issue))
    }

    private func record(_ event: SessionEvent) {
        guard let observer = self.services.observer else { return }
        observer.observe(SessionRecord(at: self.services.clock.now, provider: self.provider, event: event))
    }
}

extension SocketEvent {
    /// The event's size in a backlog.
    fileprivate var size: Int {
        if case .text(let text) = self { text.utf8.count } else { 0 }
    }
}

/// A weak reference to an ad.
private struct WeakAd: Sendable {
    weak let ad: Ad?
}
