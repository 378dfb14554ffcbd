import AdCore
import AdProviders
import AdRuntime
import SystemSupport
import YabbiAds

/// One session with a server that pushes, and what becomes of it in one stream.
final class EngagementClient: Sendable {
    /// What happens to a session, and the end of a wait for it.
    enum Event: Sendable {
        case news(SmarticoEvent)
        case ad(Ad)
        /// The time to wait is over.
        case timeUp
    }

    /// What happens, for one listener.
    let events: AsyncStream<Event>

    private let sink: AsyncStream<Event>.Continuation
    private let session: EngagementSession<SmarticoSession>
    private let sockets: RetryingSockets
    private let forwarding: [Task<Void, Never>]
    private let timer = Locked<Task<Void, Never>?>(nil)

    /// A session that does nothing before its first command.
    ///
    /// `onSocket` is called with every event of its connections.
    init(
        _ plan: EngagementPlan,
        _ context: RunContext,
        _ sockets: any SocketTransport,
        onSocket: @escaping @Sendable (SocketEvent) -> Void = { _ in }
    ) {
        let (events, sink) = AsyncStream<Event>.makeStream()
        let patient = RetryingSockets(sockets, hear: onSocket)
        let session = EngagementSession(
            SmarticoSession(plan.app),
            services: context.services,
            sockets: patient,
            minutesBehindUTC: LocalTime.minutesBehindUTC
        )
        (self.events, self.sink, self.session, self.sockets) = (events, sink, session, patient)
        let (news, ads) = (session.news, session.ads)
        self.forwarding = [
            Task { for await news in news { sink.yield(.news(news)) } },
            Task { for await ad in ads { sink.yield(.ad(ad)) } },
        ]
    }

    func send(_ command: SmarticoCommand) { self.session.send(command) }

    /// Ends the wait, now or after a time.
    func giveUp(after patience: Duration = .zero) {
        guard patience > .zero else { return _ = self.sink.yield(.timeUp) }
        let timer = Task { [sink] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            sink.yield(.timeUp)
        }
        let old = self.timer.withLock { current in
            defer { current = timer }
            return current
        }
        old?.cancel()
    }

    /// Cancels the end of the wait.
    func stopWaiting() { self.timer.withLock { $0 }?.cancel() }

    /// Ends the session, and waits until its messages are sent; earlier events can still be read.
    func close() async {
        self.stopWaiting()
        self.session.end()
        await self.sockets.settle(within: .seconds(3))
        for task in self.forwarding { await task.value }
        self.sink.finish()
    }
}
