import AdCore
import Foundation
import SystemSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session of all WebSockets of a transport, which is created with the first one.
final class SocketSessions: Sendable {
    private enum State {
        case open(URLSession?)
        case closed
    }

    private let delegate = SocketDelegate()
    private let callbacks: OperationQueue
    private let state = Locked(State.open(nil))

    init() {
        self.callbacks = OperationQueue()
        self.callbacks.name = "yabbi-sockets"
        self.callbacks.maxConcurrentOperationCount = 1
    }

    /// Opens a connection.
    func open(
        _ request: SocketRequest,
        report: @escaping @Sendable (SocketEvent) -> Void
    ) -> any SocketConnection {
        let machine = SocketTaskMachine(request)
        guard let made = URLRequest.make(request) else {
            return self.refused("Not opened: Foundation holds no such URL; use another one", report)
        }
        // Under the lock: creating a task in an invalidated session ends the process.
        let task = self.state.withLock { state -> URLSessionWebSocketTask? in
            guard case .open(let session) = state else { return nil }
            let current = session ?? self.session()
            state = .open(current)
            return current.webSocketTask(with: made)
        }
        guard let task else {
            return self.refused("Not opened: the transport was shut down; create a new one", report)
        }
        task.maximumMessageSize = machine.maximumMessageSize
        let socket = TaskSocket(task, machine, report: report) { [delegate] in delegate.remove(task) }
        self.delegate.add(socket, for: task)
        socket.start()
        return TaskSocketHandle(socket)
    }

    private func refused(_ message: String, _ report: @escaping @Sendable (SocketEvent) -> Void) -> TaskSocketHandle {
        // Never report synchronously: the caller may hold a lock that its callback takes.
        Task { report(.closed(SocketEnd(.notOpened(), message))) }
        return TaskSocketHandle(nil)
    }

    /// Closes all connections; later ones are refused.
    func close() {
        let session = self.state.withLock { state -> URLSession? in
            defer { state = .closed }
            guard case .open(let session) = state else { return nil }
            return session
        }
        for socket in self.delegate.all { socket.post(.shutDown) }
        session?.finishTasksAndInvalidate()
    }

    private func session() -> URLSession {
        URLSession(configuration: .withoutStores(), delegate: self.delegate, delegateQueue: self.callbacks)
    }
}

/// Passes what URLSession reports of a task to its connection.
private final class SocketDelegate: NSObject, URLSessionWebSocketDelegate, Sendable {
    private let sockets = Locked<[ObjectIdentifier: TaskSocket]>([:])

    func add(_ socket: TaskSocket, for task: URLSessionTask) {
        self.sockets.withLock { $0[ObjectIdentifier(task)] = socket }
    }

    func remove(_ task: URLSessionTask) {
        self.sockets.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(task)) }
    }

    var all: [TaskSocket] { self.sockets.withLock { Array($0.values) } }

    private func socket(of task: URLSessionTask) -> TaskSocket? {
        self.sockets.withLock { $0[ObjectIdentifier(task)] }
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        self.socket(of: webSocketTask)?.post(.opened)
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        let reason = String(decoding: reason ?? Data(), as: UTF8.self)
        self.socket(of: webSocketTask)?.post(.closedByPeer(code: closeCode.rawValue, reason: reason))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let status = (task.response as? HTTPURLResponse)?.statusCode
        self.socket(of: task)?.post(.ended(error.map { TransferError($0) }, status: status))
    }

    /// A redirect of the handshake is not followed, as `CurlTransport` does not.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension URLRequest {
    /// Creates the request of an opening handshake; nil if Foundation holds no such URL.
    fileprivate static func make(_ request: SocketRequest) -> URLRequest? {
        guard let url = URL(string: PercentEncoding.withoutBrackets(request.url.text)) else { return nil }
        var made = URLRequest(url: url)
        made.httpShouldHandleCookies = false
        // The connection has its own limit, and an open one may be silent for any time.
        made.timeoutInterval = TimeInterval(URLRequest.longestTimeout)
        for field in request.headers.fields where !field.isSetByTransport {
            guard !field.name.asciiLowercased.hasPrefix("sec-websocket-") else { continue }
            made.addValue(field.value.trimmed, forHTTPHeaderField: field.name)
        }
        return made
    }
}
