import AdCore
import LibC
import SystemSupport
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Streams that last, and responses that wait")
struct LiveTests {
    /// A list of pieces that grows while pages read it.
    private final class Source: Sendable {
        let waker = Waker()
        private let state = Locked<(pieces: [String], isOver: Bool, ended: Int)>(([], false, 0))

        var ended: Int { self.state.withLock(\.ended) }

        func append(_ text: String) {
            self.state.withLock { $0.pieces.append(text) }
            self.waker.wake()
        }

        func finish() {
            self.state.withLock { $0.isOver = true }
            self.waker.wake()
        }

        var body: LiveBody {
            let position = Locked(0)
            return LiveBody(
                waker: self.waker,
                keepAlive: Array("~".utf8),
                next: {
                    self.state.withLock { state in
                        position.withLock { position in
                            guard position < state.pieces.count else { return state.isOver ? .end : .wait }
                            defer { position += 1 }
                            return .bytes(Array(state.pieces[position].utf8))
                        }
                    }
                },
                onEnd: { self.state.withLock { $0.ended += 1 } }
            )
        }
    }

    @Test("a stream sends what is there, waits, and sends what comes, to every client")
    func stream() throws {
        let source = Source()
        source.append("one ")
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { _ in
            ServerResponse(status: 200, body: .live(source.body))
        }
        defer { server.stop() }
        let clients = try (0..<3).map { _ in try StreamClient(server.port) }
        for client in clients { #expect(try client.read(until: "one ")) }
        source.append("two ")
        for client in clients { #expect(try client.read(until: "two ")) }
        source.append(String(repeating: "x", count: 300_000))
        source.append("three")
        source.finish()
        for client in clients { #expect(try client.readToEnd().hasSuffix("three")) }
    }

    @Test("a stream that is never sent ends too")
    func unsent() {
        let source = Source()
        _ = source.body
        #expect(source.ended == 1)
    }

    @Test("no wake is lost: a thousand pieces from another thread all arrive, in order")
    func wakes() throws {
        let source = Source()
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { _ in
            ServerResponse(status: 200, body: .live(source.body))
        }
        defer { server.stop() }
        let client = try StreamClient(server.port)
        #expect(
            DedicatedThread.start("pieces") {
                for number in 0..<1_000 { source.append("<\(number)>") }
                source.finish()
            }
        )
        #expect(try client.readToEnd().hasSuffix((0..<1_000).map { "<\($0)>" }.joined()))
    }

    @Test("a response that waits is sent when it is known, or its substitute at the limit")
    func later() throws {
        let waker = Waker()
        let value = Locked<String?>(nil)
        let ended = Locked(0)
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { request in
            var response = ServerResponse.text("late", type: "text/plain", status: 503)
            let limit: Duration = request.path == "/short" ? .milliseconds(20) : .seconds(60)
            response.later = LaterResponse(waker: waker, limit: limit) {
                value.withLock { $0 }.map { .text($0, type: "text/plain") }
            } onEnd: {
                ended.withLock { $0 += 1 }
            }
            return response
        }
        defer { server.stop() }
        let short = try StreamClient(server.port, "/short")
        #expect(try short.read(until: "late"))
        let long = try StreamClient(server.port, "/long")
        value.withLock { $0 = "known" }
        waker.wake()
        #expect(try long.read(until: "known"))
    }

    @Test("stopping the server ends streams and waiting responses at once")
    func stop() throws {
        let source = Source()
        let server = try HTTPServer(HTTPServer.Listener(port: 0)) { request in
            guard request.path == "/wait" else { return ServerResponse(status: 200, body: .live(source.body)) }
            var response = ServerResponse(status: 204)
            response.later = LaterResponse(waker: source.waker, limit: .seconds(60)) { nil }
            return response
        }
        source.append("here")
        let stream = try StreamClient(server.port)
        #expect(try stream.read(until: "here"))
        let waiting = try StreamClient(server.port, "/wait")
        server.stop()
        _ = try stream.readToEnd()
        _ = try waiting.readToEnd()
        #expect(source.ended == 1)
    }

    @Test("a request that is refused by its headers has its response before its body is read")
    func refused() throws {
        let server = try HTTPServer(
            HTTPServer.Listener(port: 0),
            refuse: { $0.path == "/secret" ? .failure(403, "no") : nil },
            respond: { _ in .text("yes", type: "text/plain") }
        )
        defer { server.stop() }
        #expect(try StreamClient(server.port, "/secret", announcing: 1_000).read(until: "403"))
        #expect(try StreamClient(server.port, "/", body: "x").read(until: "yes"))
    }

    @Test("a body over the server's own limit is refused")
    func bodyLimit() throws {
        let server = try HTTPServer(HTTPServer.Listener(port: 0), bodyLimit: 1_000) { request in
            .text("\(request.body.count)", type: "text/plain")
        }
        defer { server.stop() }
        #expect(try StreamClient(server.port, body: String(repeating: "x", count: 1_000)).read(until: "1000"))
        #expect(try StreamClient(server.port, body: String(repeating: "x", count: 1_001)).read(until: "1000 bytes"))
    }
}
