import AdCore
import LoopbackServer
import WebSocketCodec

@testable import SandboxSSP

extension Samples {
    static let label = Sandbox.TestKeys.smarticoLabelKey
    static let brand = Sandbox.TestKeys.smarticoBrandKey
    private static let agent: AdJSON = [
        "fp": 12, "agent": "Test/1.0", "host": "app.example", "device_type": "NATIVE_PHONE", "tzoffset": -180,
        "os": "iOS",
    ]

    /// `INIT_SESSION` as in Smartico's documentation, with some members changed; nil removes a member.
    static func initiate(_ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "cid": 3, "label_key": .string(self.label), "brand_key": nil, "device_id": "d-1", "ua": self.agent,
                "page": "https://app.example/", "tracker_version": "1.2.3", "session_id": "s-1",
                "ts": 1_700_000_000_000,
                "uuid": "u-3",
            ],
            changes
        )
    }

    /// `IDENTIFY` as in Smartico's documentation, with some members changed; nil removes a member.
    static func identify(_ user: String = "malva", _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(
            [
                "cid": 5, "ext_user_id": .string(user), "hash": nil, "ua": self.agent, "page": "https://app.example/",
                "pushNotificationUserStatus": 0, "token": "t-1", "tracker_version": "1.2.3", "platform": 6,
                "payload": [:], "ts": 1_700_000_000_001, "uuid": "u-5",
            ],
            changes
        )
    }

    /// A message of a class, with additional members.
    static func message(_ cid: Int, _ changes: [String: AdJSON?] = [:]) -> AdJSON {
        self.changed(["cid": .int(cid), "ts": 1_700_000_000_002, "uuid": "u-x"], changes)
    }
}

extension SandboxState {
    /// Delivers a message on a socket and returns the actions for that socket.
    mutating func receive(_ message: AdJSON, on socket: Int = 1, at time: Int64 = 0) -> [SocketAction] {
        self.receive(.text(message.text()), on: socket, at: time)
    }

    mutating func receive(_ message: WebSocketMessage, on socket: Int = 1, at time: Int64 = 0) -> [SocketAction] {
        let output = self.handle([.received(socket, message)], at: WallTime(milliseconds: time))
        return output.commands.filter { $0.socket == socket }.map(\.action)
    }

    /// Opens a socket.
    mutating func open(_ socket: Int = 1, fault: Sandbox.SocketFault? = nil, at time: Int64 = 0) {
        _ = self.handle([.opened(socket, SocketUpgrade(fault))], at: WallTime(milliseconds: time))
    }

    /// Opens a socket, starts a session and identifies the user; returns the actions of the last message.
    mutating func startSession(_ user: String, on socket: Int = 1, fault: Sandbox.SocketFault? = nil) -> [SocketAction]
    {
        self.open(socket, fault: fault)
        _ = self.receive(Samples.initiate(), on: socket)
        return self.receive(Samples.identify(user), on: socket)
    }
}

extension SocketAction {
    /// The JSON of a text message.
    var json: AdJSON? {
        guard case .send(.text(let text)) = self else { return nil }
        return try? AdJSON(parsing: text)
    }

    var cid: Int? { self.json?["cid"]?.number.flatMap { Int(exactly: $0) } }
}

extension [SocketAction] {
    var cids: [Int?] { self.map(\.cid) }
}

/// A WebSocket client of a sandbox.
final class SocketWire {
    let wire: Wire
    /// Retained as long as the client: a sandbox without references stops.
    var sandbox: Sandbox?
    private var reader = WebSocketReader(as: .client, maxMessageSize: 4 << 20)
    private let writer = WebSocketWriter(as: .client)
    private var extraBytes: [UInt8]
    private var received: [WebSocketMessage] = []

    static let target = "/websocket/services?master&domain=app.example&version=1.2.3"

    /// Connects and performs the handshake.
    init(_ port: Int) throws {
        self.wire = try Wire(port)
        var handshake = WebSocketHandshake(random: (1, 2))
        self.wire.send(handshake.request(host: self.wire.host, target: SocketWire.target))
        while let bytes = try self.wire.read() {
            if let rest = try handshake.read(bytes) {
                self.extraBytes = rest
                return
            }
        }
        throw Wire.Failure(description: "the connection closed during the handshake")
    }

    /// Sends a message.
    @discardableResult
    func send(_ message: WebSocketMessage) -> Bool { self.wire.send(self.writer.frame(message, mask: 0x1234_5678)) }

    /// Sends a JSON text.
    @discardableResult
    func send(_ message: AdJSON) -> Bool { self.send(.text(message.text())) }

    /// The next message; nil when the server has closed.
    func next() throws -> WebSocketMessage? {
        while self.received.isEmpty {
            guard let bytes = try self.bytes() else { return nil }
            try self.reader.read(bytes) { self.received.append($0) }
        }
        return self.received.removeFirst()
    }

    /// The next bytes, frames or not; nil when the server has closed.
    func bytes() throws -> [UInt8]? {
        guard self.extraBytes.isEmpty else {
            defer { self.extraBytes = [] }
            return self.extraBytes
        }
        return try self.wire.read()
    }

    /// The JSON of the next message.
    func json() throws -> AdJSON? {
        guard case .text(let text) = try self.next() else { return nil }
        return try AdJSON(parsing: text)
    }

    /// Starts a session and identifies the user; returns the response to that.
    @discardableResult
    func startSession(_ user: String) throws -> AdJSON? {
        self.send(Samples.initiate())
        _ = try self.json()
        self.send(Samples.identify(user))
        return try self.json()
    }
}
