import AdCore
import CurlTransport
import Testing
import TransportSupport

@Suite(
    "WebSockets against Python's websockets",
    .serialized,
    .timeLimit(.minutes(1)),
    .enabled(
        if: WebsocketsServer.python != nil,
        "no Python has the module websockets: install python3-websockets, as Scripts/setup.sh does"
    )
)
struct EchoTests {
    @Test("texts of every size are echoed, with and without TLS", arguments: [false, true])
    func echo(isSecure: Bool) async throws {
        let certificates = isSecure ? Certificates() : nil
        defer { certificates?.remove() }
        let server = try #require(WebsocketsServer(certificates))
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.caFile = certificates?.authority
        let transport = try CurlTransport(configuration)
        let log = SocketLog()
        let scheme = isSecure ? "wss" : "ws"
        let limits = SocketRequest.Limits(message: 4 << 20, unsent: 16 << 20)
        let connection = transport.open("\(scheme)://localhost:\(server.port)/echo", log, limits: limits)
        #expect(await log.next() == .opened)
        let sizes = [0, 1, 2, 125, 126, 127, 1000, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 300_000, 1 << 20]
        // One after the other, then all at once.
        for size in sizes {
            let text = String(repeating: "a", count: size % 3) + String(repeating: "€", count: size / 3)
            connection.send(text)
            let isSame = await log.text() == text
            try #require(isSame, "\(size) bytes")
        }
        for size in sizes { connection.send(String(repeating: "z", count: size)) }
        for size in sizes {
            let count = await log.text()?.utf8.count
            try #require(count == size)
        }
        connection.close()
        #expect(await log.end()?.cause == .byUs)
        #expect(log.violations.isEmpty)
        let last = SocketLog()
        let other = transport.open("\(scheme)://localhost:\(server.port)/last", last, limits: limits)
        #expect(await last.text() == "1000")
        #expect(await last.end()?.cause == .byPeer(code: 1000))
        other.close()
    }

    @Test("a large message over TLS is complete, including bytes that TLS has already decrypted")
    func secureFlood() async throws {
        let certificates = try #require(Certificates())
        defer { certificates.remove() }
        let server = try #require(WebsocketsServer(certificates))
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.caFile = certificates.authority
        let transport = try CurlTransport(configuration)
        let log = SocketLog()
        let limits = SocketRequest.Limits(message: 8 << 20)
        let connection = transport.open("wss://localhost:\(server.port)/send", log, limits: limits)
        #expect(await log.next() == .opened)
        connection.send("5000000")
        #expect(await log.text()?.utf8.count == 5_000_000)
        connection.close()
        #expect(await log.end()?.cause == .byUs)
    }

    @Test("a server with a certificate of another authority or name is refused")
    func wrongAuthority() async throws {
        let certificates = try #require(Certificates())
        defer { certificates.remove() }
        let server = try #require(WebsocketsServer(certificates))
        defer { server.stop() }
        for (authority, host) in [
            (certificates.otherAuthority, "localhost"), (nil, "localhost"), (certificates.authority, "127.0.0.1"),
        ] {
            var configuration = CurlTransport.Configuration()
            configuration.caFile = authority
            let transport = try CurlTransport(configuration)
            let log = SocketLog()
            let connection = transport.open("wss://\(host):\(server.port)/echo", log)
            let end = try #require(await log.end())
            #expect(end.cause == .notOpened() && end.message.contains("caFile"))
            connection.close()
        }
    }

    @Test("a fragmented message with pings in between is one text, and the pings are answered")
    func pieces() async throws {
        let server = try #require(WebsocketsServer())
        defer { server.stop() }
        let transport = try CurlTransport()
        let log = SocketLog()
        let connection = transport.open("ws://127.0.0.1:\(server.port)/pieces", log)
        #expect(await log.text() == "onetwoé€")
        #expect(await log.text() == "pong came")
        connection.close()
        #expect(await log.end()?.cause == .byUs)
    }

    @Test("a Close frame is reported with its code and reason, a dead server as a lost connection")
    func ends() async throws {
        let server = try #require(WebsocketsServer())
        defer { server.stop() }
        let transport = try CurlTransport()
        let log = SocketLog()
        let connection = transport.open("ws://127.0.0.1:\(server.port)/close", log)
        let end = try #require(await log.end())
        #expect(end.cause == .byPeer(code: 4001) && end.message.contains("so löng"))
        connection.close()

        let aborted = SocketLog()
        let other = transport.open("ws://127.0.0.1:\(server.port)/die", aborted)
        #expect(await aborted.next() == .opened)
        other.send("die")
        #expect(await aborted.end()?.cause == .lost)

        let killed = SocketLog()
        let stopping = try #require(WebsocketsServer())
        let last = transport.open("ws://127.0.0.1:\(stopping.port)/echo", killed)
        #expect(await killed.next() == .opened)
        stopping.stop()
        #expect(await killed.end()?.cause == .lost)
        last.close()
    }

    @Test("a message beyond the skip limit fails the connection with code 1009, which the server receives")
    func tooLong() async throws {
        let server = try #require(WebsocketsServer())
        defer { server.stop() }
        let transport = try CurlTransport()
        let log = SocketLog()
        let connection = transport.open(
            "ws://127.0.0.1:\(server.port)/send",
            log,
            limits: .init(message: 50_000, skippedMessage: 100_000)
        )
        #expect(await log.next() == .opened)
        connection.send("100001")
        #expect(await log.end()?.cause == .violation(code: 1009))
        let last = SocketLog()
        let other = transport.open("ws://127.0.0.1:\(server.port)/last", last)
        #expect(await last.text() == "1009")
        other.close()
    }

    @Test("a thousand connections open, echo and close, and leave no descriptor open")
    func thousand() async throws {
        let server = try #require(WebsocketsServer())
        defer { server.stop() }
        let before = OpenFiles.count
        var transport: CurlTransport? = try CurlTransport()
        let logs = (0..<1000).map { _ in SocketLog() }
        var connections: [(any SocketConnection)?] = []
        for log in logs {
            let limits = SocketRequest.Limits(connect: .seconds(60))
            connections.append(transport?.open("ws://127.0.0.1:\(server.port)/echo", log, limits: limits))
        }
        var opened = 0
        for log in logs where await log.next() == .opened { opened += 1 }
        #expect(opened == 1000)
        for round in 0..<3 {
            for (number, connection) in connections.enumerated() { connection?.send("\(round) \(number)") }
            var answered = 0
            for (number, log) in logs.enumerated() where await log.text() == "\(round) \(number)" { answered += 1 }
            #expect(answered == 1000)
        }
        for connection in connections { connection?.close() }
        var ended = 0
        for log in logs where await log.end()?.cause == .byUs { ended += 1 }
        #expect(ended == 1000)
        transport = nil
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }
}
