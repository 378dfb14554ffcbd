import AdCore
import AdRuntime
import SystemLock
import YabbiAds

/// One session with a server that pushes, and what becomes of it in one stream.
final class EngagementDesk: Sendable {
    /// What becomes of a session, and of whoever waits for it.
    enum Happening: Sendable {
        case news(SmarticoNews)
        case ad(Ad)
        /// Nobody wants to wait any longer.
        case timeUp
    }

    /// What happens, for one listener.
    let happenings: AsyncStream<Happening>

    private let sink: AsyncStream<Happening>.Continuation
    private let session: EngagementSession<SmarticoSession>
    private let sockets: PatientSockets
    private let forwarding: [Task<Void, Never>]
    private let timer = Locked<Task<Void, Never>?>(nil)

    /// A session that does nothing until it is told to.
    ///
    /// `hear` is told of everything that becomes of its connections.
    init(
        _ plan: EngagementPlan,
        _ play: Play,
        _ sockets: any SocketTransport,
        hear: @escaping @Sendable (SocketEvent) -> Void = { _ in }
    ) {
        let (happenings, sink) = AsyncStream<Happening>.makeStream()
        let patient = PatientSockets(sockets, hear: hear)
        let session = EngagementSession(
            SmarticoSession(plan.app),
            services: play.services,
            sockets: patient,
            minutesBehindUTC: LocalTime.minutesBehindUTC
        )
        (self.happenings, self.sink, self.session, self.sockets) = (happenings, sink, session, patient)
        let (news, ads) = (session.news, session.ads)
        self.forwarding = [
            Task { for await news in news { sink.yield(.news(news)) } },
            Task { for await ad in ads { sink.yield(.ad(ad)) } },
        ]
    }

    func send(_ command: SmarticoCommand) { self.session.send(command) }

    /// Says that nobody wants to wait any longer, now or after a time.
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

    /// Nobody waits for anything any more.
    func stopWaiting() { self.timer.withLock { $0 }?.cancel() }

    /// Ends the session, and waits until what was said is out; what happened before can still be asked for.
    func close() async {
        self.stopWaiting()
        self.session.end()
        await self.sockets.settle(within: .seconds(3))
        for task in self.forwarding { await task.value }
        self.sink.finish()
    }
}
