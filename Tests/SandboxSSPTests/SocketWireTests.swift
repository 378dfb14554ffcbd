import AdCore
import LibC
import LoopbackServer
import TestSupport
import Testing
import WebSocketCodec

@testable import SandboxSSP

@Suite("Sockets, over the network")
struct SocketWireTests {
    @Test("a session goes from the handshake to a popup, and every message is a hit")
    func conversation() throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        wire.send(Samples.initiate())
        #expect(try wire.json()?["cid"] == 4)
        wire.send(Samples.identify("u-popup"))
        #expect(try wire.json()?["cid"] == 6)
        let popup = try #require(try wire.json())
        wire.send(Samples.message(1101, ["engagement_uid": popup["engagement_uid"]]))
        wire.send(Samples.message(1101, ["engagement_uid": popup["engagement_uid"]]))
        try awaitHits(5, of: sandbox)
        let hits = sandbox.hits()
        #expect(hits.map(\.method) == ["GET", "WS", "WS", "WS", "WS"])
        #expect(hits.allSatisfy { $0.isCounted && $0.path == "/websocket/services" })
        #expect(hits[1].body == Samples.initiate().bytes())
        #expect(sandbox.bill().views == 1 && sandbox.bill().repeats == 1)
        #expect(sandbox.requests().isEmpty)
    }

    @Test(
        "an invalid handshake is refused with its status",
        arguments: [
            (["Upgrade": nil], SocketWire.target, 426), (["Connection": nil], SocketWire.target, 426),
            (["Sec-WebSocket-Version": "8"], SocketWire.target, 426),
            (["Sec-WebSocket-Version": nil], SocketWire.target, 426),
            (["Sec-WebSocket-Key": nil], SocketWire.target, 400),
            (["Sec-WebSocket-Key": "dGhl"], SocketWire.target, 400),
            (["Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=A"], SocketWire.target, 400),
            ([:], "/websocket/services", 400), ([:], "/websocket/services?master&domain=x", 400),
            ([:], "/websocket/services?domain=x&version=1", 400), ([:], "/websocket/services?master&version=1", 400),
            ([:], "/t/x", 200),
        ] as [([String: String?], String, Int)]
    )
    func handshake(changes: [String: String?], target: String, status: Int) throws {
        let sandbox = try Samples.sandbox()
        var headers = [
            "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        ]
        for (name, value) in changes { headers[name] = value }
        let wire = try Wire(sandbox.port)
        wire.request("GET", target, headers: headers)
        let answer = try wire.response()
        #expect(answer.status == status)
        if status == 426 { #expect(answer.headers["sec-websocket-version"] == "13") }
        if status != 200 { #expect(sandbox.hits().map(\.isCounted) == [false]) }
    }

    @Test("frames may arrive in pieces, with the request, and between other frames")
    func pieces() throws {
        let sandbox = try Samples.sandbox()
        let writer = WebSocketWriter(as: .client)
        let first = writer.frame(.text(Samples.initiate().text()), mask: 7)
        let handshake = WebSocketHandshake(random: (3, 4))
        let wire = try Wire(sandbox.port)
        wire.send(handshake.request(host: wire.host, target: SocketWire.target) + first)
        for byte in writer.frame(.ping(Array("still?".utf8)), mask: 9) { wire.send([byte]) }
        #expect(try wire.response().status == 101)
        var reader = WebSocketReader(as: .client)
        var messages: [WebSocketMessage] = []
        while messages.count < 2, let bytes = try wire.read() { try reader.read(bytes) { messages.append($0) } }
        #expect(messages.contains(.pong(Array("still?".utf8))))
        #expect(sandbox.hits().count == 2)
    }

    @Test("a close frame is answered, then the connection closes")
    func closeFrame() throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        wire.send(.close(WebSocketClosure(.normal, "enough")))
        #expect(try wire.next() == .close(WebSocketClosure(.normal)))
        #expect(try wire.next() == nil)
    }

    @Test(
        "a protocol error closes the socket with its status code",
        arguments: [
            ([0x81, 0x01, 0x61], WebSocketClosure.Code.protocolError), ([0xF1, 0x80, 0, 0, 0, 0], .protocolError),
            ([0x81, 0x81, 0, 0, 0, 0, 0xFF], .invalidText), ([0x82, 0x80, 0, 0, 0, 0], .unacceptable),
            ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x20, 0, 0, 1, 2, 3, 4], .tooLarge),
        ] as [([UInt8], WebSocketClosure.Code)]
    )
    func protocolFaults(bytes: [UInt8], code: WebSocketClosure.Code) throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        wire.wire.send(bytes)
        guard case .close(let closure) = try wire.next() else {
            Issue.record("no close frame")
            return
        }
        #expect(closure.code == code && !closure.reason.isEmpty)
        #expect(try wire.next() == nil)
    }

    @Test("the server sends pings and disconnects a client without pongs")
    func pings() throws {
        var configuration = Sandbox.Configuration()
        configuration.pingInterval = .milliseconds(20)
        let sandbox = try Sandbox.start(configuration)
        let wire = try SocketWire(sandbox.port)
        try wire.startSession("malva")
        for _ in 0..<5 {
            let ping = try #require(try wire.json())
            #expect(ping["cid"] == 1)
            wire.send(Samples.message(2, ["uuid": ping["uuid"]]))
        }
        var end: WebSocketMessage?
        while let message = try wire.next() { end = message }
        #expect(end == .close(WebSocketClosure(.goingAway, "2 pings were not answered")))
    }

    @Test("a push reaches the sockets of its user, from the process and over HTTP")
    func push() throws {
        let sandbox = try Samples.sandbox()
        let wires = try (0..<3).map { _ in try SocketWire(sandbox.port) }
        for (index, wire) in wires.enumerated() { try wire.startSession(index < 2 ? "malva" : "other") }
        #expect(sandbox.push(.popup, to: "malva", count: 2) == 2)
        for wire in wires[..<2] { for _ in 0..<2 { #expect(try wire.json()?["cid"] == 110) } }
        let body = #"{"user":"other","kind":"game"}"#
        #expect(try fetch(sandbox.port, "POST", "/sandbox/push", body: body).json == ["sockets": 1])
        #expect(try wires[2].json()?["cid"] == 707)
        #expect(sandbox.push(.raw(["cid": 110, "x": nil]), to: "other") == 1)
        #expect(try wires[2].next() == .text(#"{"cid":110,"x":null}"#))
        #expect(sandbox.push(.game, to: "nobody") == 0)
    }

    @Test("200 simultaneous sockets have their own sessions")
    func many() throws {
        let sandbox = try Samples.sandbox()
        let wires = try (0..<200).map { _ in try SocketWire(sandbox.port) }
        for (index, wire) in wires.enumerated() {
            wire.send(Samples.initiate())
            wire.send(Samples.identify("popup-\(index)"))
        }
        var names: Set<String> = []
        for (index, wire) in wires.enumerated() {
            #expect(try wire.json()?["cid"] == 4)
            #expect(try wire.json()?["public_username"]?.string == "popup-\(index)")
            if let name = try wire.json()?["engagement_uid"]?.string { names.insert(name) }
        }
        #expect(names.count == 200)
        #expect(sandbox.push(.game, to: "popup-77") == 1)
        #expect(try wires[77].json()?["cid"] == 707)
        #expect(try fetch(sandbox.port, "GET", "/landing").status == 200)
    }

    @Test("a client that does not read is disconnected before its unsent bytes use much memory")
    func unread() throws {
        let sandbox = try Samples.sandbox()
        let stalled = try SocketWire(sandbox.port)
        let other = try SocketWire(sandbox.port)
        try stalled.startSession("stalled")
        try other.startSession("malva")
        let large = AdJSON.string(String(repeating: "x", count: 1 << 20))
        #expect(sandbox.push(.raw(["cid": 110, "filler": large]), to: "stalled", count: 20) == 1)
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.game, to: "stalled") > 0, ContinuousClock.now < end {}
        #expect(sandbox.push(.popup, to: "stalled") == 0)
        #expect(sandbox.push(.popup, to: "malva") == 1)
        #expect(try other.json()?["cid"] == 110)
    }

    @Test("reading pauses while many bytes are unsent, and every message gets its response")
    func backpressure() throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        try wire.startSession("malva")
        let message = WebSocketWriter(as: .client).frame(.text("{}"), mask: 3)
        let count = 20_000
        wire.wire.send([[UInt8]](repeating: message, count: count).flatMap { $0 })
        for _ in 0..<count { #expect(try wire.json()?["errCode"] == 1) }
    }

    @Test("a disconnected client gets no more pushes")
    func gone() throws {
        let sandbox = try Samples.sandbox()
        do { try SocketWire(sandbox.port).startSession("malva") }
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.popup, to: "malva") > 0, ContinuousClock.now < end {}
        #expect(sandbox.push(.popup, to: "malva") == 0)
    }
}

@Suite("Socket faults, over the network")
struct SocketFaultWireTests {
    /// A client with a socket fault that has sent `INIT_SESSION`.
    private static func wire(_ fault: Sandbox.SocketFault) throws -> SocketWire {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.socket(fault))]])
        let wire = try SocketWire(sandbox.port)
        wire.sandbox = sandbox
        wire.send(Samples.initiate())
        return wire
    }

    @Test("binary, broken, deep and long messages come before the response, which is complete")
    func before() throws {
        for fault in [Sandbox.SocketFault.binary, .brokenJSON, .deepJSON, .tooLong] {
            let wire = try Self.wire(fault)
            let first = try wire.next()
            switch (fault, first) {
            case (.binary, .binary), (.brokenJSON, .text), (.deepJSON, .text), (.tooLong, .text): break
            default: Issue.record("\(fault) has another form")
            }
            #expect(try wire.json()?["cid"] == 4)
        }
    }

    @Test("invalid UTF-8 and masked frames are protocol errors", arguments: [Sandbox.SocketFault.invalidUTF8, .masked])
    func unacceptable(fault: Sandbox.SocketFault) throws {
        let wire = try Self.wire(fault)
        #expect(throws: WebSocketError.self) { try wire.next() }
    }

    @Test("a frame is cut off by the socket's fault and by truncate")
    func dropMidFrame() throws {
        for kind in [Sandbox.Fault.Kind.socket(.dropMidFrame), .truncate] {
            let sandbox = try Samples.sandbox()
            try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(kind)]])
            let wire = try SocketWire(sandbox.port)
            wire.send(Samples.initiate())
            var bytes: [UInt8] = []
            while let more = try wire.bytes() { bytes += more }
            #expect(bytes.first == 0x81)
            var reader = WebSocketReader(as: .client)
            try reader.read(bytes) { _ in Issue.record("a message is complete") }
            #expect(reader.pending > 0)
        }
    }

    @Test("flood sends all its popups, and wrongOrder swaps the responses")
    func floodAndOrder() throws {
        let flood = try Self.wire(.flood)
        #expect(try flood.json()?["cid"] == 4)
        flood.send(Samples.identify())
        #expect(try flood.json()?["cid"] == 6)
        var names: Set<String> = []
        for _ in 0..<500 { if let name = try flood.json()?["engagement_uid"]?.string { names.insert(name) } }
        #expect(names.count == 500)
        let wrong = try Self.wire(.wrongOrder)
        #expect(try (wrong.json()?["cid"], wrong.json()?["cid"]) == (6, 4))
    }

    @Test("a silent socket sends no messages, but answers the protocol's ping frames")
    func silence() throws {
        let wire = try Self.wire(.silence)
        wire.send(.ping([1]))
        #expect(try wire.next() == .pong([1]))
        #expect(wire.sandbox?.hits().map(\.fault) == ["silence", "silence"])
    }

    @Test("a status, garbage, a redirect or a closed connection can replace the upgrade")
    func instead() throws {
        let sandbox = try Samples.sandbox()
        let kinds: [(Sandbox.Fault.Kind, Int?)] = [
            (.status(503), 503), (.garbage, 200), (.redirectLoop, 302), (.dropBeforeReply, nil),
        ]
        try sandbox.setFaults(["/websocket/services": kinds.map { Sandbox.Fault($0.0) }])
        for (_, status) in kinds {
            let wire = try Wire(sandbox.port)
            wire.send(WebSocketHandshake(random: (5, 6)).request(host: wire.host, target: SocketWire.target))
            if let status { #expect(try wire.response().status == status) } else { #expect(try wire.isClosed()) }
        }
        try SocketWire(sandbox.port).startSession("malva")
    }

    @Test("the handshake can be delayed")
    func late() throws {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.delay(milliseconds: 100))]])
        let start = ContinuousClock.now
        let wire = try SocketWire(sandbox.port)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(try wire.startSession("malva")?["cid"] == 6)
    }
}

@Suite("The lifecycle of a sandbox with sockets")
struct SocketLifeTests {
    @Test("stop closes open sockets at once with a close frame, and releases all descriptors")
    func stop() throws {
        let before = Self.descriptors()
        for _ in 0..<3 {
            let sandbox = try Samples.sandbox()
            let wires = try (0..<100).map { _ in try SocketWire(sandbox.port) }
            for wire in wires[..<50] { try wire.startSession("malva") }
            // One connection in the middle of a handshake, one with a delayed handshake, and sockets that do not read.
            let half = try Wire(sandbox.port)
            half.send("GET /websocket/services?master HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
            try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.delay(milliseconds: 600_000))]])
            let late = try Wire(sandbox.port)
            late.send(WebSocketHandshake(random: (5, 6)).request(host: late.host, target: SocketWire.target))
            try awaitHits(201, of: sandbox)
            _ = sandbox.push(.popup, to: "malva", count: 1000)
            let start = ContinuousClock.now
            sandbox.stop()
            #expect(ContinuousClock.now - start < .timeout(5))
            #expect(sandbox.push(.popup, to: "nobody") == 0)
            #expect(try wires[99].next() == .close(WebSocketClosure(.goingAway, "the server stops")))
            #expect(try wires[99].next() == nil)
        }
        #expect(Self.descriptors() <= before)
    }

    @Test("handshakes during a stop leak no descriptors and do not block it")
    func race() async throws {
        let before = Self.descriptors()
        for _ in 0..<10 {
            let sandbox = try Samples.sandbox()
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<20 {
                            guard let wire = try? SocketWire(sandbox.port) else { return }
                            wire.send(Samples.initiate())
                        }
                    }
                }
                group.addTask {
                    while sandbox.hits().count < 5 { await Task.yield() }
                    sandbox.stop()
                }
            }
        }
        #expect(Self.descriptors() <= before)
    }

    @Test("an upgraded connection without a handler is closed and released")
    func unhandled() throws {
        // The same happens to a handshake that ends during a stop.
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { _ in
            ServerResponse(status: 101, headers: ["Upgrade": "websocket"], upgrade: SocketUpgrade())
        }
        defer { server.stop() }
        let before = Self.descriptors()
        for _ in 0..<20 {
            let wire = try Wire(server.port)
            wire.send(WebSocketHandshake(random: (5, 6)).request(host: wire.host, target: SocketWire.target))
            #expect(try wire.response().status == 101)
            #expect(try wire.isClosed())
        }
        let end = ContinuousClock.now + .seconds(10)
        while Self.descriptors() > before, ContinuousClock.now < end {}
        #expect(Self.descriptors() <= before)
    }

    @Test("a socket beyond the limit is closed, and a closed one makes room for the next")
    func limit() throws {
        let server = try HTTPServer(
            HTTPServer.Listener(port: 0),
            socketLimit: 2,
            sockets: { events in
                let opened = events.compactMap { if case .opened(let socket, _) = $0 { socket } else { nil } }
                return SocketOutput(commands: opened.map { SocketCommand(.send(.text("hello")), on: $0) })
            },
            respond: { request in
                let accept = WebSocketHandshake.accept(for: request.headers["sec-websocket-key"] ?? "")
                return ServerResponse(
                    status: 101,
                    headers: ["Upgrade": "websocket", "Sec-WebSocket-Accept": accept],
                    upgrade: SocketUpgrade()
                )
            }
        )
        defer { server.stop() }
        // A socket on which the server has said hello; nil if the server has closed it.
        func open() throws -> SocketWire? {
            let socket = try SocketWire(server.port)
            return try socket.next() == .text("hello") ? socket : nil
        }
        var first = try open()
        let second = try open()
        #expect(first != nil && second != nil)
        #expect(try open() == nil)
        first = nil
        let end = ContinuousClock.now + .seconds(10)
        var third = try open()
        while third == nil, ContinuousClock.now < end { third = try open() }
        #expect(third != nil)
        #expect(try open() == nil)
        withExtendedLifetime((second, third)) {}
    }

    @Test("closed sockets release their descriptors")
    func closedSockets() throws {
        let sandbox = try Samples.sandbox()
        try SocketWire(sandbox.port).startSession("first")
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.game, to: "first") > 0, ContinuousClock.now < end {}
        let before = Self.descriptors()
        for _ in 0..<300 { try SocketWire(sandbox.port).startSession("malva") }
        while Self.descriptors() > before, ContinuousClock.now < end {}
        #expect(Self.descriptors() <= before)
        // A session ends after its socket: the closing is reported when the descriptor is free.
        while sandbox.push(.game, to: "malva") > 0, ContinuousClock.now < end {}
        #expect(sandbox.push(.game, to: "malva") == 0)
    }

    /// The number of open descriptors of the process.
    private static func descriptors() -> Int { (0..<4096).count { fcntl(Int32($0), F_GETFD) >= 0 } }
}
