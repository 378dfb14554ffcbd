public import AdCore
import SystemSupport

/// Starts the socket loop with the first connection.
final class SocketService: Sendable {
    private enum State {
        case idle
        case running(SocketQueue)
        case ended
    }

    private let configuration: CurlTransport.Configuration
    private let trustStore: TrustStore
    private let state = Locked(State.idle)

    init(_ configuration: CurlTransport.Configuration, _ trustStore: TrustStore) {
        self.configuration = configuration
        self.trustStore = trustStore
    }

    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let failure: String
        do throws(AdSetupError) {
            if let connection = try self.queue()?.open(request, report: report) { return connection }
            failure = "the transport was shut down; create a new one"
        } catch {
            failure = error.description
        }
        // Never report synchronously: the caller may hold a lock that its callback takes.
        Task { report(.closed(SocketEnd(.notOpened(), "Not opened: " + failure))) }
        return CurlSocket(SocketCommandQueue(0, limit: 0, nil))
    }

    func shutDown() {
        let queue = self.state.withLock { state -> SocketQueue? in
            defer { state = .ended }
            guard case .running(let queue) = state else { return nil }
            return queue
        }
        queue?.close()
    }

    /// The queue of the loop, which is started if needed; nil after shutdown.
    private func queue() throws(AdSetupError) -> SocketQueue? {
        let result = self.state.withLock { state -> Result<SocketQueue?, AdSetupError> in
            switch state {
            case .ended: return .success(nil)
            case .running(let queue): return .success(queue)
            case .idle:
                // Under the lock, so that two first connections at the same time start one loop.
                let started = self.start()
                if case .success(.some(let queue)) = started { state = .running(queue) }
                return started
            }
        }
        return try result.get()
    }

    private func start() -> Result<SocketQueue?, AdSetupError> {
        guard let queue = SocketQueue() else {
            let message = "The system can't create a pipe for the sockets; close some files and try again."
            return .failure(AdSetupError(description: message))
        }
        let engine = ClientSocketLoop(self.configuration, self.trustStore, queue)
        guard DedicatedThread.start("yabbi-sockets", { engine.run() }) else {
            let message = "The system can't create a thread for the sockets; end some and try again."
            return .failure(AdSetupError(description: message))
        }
        return .success(queue)
    }
}

extension CurlTransport: SocketTransport {
    /// Opens a connection, and reports its events on the thread of the sockets.
    public func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        self.sockets.open(request, report: report)
    }
}
