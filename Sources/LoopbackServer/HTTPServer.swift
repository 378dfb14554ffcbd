import CMicroHTTPD
import LibC
import SystemSupport

/// The context of the server's callbacks; it outlives the daemon.
final class ServerContext: Sendable {
    /// The size limit for bodies, in bytes.
    let bodyLimit: Int
    let refuse: @Sendable (ServerRequest) -> ServerResponse?
    let respond: @Sendable (ServerRequest) -> ServerResponse
    let alarms: ConnectionAlarms
    /// The loop of the sockets; nil when the server opens none.
    let sockets: SocketLoop?

    init(
        bodyLimit: Int,
        alarms: ConnectionAlarms,
        sockets: SocketLoop?,
        refuse: @escaping @Sendable (ServerRequest) -> ServerResponse?,
        respond: @escaping @Sendable (ServerRequest) -> ServerResponse
    ) {
        self.bodyLimit = bodyLimit
        self.refuse = refuse
        self.alarms = alarms
        self.sockets = sockets
        self.respond = respond
    }
}

/// Handles events of sockets, or none when only time has passed, and returns the commands.
package typealias SocketHandler = @Sendable ([ServerSocketEvent]) -> SocketOutput

/// A loopback HTTP server on libmicrohttpd.
///
/// One thread serves all connections, a second resumes suspended ones, and a third runs the sockets.
package final class HTTPServer: Sendable {
    private struct Running {
        let daemon: OpaquePointer
        /// Retained while the daemon runs, because the daemon's thread uses it.
        let serverContext: Unmanaged<ServerContext>
    }

    /// The port that the server listens on.
    package let port: Int
    private let running: Locked<Running?>

    /// A listening socket; it exists before the server, because responses contain its port.
    package struct Listener {
        package let port: Int
        fileprivate let socket: Int32

        /// Listens on 127.0.0.1, or on all addresses of this computer; port 0 selects a free one.
        package init(port: Int, everywhere: Bool = false) throws(ServerError) {
            guard let wanted = UInt16(exactly: port) else {
                throw ServerError("invalid port \(port); use 1 to 65535, or 0 for a free port")
            }
            var chosen: UInt16 = 0
            let socket = cmicrohttpd_listen(wanted, everywhere ? 1 : 0, &chosen)
            guard socket >= 0 else {
                let reason = String(cString: strerror(-socket))
                let address = everywhere ? "0.0.0.0" : "127.0.0.1"
                throw ServerError("can't listen on \(address):\(port): \(reason); use port 0 for a free port")
            }
            self.port = Int(chosen)
            self.socket = socket
        }
    }

    private static let limits = cmicrohttpd_limits(connections: 16_384, idle_seconds: 60, header_bytes: 64 << 10)

    /// Starts a server on a listener and takes ownership of it.
    ///
    /// Without a socket handler no request can open a socket. One beyond `socketLimit` is closed after its handshake.
    /// `refuse` decides by the headers, before a body is read.
    package init(
        _ listener: Listener,
        bodyLimit: Int = 1 << 20,
        socketLimit: Int = 16_384,
        sockets handler: SocketHandler? = nil,
        refuse: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil },
        respond: @escaping @Sendable (ServerRequest) -> ServerResponse
    ) throws(ServerError) {
        let alarms = ConnectionAlarms()
        let sockets = handler.flatMap { SocketLoop(limit: socketLimit, $0) }
        guard let alarms, handler == nil || sockets != nil else {
            alarms?.stop()
            sockets?.stop()
            close(listener.socket)
            throw ServerError("the system has no thread or pipe left; stop other programs")
        }
        let serverContext = Unmanaged.passRetained(
            ServerContext(bodyLimit: bodyLimit, alarms: alarms, sockets: sockets, refuse: refuse, respond: respond)
        )
        let callbacks = HTTPServer.callbacks(of: serverContext)
        guard let daemon = cmicrohttpd_start(listener.socket, callbacks, HTTPServer.limits) else {
            alarms.stop()
            sockets?.stop()
            serverContext.release()
            throw ServerError("the system has no thread left; stop other programs")
        }
        self.port = listener.port
        self.running = Locked(Running(daemon: daemon, serverContext: serverContext))
    }

    /// The functions that the library calls, with the context.
    private static func callbacks(of context: Unmanaged<ServerContext>) -> cmicrohttpd_callbacks {
        cmicrohttpd_callbacks(
            target: { _, target, _ in
                Unmanaged.passRetained(ServerExchange(target: String(cString: target))).toOpaque()
            },
            request: { context, connection, _, method, _, piece, count, exchange in
                guard let context, let connection, let method, let count, let exchange = exchange?.pointee else {
                    return .NO
                }
                let bytes = UnsafeRawBufferPointer(start: piece, count: count.pointee)
                count.pointee = 0
                return Unmanaged<ServerExchange>.fromOpaque(exchange).takeUnretainedValue().advance(
                    Connection(pointer: connection),
                    method: String(cString: method),
                    piece: bytes,
                    server: Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
                )
            },
            completed: { _, _, exchange, _ in
                guard let pointer = exchange?.pointee else { return }
                Unmanaged<ServerExchange>.fromOpaque(pointer).release()
                exchange?.pointee = nil
            },
            context: context.toOpaque()
        )
    }

    /// Sends commands to the sockets.
    package func execute(_ commands: [SocketCommand]) {
        let sockets = self.running.withLock { $0?.serverContext.takeUnretainedValue().sockets }
        sockets?.execute(commands)
    }

    /// Closes all connections and releases everything.
    ///
    /// A second call returns when the first is done.
    package func stop() {
        self.running.withLock { running in
            guard let ended = running else { return }
            running = nil
            // In this order: the library must not be stopped while connections are suspended.
            ended.serverContext.takeUnretainedValue().sockets?.stop()
            ended.serverContext.takeUnretainedValue().alarms.stop()
            MHD_stop_daemon(ended.daemon)
            ended.serverContext.release()
        }
    }
}
