import AdCore
import LibC
import TestSupport
import Testing
import WebSocketCodec

@testable import SandboxSSP

@Suite("Sockets over the wire")
struct SocketWireTests {
    @Test("a conversation goes from the handshake to a popup, and every message is a hit")
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
        "a handshake that is none is refused with its reason",
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

    @Test("what comes in pieces, behind the request or between frames is understood")
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

    @Test("a goodbye is returned, and then the connection ends")
    func goodbye() throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        wire.send(.close(WebSocketClosure(.normal, "enough")))
        #expect(try wire.next() == .close(WebSocketClosure(.normal)))
        #expect(try wire.next() == nil)
    }

    @Test(
        "what is none of the protocol ends the socket with its code",
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
            Issue.record("There was no goodbye.")
            return
        }
        #expect(closure.code == code && !closure.reason.isEmpty)
        #expect(try wire.next() == nil)
    }

    @Test("the server pings by itself, and lets go of who does not answer")
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

    @Test("200 sockets at once have each its own conversation")
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

    @Test("who does not read is dropped before it costs much memory, and harms nobody")
    func unread() throws {
        let sandbox = try Samples.sandbox()
        let deaf = try SocketWire(sandbox.port)
        let other = try SocketWire(sandbox.port)
        try deaf.startSession("deaf")
        try other.startSession("malva")
        let large = AdJSON.string(String(repeating: "x", count: 1 << 20))
        #expect(sandbox.push(.raw(["cid": 110, "filler": large]), to: "deaf", count: 20) == 1)
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.game, to: "deaf") > 0, ContinuousClock.now < end {}
        #expect(sandbox.push(.popup, to: "deaf") == 0)
        #expect(sandbox.push(.popup, to: "malva") == 1)
        #expect(try other.json()?["cid"] == 110)
    }

    @Test("who asks much and reads nothing is not listened to, and gets its answers in the end")
    func backpressure() throws {
        let sandbox = try Samples.sandbox()
        let wire = try SocketWire(sandbox.port)
        try wire.startSession("malva")
        let question = WebSocketWriter(as: .client).frame(.text("{}"), mask: 3)
        let count = 20_000
        wire.wire.send([[UInt8]](repeating: question, count: count).flatMap { $0 })
        for _ in 0..<count { #expect(try wire.json()?["errCode"] == 1) }
    }

    @Test("a client that is gone is forgotten")
    func gone() throws {
        let sandbox = try Samples.sandbox()
        do { try SocketWire(sandbox.port).startSession("malva") }
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.popup, to: "malva") > 0, ContinuousClock.now < end {}
        #expect(sandbox.push(.popup, to: "malva") == 0)
    }
}

@Suite("Faults of sockets, over the wire")
struct SocketFaultWireTests {
    /// A client whose socket misbehaves, and which has begun its session.
    private static func wire(_ fault: Sandbox.SocketFault) throws -> SocketWire {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.socket(fault))]])
        let wire = try SocketWire(sandbox.port)
        wire.sandbox = sandbox
        wire.send(Samples.initiate())
        return wire
    }

    @Test("bytes that are no text, broken, deep and long JSON come before the answer, which comes all the same")
    func before() throws {
        for fault in [Sandbox.SocketFault.binary, .brokenJSON, .deepJSON, .tooLong] {
            let wire = try Self.wire(fault)
            let first = try wire.next()
            switch (fault, first) {
            case (.binary, .binary), (.brokenJSON, .text), (.deepJSON, .text), (.tooLong, .text): break
            default: Issue.record("\(fault) is of another form.")
            }
            #expect(try wire.json()?["cid"] == 4)
        }
    }

    @Test("what no client can take is none of the protocol", arguments: [Sandbox.SocketFault.invalidUTF8, .masked])
    func unacceptable(fault: Sandbox.SocketFault) throws {
        let wire = try Self.wire(fault)
        #expect(throws: WebSocketFault.self) { try wire.next() }
    }

    @Test("a frame breaks off in its middle, by its own fault and by that of any answer")
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
            try reader.read(bytes) { _ in Issue.record("A message was whole.") }
            #expect(reader.pending > 0)
        }
    }

    @Test("a flood comes whole, and the order can be wrong")
    func commands() throws {
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

    @Test("a silent server takes messages and answers none of them, though it still answers the protocol's own ping")
    func silence() throws {
        let wire = try Self.wire(.silence)
        wire.send(.ping([1]))
        #expect(try wire.next() == .pong([1]))
        #expect(wire.sandbox?.hits().map(\.fault) == ["silence", "silence"])
    }

    @Test("a status, garbage, a redirect or nothing can come instead of the socket")
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

    @Test("the handshake can be late")
    func late() throws {
        let sandbox = try Samples.sandbox()
        try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.delay(milliseconds: 100))]])
        let start = ContinuousClock.now
        let wire = try SocketWire(sandbox.port)
        #expect(ContinuousClock.now - start >= .milliseconds(100))
        #expect(try wire.startSession("malva")?["cid"] == 6)
    }
}

@Suite("A sandbox with sockets, from start to stop")
struct SocketLifeTests {
    @Test("stopping ends open sockets with a goodbye, at once, and gives everything back")
    func stop() throws {
        let before = Self.descriptors()
        for _ in 0..<3 {
            let sandbox = try Samples.sandbox()
            let wires = try (0..<100).map { _ in try SocketWire(sandbox.port) }
            for wire in wires[..<50] { try wire.startSession("malva") }
            // Some in the middle of a handshake, one that was late to wake, one that does not read.
            let half = try Wire(sandbox.port)
            half.send("GET /websocket/services?master HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n")
            try sandbox.setFaults(["/websocket/services": [Sandbox.Fault(.delay(milliseconds: 600_000))]])
            let late = try Wire(sandbox.port)
            late.send(WebSocketHandshake(random: (5, 6)).request(host: late.host, target: SocketWire.target))
            try awaitHits(201, of: sandbox)
            _ = sandbox.push(.popup, to: "malva", count: 1000)
            let start = ContinuousClock.now
            sandbox.stop()
            #expect(ContinuousClock.now - start < .patience(5))
            #expect(sandbox.push(.popup, to: "nobody") == 0)
            #expect(try wires[99].next() == .close(WebSocketClosure(.goingAway, "the sandbox stops")))
            #expect(try wires[99].next() == nil)
        }
        #expect(Self.descriptors() <= before)
    }

    @Test("handshakes that go on while the sandbox stops leak nothing and hang nobody")
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

    @Test("a connection that nobody takes over is closed, and given back")
    func untaken() throws {
        // As it is for a handshake that is answered while the sandbox stops.
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { _ in
            SandboxResponse(status: 101, headers: ["Upgrade": "websocket"], upgrade: SocketUpgrade())
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

    @Test("sockets that come and go leave nothing behind")
    func comeAndGo() throws {
        let sandbox = try Samples.sandbox()
        try SocketWire(sandbox.port).startSession("first")
        let end = ContinuousClock.now + .seconds(10)
        while sandbox.push(.game, to: "first") > 0, ContinuousClock.now < end {}
        let before = Self.descriptors()
        for _ in 0..<300 { try SocketWire(sandbox.port).startSession("malva") }
        while Self.descriptors() > before, ContinuousClock.now < end {}
        #expect(Self.descriptors() <= before)
        #expect(sandbox.push(.game, to: "malva") == 0)
    }

    /// How many descriptors the process has open.
    private static func descriptors() -> Int { (0..<4096).count { fcntl(Int32($0), F_GETFD) >= 0 } }
}
