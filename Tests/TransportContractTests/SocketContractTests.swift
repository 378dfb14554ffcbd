import AdCore
import SystemSupport
import TestSupport
import Testing
import TransportSupport
import WebSocketCodec

@testable import CurlTransport
@testable import URLSessionTransport

/// The transports that keep the contract of sockets.
enum SocketKind: String, CaseIterable, CustomTestStringConvertible {
    case curl, urlSession

    /// Those that can be tested on this system.
    static let available: [SocketKind] = {
        #if canImport(Darwin)
            allCases
        #else
            [.curl]
        #endif
    }()

    func transport() throws -> any SocketTransport {
        switch self {
        case .curl: try CurlTransport()
        case .urlSession: TaskSocketTransport()
        }
    }

    var testDescription: String { self.rawValue }
}

/// The sockets of `URLSessionTransport`, which is a `SocketTransport` on Apple's systems only.
private struct TaskSocketTransport: SocketTransport {
    let transport = URLSessionTransport()

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        self.transport.sockets.open(request, report: report)
    }
}

@Suite("The contract of sockets", .serialized, .timeLimit(.minutes(1)))
struct SocketContractTests {
    @Test(
        "the contract is tested over URLSession, too",
        .disabled(
            if: SocketKind.available == [.curl],
            "corelibs is built without WebSockets: the libcurl of Swift's toolchains has none"
        )
    )
    func everywhere() { #expect(SocketKind.available == SocketKind.allCases) }

    @Test("both sides send messages, and a close is answered", arguments: SocketKind.available)
    func exchangesMessages(_ kind: SocketKind) async throws {
        let head = Locked("")
        let server = PeerServer { peer in
            let text = peer.head()
            head.withLock { $0 = text }
            peer.write(PeerServer.Peer.switchingProtocols(for: text))
            peer.receiveMessages { message in
                peer.sendMessage(message)
                if case .close = message { return true }
                return false
            }
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let url = try #require(SocketURL("ws://127.0.0.1:\(server.port)/a/../b?c=%20"))
        let log = SocketLog()
        let request = SocketRequest(url, headers: ["X-Mine": "1", "Host": "evil"])
        let connection = transport.open(request) { log.record($0) }
        connection.send("lost: it is not open yet")
        #expect(await log.next() == .opened)
        connection.send("one")
        connection.send("")
        connection.send("Ж€😀")
        for text in ["one", "", "Ж€😀"] { #expect(await log.next() == .text(text)) }
        connection.close()
        connection.send("lost: it is closed")
        #expect(await log.end()?.cause == .byUs)
        #expect(log.events.count == 5 && log.violations.isEmpty)
        let text = head.withLock { $0 }
        #expect(text.hasPrefix("GET /a/../b?c=%20 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
        #expect(text.contains("X-Mine: 1\r\n") && !text.contains("evil"))
    }

    @Test("an unreachable host is reported with a fix", arguments: SocketKind.available)
    func unreachable(_ kind: SocketKind) async throws {
        let transport = try kind.transport()
        for (address, words) in [("ws://127.0.0.1:1/", "refused"), ("ws://nope.invalid/", "could not be resolved")] {
            let log = SocketLog()
            let connection = transport.open(address, log)
            let end = try #require(await log.end())
            #expect(end.cause == .notOpened() && end.message.contains(words) && end.message.contains("check"))
            connection.send("lost")
        }
    }

    @Test(
        "a silent server times out, before the handshake response and within it",
        arguments: SocketKind.available,
        ["", "HTTP/1.1 101 Y\r\n"]
    )
    func silence(_ kind: SocketKind, words: String) async throws {
        let server = PeerServer { peer in
            peer.write(words)
            while !peer.read().isEmpty {}
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let log = SocketLog()
        let start = ContinuousClock.now
        let connection = transport.open(server.address, log, limits: .init(connect: .milliseconds(200)))
        let end = try #require(await log.end())
        #expect(end.cause == .notOpened() && end.message.contains("0.2 seconds"))
        #expect(start.duration(to: .now) < .timeout(10))
        connection.close()
    }

    @Test(
        "a connection can be used and closed within its own callback, and reports no text after closing",
        arguments: SocketKind.available
    )
    func withinCallback(_ kind: SocketKind) async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            for number in 0..<100 { peer.sendMessage(.text("\(number)")) }
            peer.receiveMessages { message in
                peer.sendMessage(message)
                if case .close = message { return true }
                return false
            }
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let log = SocketLog()
        let holder = Locked<(any SocketConnection)?>(nil)
        let url = try #require(SocketURL(server.address))
        let ready = TestSignal()
        let connection = transport.open(SocketRequest(url)) { event in
            ready.wait()
            log.record(event)
            if event == .text("3") {
                holder.withLock { $0 }?.send("from within")
                holder.withLock { $0 }?.close()
            }
        }
        holder.withLock { $0 = connection }
        ready.set()
        #expect(await log.end()?.cause == .byUs)
        #expect(log.events.count == 6)
        holder.withLock { $0 = nil }
    }

    @Test(
        "a server that refuses the handshake is reported with its status, and a redirect is not followed",
        arguments: SocketKind.available,
        [
            ("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: /x\r\n\r\n", 301),
            ("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", 401),
            ("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", 500),
        ]
    )
    func refused(_ kind: SocketKind, _ item: (response: String, status: Int)) async throws {
        let server = PeerServer { peer in
            _ = peer.head()
            peer.write(item.response)
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try kind.transport()
        let connection = transport.open(server.address, log)
        let end = try #require(await log.end())
        #expect(end.cause == .notOpened(status: item.status))
        #expect(end.message.hasPrefix("Not opened: ") && end.message.contains("ws://127.0.0.1:\(server.port)"))
        #expect(log.events.count == 1)
        connection.close()
    }

    @Test("a Close frame of the server is reported with its code and reason", arguments: SocketKind.available)
    func closedByPeer(_ kind: SocketKind) async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.sendMessage(.text("a"))
            peer.sendMessage(.close(WebSocketClosure(.init(rawValue: 4001), "so long")))
            peer.receiveMessages()
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try kind.transport()
        let connection = transport.open(server.address, log)
        #expect(await log.text() == "a")
        let end = try #require(await log.end())
        #expect(end.cause == .byPeer(code: 4001) && end.message.contains("so long"))
        #expect(log.violations.isEmpty)
        connection.close()
    }

    @Test("a message beyond the limit is discarded, and the connection stays open", arguments: SocketKind.available)
    func overlong(_ kind: SocketKind) async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.sendMessage(.text(String(repeating: "a", count: 2 << 20)))
            peer.sendMessage(.binary([1, 2, 3]))
            peer.sendMessage(.text("next"))
            peer.receiveMessages { message in
                // The answer to the Close frame.
                peer.sendMessage(message)
                return true
            }
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try kind.transport()
        let connection = transport.open(server.address, log)
        #expect(await log.text() == "next")
        connection.close()
        #expect(await log.end()?.cause == .byUs)
        #expect(log.events.contains(.skippedMessage(bytes: 2 << 20)) && log.events.contains(.binary(count: 3)))
        #expect(log.violations.isEmpty)
    }

    @Test("a connection that ends without a Close frame is lost", arguments: SocketKind.available)
    func lost(_ kind: SocketKind) async throws {
        let server = PeerServer { peer in
            peer.acceptUpgrade()
            peer.receiveMessages { _ in true }
        }
        defer { server.stop() }
        let log = SocketLog()
        let transport = try kind.transport()
        let connection = transport.open(server.address, log)
        #expect(await log.next() == .opened)
        connection.send("go")
        #expect(await log.end()?.cause == .lost)
        #expect(log.events.count == 2 && log.violations.isEmpty)
    }
}
