import AdCore
import Testing
import TransportSupport

@Suite("Responses of which only the status matters", .serialized, .timeLimit(.minutes(1)))
struct StatusOnlyTests {
    private let page = String(repeating: "x", count: 6000)

    private func cutting(_ url: HTTPURL) -> AdHTTPRequest {
        AdHTTPRequest(.get, url, limits: .init(total: .seconds(5), body: 4096, excess: .discard), repetition: .counted)
    }

    @Test(
        "a body beyond its limit is cut, and the status counts",
        arguments: TransportKind.allCases,
        ["200 OK", "503 Busy", "404 Not Found"]
    )
    func large(_ kind: TransportKind, status: String) async throws {
        let page = self.page
        let server = RawServer { request in
            request.path == "/known"
                ? [.response(status, page)] : [.text("HTTP/1.1 \(status)\r\n\r\n"), .text(page), .close]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        for path in ["/known", "/unknown"] {
            let response = try await transport.response(self.cutting(server.url(path)))
            #expect("\(response.status)" == status.prefix(3))
            #expect(response.body.count == 4096)
        }
    }

    @Test("a truncated or endless body does not affect the status", arguments: TransportKind.allCases)
    func broken(_ kind: TransportKind) async throws {
        let server = RawServer { request in
            let head = RawServer.Action.text("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nhalf")
            return [head, request.path == "/hang" ? .hang : .close]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        for path in ["/close", "/hang"] {
            var request = self.cutting(server.url(path))
            request.limits.total = .milliseconds(500)
            let response = try await transport.response(request)
            #expect(response.status == 503)
            #expect(response.headers["Retry-After"] == "7")
        }
    }

    @Test("a redirect with a large body is followed and counted", arguments: TransportKind.allCases)
    func redirect(_ kind: TransportKind) async throws {
        let page = self.page
        let server = RawServer { request in
            request.path == "/there"
                ? [.response("204 No Content")] : [.response("302 Found", page, "Location: /there")]
        }
        defer { server.stop() }
        let response = try await kind.transport().response(self.cutting(server.url("/")))
        #expect(response.status == 204)
        #expect(response.redirects == 1)
    }

    @Test("a body beyond its limit is an error if the body matters", arguments: TransportKind.allCases)
    func refused(_ kind: TransportKind) async throws {
        let page = self.page
        let server = RawServer { _ in [.response("200 OK", page)] }
        defer { server.stop() }
        let request = AdHTTPRequest(.get, server.url("/"), limits: .init(body: 4096))
        #expect(try await kind.transport().phase(request) == .tooLarge)
    }
}
