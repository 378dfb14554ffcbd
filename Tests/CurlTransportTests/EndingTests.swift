import AdCore
import Testing
import TransportSupport

@testable import CurlTransport

@Suite("How transports end", .serialized)
struct EndingTests {
    private func failure(_ body: () async throws -> AdHTTPResponse) async -> TransportError.Phase? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? TransportError)?.phase
        }
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
}

/// A signal from another thread that a task waits for.
private final class OneArrival: Sendable {
    private let stream = AsyncStream<Void>.makeStream()

    func signal() { self.stream.continuation.yield() }

    func wait() async {
        for await _ in self.stream.stream { return }
    }
}
