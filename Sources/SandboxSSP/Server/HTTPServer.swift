import CMicroHTTPD
import LibC
import SystemSupport

/// What the server's callbacks work with; it outlives the daemon.
final class ServerCore: Sendable {
    let respond: @Sendable (SandboxRequest) -> SandboxReply
    let alarms: ConnectionAlarms
    /// Carries what requests become that are answered with a socket; nil where none are.
    let sockets: SocketLoop?

    init(
        alarms: ConnectionAlarms,
        sockets: SocketLoop?,
        respond: @escaping @Sendable (SandboxRequest) -> SandboxReply
    ) {
        self.alarms = alarms
        self.sockets = sockets
        self.respond = respond
    }
}

/// A loopback HTTP server over libmicrohttpd: one thread carries all connections, another wakes the sleeping ones, and a
/// third has those that have become sockets.
final class HTTPServer: Sendable {
    private struct Running {
        let daemon: OpaquePointer
        /// Retained while the daemon runs: its thread uses it without asking.
        let core: Unmanaged<ServerCore>
    }

    /// The port that it listens on.
    let port: Int
    private let running: Locked<Running?>

    /// A bound socket, before anybody is served: its port goes into the answers.
    struct Listener {
        let port: Int
        fileprivate let socket: Int32

        /// Listens on 127.0.0.1; port 0 takes a free one.
        init(port: Int) throws(SandboxError) {
            guard let wanted = UInt16(exactly: port) else {
                throw SandboxError("\(port) is no port; choose one from 1 to 65535, or 0 for any that is free")
            }
            var chosen: UInt16 = 0
            let socket = cmicrohttpd_listen(wanted, &chosen)
            guard socket >= 0 else {
                let reason = String(cString: strerror(-socket))
                throw SandboxError("port \(port) of 127.0.0.1 can't be listened on: \(reason); port 0 takes a free one")
            }
            self.port = Int(chosen)
            self.socket = socket
        }
    }

    private static let limits = cmicrohttpd_limits(connections: 4096, idle_seconds: 60, header_bytes: 64 << 10)

    /// Serves a listener, which belongs to the server from here on.
    ///
    /// Without somebody who handles sockets there are none.
    init(
        _ listener: Listener,
        sockets handler: SocketLoop.Handler? = nil,
        respond: @escaping @Sendable (SandboxRequest) -> SandboxReply
    ) throws(SandboxError) {
        let alarms = ConnectionAlarms()
        let sockets = handler.flatMap(SocketLoop.init)
        guard let alarms, handler == nil || sockets != nil else {
            alarms?.stop()
            sockets?.stop()
            close(listener.socket)
            throw SandboxError("the system has no thread or pipe left for a sandbox; stop some that are not needed")
        }
        let core = Unmanaged.passRetained(ServerCore(alarms: alarms, sockets: sockets, respond: respond))
        let callbacks = cmicrohttpd_callbacks(
            target: { _, target, _ in
                Unmanaged.passRetained(ServerExchange(target: String(cString: target))).toOpaque()
            },
            request: { context, connection, _, method, _, piece, count, exchange in
                guard let context, let connection, let method, let count, let exchange = exchange?.pointee else {
                    return .NO
                }
                let bytes = UnsafeRawBufferPointer(start: piece, count: count.pointee)
                count.pointee = 0
                return Unmanaged<ServerExchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
                    Connection(pointer: connection),
                    method: String(cString: method),
                    piece: bytes,
                    server: Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                )
            },
            completed: { _, _, exchange, _ in
                guard let pointer = exchange?.pointee else { return }
                Unmanaged<ServerExchange>.fromOpaque(pointer).release()
                exchange?.pointee = nil
            },
            context: core.toOpaque()
        )
        guard let daemon = cmicrohttpd_start(listener.socket, callbacks, HTTPServer.limits) else {
            alarms.stop()
            sockets?.stop()
            core.release()
            throw SandboxError("the system has no thread left for a sandbox; stop some that are not needed")
        }
        self.port = listener.port
        self.running = Locked(Running(daemon: daemon, core: core))
    }

    /// Has orders carried out on the sockets.
    func carryOut(_ orders: [SocketOrder]) {
        let sockets = self.running.withLock { $0?.core.takeUnretainedValue().sockets }
        sockets?.carryOut(orders)
    }

    /// Ends all connections, whatever they wait for, and gives everything back.
    ///
    /// Later calls return when that is done.
    func stop() {
        self.running.withLock { running in
            guard let ended = running else { return }
            running = nil
            // In this order: the library must not be stopped while it has given connections away, or while some sleep.
            ended.core.takeUnretainedValue().sockets?.stop()
            ended.core.takeUnretainedValue().alarms.stop()
            MHD_stop_daemon(ended.daemon)
            ended.core.release()
        }
    }
}
