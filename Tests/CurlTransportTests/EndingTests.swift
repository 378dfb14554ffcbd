import AdCore
import LibC
import SystemSupport
import Testing

@testable import CurlTransport

@Suite("How requests and transports end", .serialized)
struct EndingTests {
    private func failure(_ body: () async throws -> AdHTTPResponse) async -> TransportError.Phase? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? TransportError)?.phase
        }
    }

    @Test(
        "a header beyond its limits and a response that is not HTTP are errors",
        arguments: [
            ("many", TransportError.Phase.tooLarge), ("long", .tooLarge), ("none", .ambiguous(.undecodable)),
        ]
    )
    func odd(path: String, phase: TransportError.Phase) async throws {
        let server = RawServer { request in
            switch request.path {
            case "/many": [.text("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 400) + "\r\n"), .hang]
            case "/long":
                (0..<20).map {
                    .text(($0 == 0 ? "HTTP/1.1 200 OK\r\n" : "") + "X\($0): \(String(repeating: "y", count: 8000))\r\n")
                }
                    + [.hang]
            default: [.text("220 mail.example ready\r\n\r\n"), .close]
            }
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let request = AdHTTPRequest(.get, server.url("/\(path)"), limits: .init(total: .seconds(10)))
        #expect(await self.failure { try await transport.send(request) } == phase)
    }

    @Test("a request cancelled after it was sent is reported as sent")
    func cancelledAfter() async throws {
        let arrived = OneArrival()
        let server = RawServer { _ in
            arrived.signal()
            return [.hang]
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let request = AdHTTPRequest(.post, server.url("/"), body: [1, 2, 3], repetition: .counted)
        let task = Task { await self.failure { try await transport.send(request) } }
        await arrived.wait()
        task.cancel()
        #expect(await task.value == .cancelled(sent: true))
    }

    @Test("deallocating a transport ends its requests, thread and sockets")
    func dropped() async throws {
        let before = OpenFiles.count
        let arrived = OneArrival()
        let server = RawServer { _ in
            arrived.signal()
            return [.hang]
        }
        let ended = OneArrival()
        var transport: CurlTransport? = try CurlTransport(.init()) { ended.signal() }
        let transferQueue = try #require(transport?.transferQueue)
        let request = AdHTTPRequest(.get, server.url("/"), limits: .init(total: .seconds(60)))
        let task = Task { await self.failure { try await CurlTransport.send(request, through: transferQueue) } }
        await arrived.wait()
        transport = nil
        #expect(await task.value == .ambiguous(.other))
        await ended.wait()
        #expect(
            await self.failure { try await CurlTransport.send(request, through: transferQueue) } == .notSent(.other)
        )
        server.stop()
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }

    @Test("many cancelled requests leave no socket open")
    func storm() async throws {
        let before = OpenFiles.count
        let server = RawServer { request in request.path == "/hang" ? [.hang] : [.response("200 OK", "x")] }
        let ended = OneArrival()
        var transport: CurlTransport? = try CurlTransport(.init()) { ended.signal() }
        let transferQueue = try #require(transport?.transferQueue)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<200 {
                group.addTask {
                    let path = worker.isMultiple(of: 2) ? "/hang" : "/quick"
                    let request = AdHTTPRequest(.get, server.url(path), repetition: .counted)
                    let task = Task { try await CurlTransport.send(request, through: transferQueue) }
                    for _ in 0..<(worker % 7) { await Task.yield() }
                    task.cancel()
                    _ = try? await task.value
                }
            }
        }
        transport = nil
        await ended.wait()
        server.stop()
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }
}

/// A signal from another thread that a task waits for.
private final class OneArrival: Sendable {
    private let stream = AsyncStream<Void>.makeStream()

    func signal() { self.stream.continuation.yield() }

    func wait() async {
        for await _ in self.stream.stream { return }
    }
}
