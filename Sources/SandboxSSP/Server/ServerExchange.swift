import AdCore
import CMicroHTTPD

/// One request on its way in and its answer on the way out: carries bytes, decides nothing.
///
/// It is touched by the server's thread only.
final class ServerExchange {
    /// The longest body that is taken.
    static let largestBody = 1 << 20
    /// The longest body that is read to its end although it is too long: a client that is still sending when the
    /// connection closes may never see the answer that tells it why.
    static let longestDrain = 64 << 20

    private enum Phase {
        case announced, arriving, answered(SandboxReply)
    }

    private let target: String
    private var phase = Phase.announced
    private var body: [UInt8] = []
    private var received = 0
    /// What the connection goes on as; nil where it stays one for requests.
    private var opening: SocketOpening?

    init(target: String) { self.target = target }

    /// Takes the next piece of news from the library: the headers have come, a piece of the body, the end.
    func proceed(
        _ connection: Connection,
        method: String,
        piece: UnsafeRawBufferPointer,
        server: ServerCore
    ) -> MHD_Result {
        switch self.phase {
        case .announced:
            self.phase = .arriving
            guard self.mustRefuseAtOnce(connection) else { return .YES }
            return self.send(ServerExchange.tooLarge, over: connection, server)
        case .arriving:
            guard piece.isEmpty else { return self.take(piece) }
            let reply: SandboxReply
            if self.received > ServerExchange.largestBody {
                reply = ServerExchange.tooLarge
            } else {
                let headers = ServerExchange.headers(of: connection)
                reply = server.respond(
                    SandboxRequest(method: method, target: self.target, headers: headers, body: self.body)
                )
                self.body = []
            }
            server.sockets?.carryOut(reply.orders)
            guard reply.delay > .zero else { return self.send(reply, over: connection, server) }
            self.phase = .answered(reply)
            return server.alarms.suspend(connection, until: .now + reply.delay) ? .YES : .NO
        case .answered(let reply):
            guard !server.alarms.isStopping else { return .NO }
            return self.send(reply, over: connection, server)
        }
    }

    private static let tooLarge = SandboxReply.failure(
        413,
        "the body is larger than \(ServerExchange.largestBody) bytes, the most that the sandbox takes"
    )

    /// Whether the headers promise a body that is not worth reading, to a client that can still be told.
    private func mustRefuseAtOnce(_ connection: Connection) -> Bool {
        guard let text = MHD_lookup_connection_value(connection.pointer, .HEADER_KIND, "Content-Length"),
            let length = UInt64(String(cString: text))
        else { return false }
        let waits = MHD_lookup_connection_value(connection.pointer, .HEADER_KIND, "Expect") != nil
        return length > UInt64(waits ? ServerExchange.largestBody : ServerExchange.longestDrain)
    }

    private func take(_ piece: UnsafeRawBufferPointer) -> MHD_Result {
        self.received += piece.count
        guard self.received <= ServerExchange.longestDrain else { return .NO }
        if self.received <= ServerExchange.largestBody {
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

    private func send(_ reply: SandboxReply, over connection: Connection, _ server: ServerCore) -> MHD_Result {
        let response: OpaquePointer?
        let alarms = server.alarms
        switch (reply.ending, reply.body, reply.bytesPerSecond) {
        case (.whole, _, _) where reply.opening != nil:
            self.opening = reply.opening
            response = ServerExchange.upgrade(server)
        case (.dropped, _, _):
            return .NO
        case (.whole, .bytes(let bytes), nil):
            response = bytes.withUnsafeBytes { bytes in
                // Copied by the library before this returns; the type is mutable only for its other modes.
                MHD_create_response_from_buffer(
                    bytes.count,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case (.cut(_, let declared), _, _):
            response = ReplyStream(reply, over: connection, alarms: alarms).response(declared: declared)
        case (.whole, _, _):
            response = ReplyStream(reply, over: connection, alarms: alarms).response(declared: reply.body.count)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        for field in reply.headers.fields { _ = MHD_add_response_header(response, field.name, field.value) }
        return MHD_queue_response(connection.pointer, UInt32(reply.status), response)
    }

    /// The answer behind which the library gives its connection away.
    private static func upgrade(_ server: ServerCore) -> OpaquePointer? {
        // Nobody has to be retained: the server outlives its daemon, and the exchange its connection.
        MHD_create_response_for_upgrade(
            { context, _, exchange, early, earlyCount, socket, handle in
                guard let handle else { return }
                let bytes = UnsafeRawBufferPointer(start: early, count: earlyCount)
                let connection = UpgradedConnection(socket: socket, handle: handle, early: Array(bytes))
                guard let context, let exchange,
                    let sockets = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().sockets,
                    let opening = Unmanaged<ServerExchange>.fromOpaque(exchange).takeUnretainedValue().opening
                else { return connection.end() }
                sockets.adopt(connection, opening)
            },
            Unmanaged.passUnretained(server).toOpaque()
        )
    }
}
