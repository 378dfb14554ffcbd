import AdCore
import TestSupport
import Testing
import TransportSupport

@testable import URLSessionTransport

@Suite("What is left of requests over URLSession", .serialized, .timeLimit(.minutes(1)))
struct LeftoverTests {
    @Test("after a request has returned, however it ended, its connection is free and nothing of it is left")
    func queue() async throws {
        let server = RawServer { request in request.path == "/hang" ? [.hang] : [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = URLSessionTransport()
        func end(_ request: AdHTTPRequest) async { _ = try? await transport.send(request) }
        let quick = AdHTTPRequest(.get, server.url("/"))
        let late = AdHTTPRequest(.get, server.url("/hang"), limits: .init(total: .milliseconds(50)))
        let refused = AdHTTPRequest(.get, server.url("/"), reach: .publicOnly)
        let unsendable = AdHTTPRequest(.get, server.url("/"), body: [1])
        for request in [quick, late, refused, unsendable] {
            await end(request)
            #expect(transport.queue.isEmpty)
        }
        // Cancelled before, while and after it has its turn.
        for round in 0..<60 {
            let task = Task { await end(round.isMultiple(of: 2) ? quick : late) }
            for _ in 0..<(round % 9) { await Task.yield() }
            task.cancel()
            await task.value
        }
        #expect(transport.queue.isEmpty)
    }

    @Test("a transport that is released is deallocated, and its sessions are closed")
    func released() async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        let before = OpenFiles.count
        var transport: URLSessionTransport? = URLSessionTransport()
        let request = AdHTTPRequest(.get, server.url("/"))
        for _ in 0..<3 { _ = try await transport?.send(request) }
        weak let weakTransport = transport
        transport = nil
        #expect(weakTransport == nil)
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
        server.stop()
    }
}
