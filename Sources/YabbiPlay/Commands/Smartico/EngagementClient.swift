import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import SystemSupport
import YabbiAds

/// A session with a server that pushes, with its events in one stream.
final class EngagementClient: Sendable {
    enum Event: Sendable {
        case session(SmarticoEvent)
        case ad(Ad)
        /// The time limit was reached, or the wait was stopped.
        case timeUp
    }

    /// The events, for one reader.
    let events: AsyncStream<Event>

    private let sink: AsyncStream<Event>.Continuation
    private let session: EngagementSession<SmarticoSession>
    private let sockets: AwaitableSockets
    private let forwarding: [Task<Void, Never>]
    private let timer = Locked<Task<Void, Never>?>(nil)

    /// Creates a session, which starts with its first command.
    ///
    /// `onSocket` is called with every event of its connections.
    init(
        _ plan: EngagementPlan,
        _ context: RunContext,
        _ sockets: any SocketTransport,
        onSocket: @escaping @Sendable (SocketEvent) -> Void = { _ in }
    ) {
        let (events, sink) = AsyncStream<Event>.makeStream()
        let awaitable = AwaitableSockets(sockets, onEvent: onSocket)
        let session = EngagementSession(
            SmarticoSession(plan.app),
            services: context.services,
            sockets: awaitable,
            minutesBehindUTC: LocalTime.minutesBehindUTC
        )
        (self.events, self.sink, self.session, self.sockets) = (events, sink, session, awaitable)
        let (sessionEvents, ads) = (session.events, session.ads)
        self.forwarding = [
            Task { for await event in sessionEvents { sink.yield(.session(event)) } },
            Task { for await ad in ads { sink.yield(.ad(ad)) } },
        ]
    }

    func send(_ command: SmarticoCommand) { self.session.send(command) }

    /// Sends `timeUp`, now or after a time.
    func stop(after limit: Duration = .zero) {
        guard limit > .zero else { return _ = self.sink.yield(.timeUp) }
        let timer = Timer.after(limit) { [sink] in sink.yield(.timeUp) }
        let old = self.timer.withLock { current in
            defer { current = timer }
            return current
        }
        old?.cancel()
    }

    /// Cancels a pending `stop(after:)`.
    func cancelStop() { self.timer.withLock { $0 }?.cancel() }

    /// Ends the session, and waits until its messages are sent.
    ///
    /// Earlier events can still be read.
    func close() async {
        self.cancelStop()
        self.session.end()
        await self.sockets.settle(within: .seconds(3))
        for task in self.forwarding { await task.value }
        self.sink.finish()
    }
}
