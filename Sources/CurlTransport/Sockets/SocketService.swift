public import AdCore
import SystemSupport

/// Starts the loop of the sockets with the first of them.
final class SocketService: Sendable {
    private enum State {
        case idle
        case running(SocketQueue)
        case ended
    }

    private let configuration: CurlTransport.Configuration
    private let trust: Trust
    private let state = Locked(State.idle)

    init(_ configuration: CurlTransport.Configuration, _ trust: Trust) {
        self.configuration = configuration
        self.trust = trust
    }

    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let refusal: String
        do throws(AdSetupError) {
            if let connection = try self.queue()?.open(request, report: report) { return connection }
            refusal = "the transport was shut down; make a new one"
        } catch {
            refusal = error.description
        }
        // Never from within: whoever opens may hold a lock that its report takes.
        Task { report(.closed(SocketEnd(.notOpened(), "Not opened: " + refusal))) }
        return CurlSocket(SocketDoor(0, limit: 0, nil))
    }

    func shutDown() {
        let queue = self.state.withLock { state -> SocketQueue? in
            defer { state = .ended }
            guard case .running(let queue) = state else { return nil }
            return queue
        }
        queue?.close()
    }

    /// The way to the loop, which is started where it does not run; nil where none shall run any more.
    private func queue() throws(AdSetupError) -> SocketQueue? {
        let result = self.state.withLock { state -> Result<SocketQueue?, AdSetupError> in
            switch state {
            case .ended: return .success(nil)
            case .running(let queue): return .success(queue)
            case .idle:
                // Under the lock, so that two who come first at once start one loop; it is done once.
                let started = self.start()
                if case .success(.some(let queue)) = started { state = .running(queue) }
                return started
            }
        }
        return try result.get()
    }

    private func start() -> Result<SocketQueue?, AdSetupError> {
        guard let queue = SocketQueue() else {
            let words = "The system gave no pipe for the sockets; close some files and try again."
            return .failure(AdSetupError(description: words))
        }
        let engine = SocketEngine(self.configuration, self.trust, queue)
        guard DedicatedThread.start("yabbi-sockets", { engine.run() }) else {
            let words = "The system gave no thread for the sockets; close some and try again."
            return .failure(AdSetupError(description: words))
        }
        return .success(queue)
    }
}

extension CurlTransport: SocketTransport {
    /// Opens a connection and tells what becomes of it, on the thread of the sockets.
    public func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        self.sockets.open(request, report: report)
    }
}
