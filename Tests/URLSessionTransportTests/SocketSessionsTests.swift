import AdCore
import Foundation
import TestSupport
import Testing
import TransportSupport

@testable import URLSessionTransport

@Suite("Connections that are not opened over URLSession", .serialized, .timeLimit(.minutes(1)))
struct SocketSessionsTests {
    private func request(_ text: String) throws -> SocketRequest { SocketRequest(try #require(SocketURL(text))) }

    private func isEnd(_ event: SocketEvent) -> Bool { if case .closed = event { true } else { false } }

    @Test("a host that refuses is reported once, and later calls do nothing")
    func refused() async throws {
        let transport = URLSessionTransport()
        let events = Received<SocketEvent>()
        let connection = transport.sockets.open(try self.request("ws://127.0.0.1:1/")) { events.append($0) }
        guard case .closed(let end) = await events.first() else {
            Issue.record("the connection was opened")
            return
        }
        #expect(end.cause == .notOpened() && end.message.hasPrefix("Not opened: "))
        connection.send("lost")
        connection.close()
        transport.shutDown()
        #expect(events.all.count == 1)
    }

    @Test("a connection that is closed or released while it connects is closed by this side")
    func early() async throws {
        let listener = FullListener()
        defer { listener.close() }
        let transport = URLSessionTransport()
        let request = SocketRequest(SocketURL(listener.url))
        for releases in [false, true] {
            let events = Received<SocketEvent>()
            var connection: (any SocketConnection)? =
                transport.sockets.open(request) { events.append($0) }
            if releases { connection = nil } else { connection?.close() }
            #expect(await events.first().map { self.isEnd($0) } == true)
            #expect(events.all.count == 1)
            connection = nil
        }
    }

    @Test("after the transport was shut down, a connection is not opened")
    func shutDown() async throws {
        let transport = URLSessionTransport()
        transport.shutDown()
        let events = Received<SocketEvent>()
        _ = transport.sockets.open(try self.request("ws://127.0.0.1:1/")) { events.append($0) }
        guard case .closed(let end) = await events.first() else {
            Issue.record("the connection was opened")
            return
        }
        #expect(end.cause == .notOpened() && end.message.contains("shut down"))
    }
}
