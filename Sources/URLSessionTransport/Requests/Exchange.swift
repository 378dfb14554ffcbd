import AdCore
import SystemSupport

/// Executes what the machine of one request decides.
final class Exchange: Sendable {
    private enum Item: Sendable {
        case input(ExchangeMachine.Input)
        /// URLSession asks whether to follow a redirect; the closure says that it must not.
        case redirect(decline: @Sendable () -> Void)
    }

    private struct State {
        var machine: ExchangeMachine
        var transfer: TransferSessions.Transfer?
        /// Nil after the end.
        var alarms: [Task<Void, Never>]? = []
    }

    let id: UInt64
    let request: AdHTTPRequest
    private let deadline: ContinuousClock.Instant
    private let queue: ExchangeQueue
    private let sessions: TransferSessions
    private let state: Locked<State>
    private let outcome = OneShot<Result<AdHTTPResponse, TransportError>>()
    /// One input at a time, in the order in which they arrived.
    private let mailbox = SerialMailbox<Item>()

    /// How long URLSession has to report the end of a cancelled transfer.
    private static let patience = Duration.seconds(1)

    private init(
        _ request: AdHTTPRequest,
        until deadline: ContinuousClock.Instant,
        in queue: ExchangeQueue,
        over sessions: TransferSessions
    ) {
        self.id = queue.nextID()
        self.request = request
        self.deadline = deadline
        self.queue = queue
        self.sessions = sessions
        self.state = Locked(State(machine: ExchangeMachine(request, allowing: sessions.publicAddresses)))
    }

    /// Sends one request, without following redirects.
    static func send(
        _ request: AdHTTPRequest,
        until deadline: ContinuousClock.Instant,
        in queue: ExchangeQueue,
        over sessions: TransferSessions
    ) async -> Result<AdHTTPResponse, TransportError> {
        let exchange = Exchange(request, until: deadline, in: queue, over: sessions)
        return await withTaskCancellationHandler {
            exchange.setAlarm(at: deadline, .overdue)
            queue.add(exchange)
            return await exchange.outcome.value
        } onCancel: {
            exchange.post(.cancelled)
        }
    }

    // MARK: Inputs

    /// Handles an input, after those that arrived before it.
    func post(_ input: ExchangeMachine.Input) { self.mailbox.post(.input(input)) { self.handle($0) } }

    /// Makes URLSession return a redirect as the response, unless the transfer was cancelled before.
    func decline(_ redirect: @escaping @Sendable () -> Void) {
        self.mailbox.post(.redirect(decline: redirect)) { self.handle($0) }
    }

    private func handle(_ item: Item) {
        switch item {
        case .input(let input):
            for action in self.state.withLock({ $0.machine.handle(input) }) { self.execute(action) }
        case .redirect(let decline): if self.state.withLock(\.machine.isTransferring) { decline() }
        }
    }

    // MARK: Actions

    private func execute(_ action: ExchangeMachine.Action) {
        switch action {
        case .resolve:
            self.setAlarm(at: min(self.deadline, .now + self.request.limits.connecting), .lookUpOverdue)
            AddressLookUp.start(self.request.url.host) { self.post(.resolved($0)) }
        case .startTransfer: self.startTransfer()
        case .cancelTransfer:
            self.setAlarm(at: .now + Exchange.patience, .unresponsive)
            self.state.withLock(\.transfer)?.cancel()
        case .finish(let result): self.finish(result)
        case .leave: self.queue.remove(self)
        }
    }

    private func startTransfer() {
        switch self.sessions.transfer(for: self) {
        case .success(let transfer):
            self.state.withLock { $0.transfer = transfer }
            transfer.start()
        case .failure(let refusal): self.post(refusal.input)
        }
    }

    private func finish(_ result: Result<AdHTTPResponse, TransportError>) {
        let (transfer, alarms) = self.state.withLock { state in
            defer { (state.transfer, state.alarms) = (nil, nil) }
            return (state.transfer, state.alarms ?? [])
        }
        for alarm in alarms { alarm.cancel() }
        if let transfer { self.sessions.forget(transfer) }
        self.queue.remove(self)
        self.outcome.set(result)
    }

    private func setAlarm(at time: ContinuousClock.Instant, _ input: ExchangeMachine.Input) {
        let alarm = Task {
            guard (try? await Task.sleep(until: time, clock: .continuous)) != nil else { return }
            self.post(input)
        }
        let isSet = self.state.withLock { state in
            state.alarms?.append(alarm)
            return state.alarms != nil
        }
        if !isSet { alarm.cancel() }
    }
}
