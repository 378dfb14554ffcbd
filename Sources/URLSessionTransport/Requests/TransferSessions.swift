import AdCore
import Foundation
import SystemSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sessions of a transport: a shared one with persistent connections, and one for each request that must not use
/// such a connection.
///
/// A session is URLSession's only way to a new connection. URLSession repeats a GET silently if a persistent connection
/// is dead, and never on a new one.
final class TransferSessions: Sendable {
    /// Why no transfer was created.
    enum Refusal: Error {
        case shutDown
        case unsendable(String)

        /// The refusal as an input of the exchange.
        var input: ExchangeMachine.Input {
            switch self {
            case .shutDown: .shutDown
            case .unsendable(let why): .unsendable(why)
            }
        }
    }

    /// A task of URLSession, and its session if that has no other.
    struct Transfer: Sendable {
        fileprivate let task: URLSessionDataTask
        fileprivate let ownSession: URLSession?

        /// Starts the task; its own session ends with it.
        func start() {
            self.task.resume()
            self.ownSession?.finishTasksAndInvalidate()
        }

        /// Cancels the task, whose end is still reported.
        func cancel() { self.task.cancel() }
    }

    private enum State {
        /// The shared session is created with the first request that uses it.
        case open(shared: URLSession?)
        case closed
    }

    /// Addresses that are treated as public.
    let publicAddresses: Set<IPAddress>
    private let connectionsPerHost: Int
    private let delegate = TransferDelegate()
    private let callbacks: OperationQueue
    private let state = Locked(State.open(shared: nil))

    init(_ configuration: URLSessionTransport.Configuration) {
        self.publicAddresses = configuration.additionalPublicAddresses
        self.connectionsPerHost = max(1, configuration.connectionsPerHost)
        self.callbacks = OperationQueue()
        self.callbacks.name = "yabbi-urlsession"
        self.callbacks.maxConcurrentOperationCount = 1
    }

    /// Creates the transfer of an exchange, whose events go to it.
    func transfer(for exchange: Exchange) -> Result<Transfer, Refusal> {
        let request: URLRequest
        switch URLRequest.make(exchange.request) {
        case .success(let made): request = made
        case .failure(let refusal): return .failure(refusal)
        }
        guard let transfer = self.transfer(request, of: exchange.request) else { return .failure(.shutDown) }
        self.delegate.add(exchange, for: transfer.task)
        return .success(transfer)
    }

    /// Creates a transfer; nil after the transport was shut down.
    private func transfer(_ request: URLRequest, of original: AdHTTPRequest) -> Transfer? {
        guard original.usesSharedConnections else {
            if case .closed = self.state.withLock({ $0 }) { return nil }
            let session = self.session(withoutProxy: original.reach == .publicOnly)
            return Transfer(task: session.dataTask(with: request), ownSession: session)
        }
        // Under the lock: creating a task in an invalidated session ends the process.
        return self.state.withLock { state in
            guard case .open(let shared) = state else { return nil }
            let session = shared ?? self.session()
            state = .open(shared: session)
            return Transfer(task: session.dataTask(with: request), ownSession: nil)
        }
    }

    /// Drops all later events of a transfer.
    func forget(_ transfer: Transfer) { self.delegate.remove(transfer.task) }

    /// Closes the connections when the running transfers have ended; later ones are refused.
    func close() {
        let shared = self.state.withLock { state -> URLSession? in
            defer { state = .closed }
            guard case .open(let shared) = state else { return nil }
            return shared
        }
        shared?.finishTasksAndInvalidate()
    }

    private func session(withoutProxy: Bool = false) -> URLSession {
        let configuration = URLSessionConfiguration.withoutStores()
        configuration.httpMaximumConnectionsPerHost = self.connectionsPerHost
        if withoutProxy { configuration.connectionProxyDictionary = [:] }
        return URLSession(configuration: configuration, delegate: self.delegate, delegateQueue: self.callbacks)
    }
}

extension URLSessionConfiguration {
    /// Creates a configuration that keeps no cookies, credentials and responses.
    static func withoutStores() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        #if canImport(Darwin)
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            configuration.waitsForConnectivity = false
        #endif
        return configuration
    }
}

extension AdHTTPRequest {
    /// Whether it may use a connection that other requests have used.
    ///
    /// A counted request may not, because URLSession repeats requests on such connections; nor may one that is limited
    /// to public addresses, because the connection may have been opened without that limit.
    fileprivate var usesSharedConnections: Bool { self.repetition == .harmless && self.reach == .anywhere }
}
