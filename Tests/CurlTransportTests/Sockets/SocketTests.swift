import AdCore
import CurlTransport
import LibC
import SystemSupport
import TestSupport
import Testing
import TransportSupport
import WebSocketCodec

@Suite("WebSockets against a server of raw bytes", .serialized, .timeLimit(.minutes(1)))
struct SocketTests {
    @Test(
        "a failed handshake is reported as not opened, with its status",
        arguments: [
            ("HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n", 301), ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", 401),
            ("HTTP/1.1 500 Oh\r\n\r\n", 500), ("HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\n\r\n", 101),
            ("220 mail.example ready\r\n\r\n", nil), ("", nil), ("HTTP/1.1 101", nil),
            (String(repeating: "x", count: 20_000), nil),
        ] as [(String, Int?)]
    )
    func handshakes(response: String, status: Int?) async throws {
        let server = PeerServer { peer in
            _ = peer.head()
            peer.write(response)
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log)
        let end = try #require(await log.end())
        #expect(end.cause == .notOpened(status: status))
        #expect(end.message.hasPrefix("Not opened: ") && end.message.contains("ws://127.0.0.1:\(server.port)"))
        #expect(log.events.count == 1)
        connection.close()
    }

    @Test("the handshake response and frames can arrive byte by byte")
    func drip() async throws {
        let server = PeerServer { peer in
            let writer = WebSocketWriter(as: .server)
            let frames = writer.frame(.text("héllo"), mask: 0) + writer.frame(.close(.init(.normal, "ok")), mask: 0)
            var off: Int32 = 1
            setsockopt(peer.socket, Int32(IPPROTO_TCP), TCP_NODELAY, &off, socklen_t(MemoryLayout<Int32>.size))
            for byte in Array(PeerServer.Peer.switchingProtocols(for: peer.head()).utf8) + frames { peer.write([byte]) }
            peer.receiveMessages()
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log)
        #expect(await log.next() == .opened)
        #expect(await log.next() == .text("héllo"))
        #expect(await log.end()?.cause == .byPeer(code: 1000))
        connection.close()
    }

    @Test(
        "a protocol violation is answered with its close code, and reported",
        arguments: [
            ([0x83, 0x00], 1002), ([0x81, 0x02, 0xC3, 0x28], 1007), ([0x82, 0x7F, 0x7F, 0, 0, 0, 0, 0, 0, 0], 1009),
            (Array("HTTP/1.1 400 Bad\r\n".utf8), 1002),
        ] as [([UInt8], UInt16)]
    )
    func garbage(bytes: [UInt8], code: UInt16) async throws {
        let received = AsyncStream<WebSocketMessage>.makeStream()
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.write(bytes)
            peer.receiveMessages { message in
                received.continuation.yield(message)
                return true
            }
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log)
        #expect(await log.end()?.cause == .violation(code: code))
        var response: WebSocketMessage?
        for await message in received.stream {
            response = message
            break
        }
        guard case .close(let closure) = response else {
            Issue.record("\(String(describing: response)) is not a Close frame")
            return
        }
        #expect(closure.code?.rawValue == code)
        connection.close()
    }

    @Test("a message beyond the limit is skipped, and the connection stays open")
    func overlong() async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            let length = 24 << 20
            let head: [UInt8] = [0x81, 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
            peer.write(head)
            let piece = [UInt8](repeating: 0x61, count: 1 << 16)
            for _ in 0..<(length >> 16) { peer.write(piece) }
            peer.sendMessage(.text("next"))
            peer.receiveMessages()
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log)
        #expect(await log.text() == "next")
        connection.close()
        #expect(await log.end()?.cause == .byUs)
        #expect(log.events.contains(.skippedMessage(bytes: 24 << 20)) && log.violations.isEmpty)
    }

    @Test("a connection that ends within a frame is lost, by a close or a reset", arguments: [false, true])
    func half(isReset: Bool) async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.write([0x81, 0x05, 0x61])
            // The client has read it when it has answered a later complete message.
            peer.receiveMessages { _ in true }
            if isReset { peer.reset() }
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log)
        #expect(await log.next() == .opened)
        connection.send("go")
        let end = await log.end()
        #expect(end?.cause == .lost)
        #expect(log.events.count == 2 && log.violations.isEmpty)
    }

    @Test("a Close frame before a reset is received, unless the reset destroyed it")
    func closeBeforeReset() async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.sendMessage(.text("a"))
            peer.sendMessage(.close(WebSocketClosure(.init(rawValue: 4321), "so long\u{1B}[31m")))
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        var received = 0
        for _ in 0..<50 {
            let log = SocketLog()
            let connection = transport.open(server.address, log)
            #expect(await log.next() == .opened)
            for number in 0..<10 { connection.send("\(number)") }
            let end = try #require(await log.end())
            // The system may discard received data when a reset follows.
            guard end.cause != .lost else { continue }
            received += 1
            #expect(end.cause == .byPeer(code: 4321))
            #expect(end.message.contains("so long") && !end.message.contains("\u{1B}"))
        }
        #expect(received > 0)
    }

    @Test("a server that never reads costs bounded memory and no processor time, and ends with an overflow")
    func neverReads() async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.receiveMessages { _ in true }
            // Sends and reads nothing until the client closes.
            var event = pollfd(fd: peer.socket, events: 0, revents: 0)
            while event.revents & Int16(POLLHUP | POLLERR) == 0, poll(&event, 1, 20_000) > 0 {}
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log, limits: .init(unsent: 256 << 10))
        #expect(await log.next() == .opened)
        connection.send("begin")
        // More than any system buffer holds; the loop may be slower than this one, so the overflow comes sooner or
        // later.
        let text = String(repeating: "x", count: 60_000)
        let before = SocketTests.processorTime
        for _ in 0..<20_000 where log.events.count == 1 { connection.send(text) }
        let end = try #require(await log.end())
        #expect(end.cause == .overflow && end.message.contains("262144"))
        #expect(log.events.count == 2)
        #expect(SocketTests.processorTime - before < 20)
    }

    @Test("while a server does not read, the loop sleeps")
    func sleeps() async throws {
        let release = TestSignal()
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            release.wait()
            var count = 0
            peer.receiveMessages { message in
                if case .text = message { count += 1 }
                return count == 200
            }
            peer.sendMessage(.text("\(count)"))
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try CurlTransport()
        let connection = transport.open(server.address, log, limits: .init(unsent: 64 << 20))
        #expect(await log.next() == .opened)
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<200 { connection.send(text) }
        // Another connection of the same loop is not delayed meanwhile.
        let other = PeerServer { peer in
            peer.acceptUpgrade()
            peer.receiveMessages { message in
                peer.sendMessage(message)
                return false
            }
        }
        defer { other.stop() }
        let otherLog = SocketLog()
        let otherConnection = transport.open(other.address, otherLog)
        #expect(await otherLog.next() == .opened)
        for _ in 0..<100 {
            otherConnection.send("x")
            #expect(await otherLog.text() == "x")
        }
        release.set()
        #expect(await log.text() == "200")
        connection.close()
        otherConnection.close()
    }

    @Test("a flood from one server does not starve the others")
    func flood() async throws {
        let hasEnded = Locked(false)
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            if peer.number == 0 {
                let writer = WebSocketWriter(as: .server)
                let frames = (0..<400).flatMap { _ in writer.frame(.binary([UInt8](repeating: 1, count: 200)), mask: 0)
                }
                while !hasEnded.withLock({ $0 }), peer.write(frames) {}
            } else {
                peer.receiveMessages { message in
                    peer.sendMessage(message)
                    return false
                }
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let count = Locked(0)
        let url = try #require(SocketURL(server.address))
        let flood = transport.open(SocketRequest(url)) { event in
            if case .binary = event { count.withLock { $0 += 1 } }
        }
        while count.withLock({ $0 }) == 0 { await Task.yield() }
        let log = SocketLog()
        let connection = transport.open(server.address, log)
        #expect(await log.next() == .opened)
        for number in 0..<200 {
            connection.send("\(number)")
            #expect(await log.text() == "\(number)")
        }
        hasEnded.withLock { $0 = true }
        flood.close()
        connection.close()
        #expect(await log.end()?.cause == .byUs)
        #expect(count.withLock { $0 } > 1000)
    }

    @Test("deallocating a connection closes it, and shutting down or deallocating a transport closes all")
    func deallocated() async throws {
        let before = OpenFiles.count
        let closures = AsyncStream<WebSocketMessage>.makeStream()
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.receiveMessages { message in
                if case .close = message {
                    closures.continuation.yield(message)
                    peer.sendMessage(message)
                    return true
                }
                return false
            }
        }
        let logs = (0..<3).map { _ in SocketLog() }
        var transport: CurlTransport? = try CurlTransport()
        var connection: (any SocketConnection)? = transport?.open(server.address, logs[0])
        #expect(await logs[0].next() == .opened)
        _ = connection
        connection = nil
        #expect(await logs[0].end()?.cause == .byUs)

        connection = transport?.open(server.address, logs[1])
        #expect(await logs[1].next() == .opened)
        transport?.shutDown()
        #expect(await logs[1].end()?.cause == .byUs)
        let late = SocketLog()
        let dead = transport?.open(server.address, late)
        #expect(await late.end()?.cause == .notOpened())
        dead?.send("lost")
        dead?.close()

        transport = try CurlTransport()
        connection = transport?.open(server.address, logs[2])
        #expect(await logs[2].next() == .opened)
        transport = nil
        #expect(await logs[2].end()?.cause == .byUs)
        var count = 0
        for await message in closures.stream {
            count += 1
            #expect(message == .close(WebSocketClosure(count == 1 ? .normal : .goingAway)))
            if count == 3 { break }
        }
        server.stop()
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }

    @Test("connections closed at any moment leave no descriptor open")
    func storm() async throws {
        let before = OpenFiles.count
        let server = PeerServer { peer in
            switch peer.number % 5 {
            case 0: peer.acceptUpgrade()
            case 1: _ = peer.head()
            case 2:
                peer.acceptUpgrade()
                peer.reset()
            case 3: peer.write("HTTP/1.1 101 ")
            default:
                peer.acceptUpgrade()
                peer.receiveMessages { message in
                    peer.sendMessage(message)
                    return false
                }
            }
        }
        var transport: CurlTransport? = try CurlTransport()
        let logs = (0..<300).map { _ in SocketLog() }
        await withTaskGroup(of: Void.self) { group in
            for (number, log) in logs.enumerated() {
                let connection = transport?.open(server.address, log)
                group.addTask {
                    for _ in 0..<(number % 11) * 3 { await Task.yield() }
                    connection?.send("x")
                    if number.isMultiple(of: 2) { connection?.close() }
                    if number.isMultiple(of: 3) { connection?.send("y") }
                }
            }
        }
        for log in logs {
            #expect(await log.end() != nil)
            #expect(log.violations.isEmpty)
        }
        transport = nil
        server.stop()
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }

    @Test("an idle socket costs no processor time")
    func idle() async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.receiveMessages()
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let log = SocketLog()
        let connection = transport.open(server.address, log)
        #expect(await log.next() == .opened)
        let start = SocketTests.processorTime
        // The second of waiting is the timeout of another connection.
        let silent = PeerServer { peer in while !peer.read().isEmpty {} }
        defer { silent.stop() }
        let other = SocketLog()
        let waiting = transport.open(silent.address, other, limits: .init(connect: .seconds(1)))
        #expect(await other.end()?.cause == .notOpened())
        #expect(SocketTests.processorTime - start < 0.5)
        connection.close()
        waiting.close()
    }

    /// The processor time used by this process, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
