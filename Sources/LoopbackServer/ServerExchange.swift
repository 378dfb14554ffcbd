import AdCore
import CMicroHTTPD

/// One request and its response on a connection.
///
/// Only the server's thread uses it.
final class ServerExchange {
    /// The size up to which a body over the limit is still read, in bytes.
    ///
    /// A client that is still sending when the connection closes may never see the response with the reason.
    static let drainLimit = 64 << 20

    private enum Phase {
        case headers, body, responding(ServerResponse)
        /// Waits for a response until a time.
        case waiting(ServerResponse, LaterResponse, until: ContinuousClock.Instant)
    }

    private let target: String
    private var phase = Phase.headers
    private var headers: [String: String] = [:]
    private var body: [UInt8] = []
    private var received = 0
    /// The socket that the connection becomes; nil when it stays HTTP.
    private var upgrade: SocketUpgrade?

    init(target: String) { self.target = target }

    /// Handles a callback of libmicrohttpd: the headers, a piece of the body, or its end.
    func advance(
        _ connection: Connection,
        method: String,
        piece: UnsafeRawBufferPointer,
        server: ServerContext
    ) -> MHD_Result {
        switch self.phase {
        case .headers:
            self.phase = .body
            self.headers = ServerExchange.headers(of: connection)
            let head = ServerRequest(method: method, target: self.target, headers: self.headers)
            if let refusal = server.refuse(head) {
                return self.send(refusal, over: connection, server)
            }
            guard self.exceedsLimit(connection, server.bodyLimit) else { return .YES }
            return self.send(ServerExchange.tooLarge(server.bodyLimit), over: connection, server)
        case .body:
            guard piece.isEmpty else { return self.append(piece, server.bodyLimit) }
            let response: ServerResponse
            if self.received > server.bodyLimit {
                response = ServerExchange.tooLarge(server.bodyLimit)
            } else {
                response = server.respond(
                    ServerRequest(method: method, target: self.target, headers: self.headers, body: self.body)
                )
                self.body = []
            }
            server.sockets?.execute(response.commands)
            if let later = response.later {
                return self.wait(for: later, or: response, until: .now + later.limit, connection, server)
            }
            guard response.delay > .zero else { return self.send(response, over: connection, server) }
            self.phase = .responding(response)
            return server.alarms.suspend(connection, until: .now + response.delay) ? .YES : .NO
        case .responding(let response):
            guard !server.alarms.isStopping else { return .NO }
            return self.send(response, over: connection, server)
        case .waiting(let fallback, let later, let deadline):
            return self.wait(for: later, or: fallback, until: deadline, connection, server)
        }
    }

    /// Sends a later response when it is known, or another one at the deadline.
    private func wait(
        for later: LaterResponse,
        or fallback: ServerResponse,
        until deadline: ContinuousClock.Instant,
        _ connection: Connection,
        _ server: ServerContext
    ) -> MHD_Result {
        self.phase = .waiting(fallback, later, until: deadline)
        while true {
            guard !server.alarms.isStopping else { return .NO }
            let generation = later.waker.generation
            let isOver = deadline <= .now
            if let response = later.poll() ?? (isOver ? fallback : nil) {
                // The waiting response is released.
                self.phase = .body
                return self.send(response, over: connection, server)
            }
            if server.alarms.suspend(connection, until: deadline, or: later.waker, since: generation) { return .YES }
        }
    }

    private static func tooLarge(_ limit: Int) -> ServerResponse {
        .failure(413, "the body exceeds \(limit) bytes")
    }

    /// Whether `Content-Length` announces a body that is not worth reading.
    ///
    /// With `Expect` the client waits before it sends the body (RFC 9110 §10.1.1), so the response reaches it at once.
    private func exceedsLimit(_ connection: Connection, _ limit: Int) -> Bool {
        guard let text = MHD_lookup_connection_value(connection.pointer, .HEADER_KIND, "Content-Length"),
            let length = UInt64(String(cString: text))
        else { return false }
        let waits = MHD_lookup_connection_value(connection.pointer, .HEADER_KIND, "Expect") != nil
        return length > UInt64(waits ? limit : max(limit, ServerExchange.drainLimit))
    }

    private func append(_ piece: UnsafeRawBufferPointer, _ limit: Int) -> MHD_Result {
        self.received += piece.count
        guard self.received <= max(limit, ServerExchange.drainLimit) else { return .NO }
        if self.received <= limit {
            self.body.append(contentsOf: piece)
        } else {
            self.body = []
        }
        return .YES
    }

    private static func headers(of connection: Connection) -> [String: String] {
        var headers: [String: String] = [:]
        withUnsafeMutablePointer(to: &headers) { headers in
            _ = MHD_get_connection_values_n(
                connection.pointer,
                .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    guard let headers = context?.assumingMemoryBound(to: [String: String].self), let name else {
                        return .YES
                    }
                    let key = ServerExchange.text(name, nameCount).asciiLowercased
                    let text = value.map { ServerExchange.text($0, valueCount) } ?? ""
                    headers.pointee[key] = headers.pointee[key].map { $0 + ", " + text } ?? text
                    return .YES
                },
                headers
            )
        }
        return headers
    }

    private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func send(_ response: ServerResponse, over connection: Connection, _ server: ServerContext) -> MHD_Result {
        let mhdResponse: OpaquePointer?
        let alarms = server.alarms
        switch (response.ending, response.body, response.bytesPerSecond) {
        case (.whole, _, _) where response.upgrade != nil:
            self.upgrade = response.upgrade
            mhdResponse = ServerExchange.upgrade(server)
        case (.dropped, _, _):
            return .NO
        case (.whole, .bytes(let bytes), nil):
            mhdResponse = bytes.withUnsafeBytes { bytes in
                // The library copies the bytes before this returns; the parameter is mutable for its other modes.
                MHD_create_response_from_buffer(
                    bytes.count,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case (.whole, .live(let body), _):
            mhdResponse = LiveStream(body, over: connection, alarms: alarms).makeResponse()
        case (.cut(_, let declared), _, _):
            mhdResponse = ResponseStream(response, over: connection, alarms: alarms).makeResponse(declared: declared)
        case (.whole, _, _):
            mhdResponse = ResponseStream(response, over: connection, alarms: alarms).makeResponse(
                declared: response.body.count
            )
        }
        guard let mhdResponse else { return .NO }
        defer { MHD_destroy_response(mhdResponse) }
        for field in response.headers.fields { _ = MHD_add_response_header(mhdResponse, field.name, field.value) }
        return MHD_queue_response(connection.pointer, UInt32(response.status), mhdResponse)
    }

    /// A response after which the socket loop has the connection, and the library no longer.
    private static func upgrade(_ server: ServerContext) -> OpaquePointer? {
        // Nothing is retained: the context outlives the daemon, and the exchange its connection.
        MHD_create_response_for_upgrade(
            { context, _, exchange, early, earlyCount, socket, handle in
                guard let handle else { return }
                let extraBytes = Array(UnsafeRawBufferPointer(start: early, count: earlyCount))
                let taken = cmicrohttpd_take_upgraded(socket, handle)
                guard taken >= 0 else { return }
                let connection = UpgradedConnection(socket: taken, extraBytes: extraBytes)
                guard let context, let exchange,
                    let sockets = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue().sockets,
                    let upgrade = Unmanaged<ServerExchange>.fromOpaque(exchange).takeUnretainedValue().upgrade
                else { return connection.close() }
                sockets.adopt(connection, upgrade)
            },
            Unmanaged.passUnretained(server).toOpaque()
        )
    }
}
