import AdCore
import LibC
import SystemSupport
import Testing

@testable import CurlTransport

@Suite("Responses of which only the status matters", .serialized)
struct StatusOnlyTests {
    private let page = String(repeating: "x", count: 6000)

    private func send(_ request: AdHTTPRequest) async throws -> AdHTTPResponse {
        try await CurlTransport().send(request)
    }

    private func cutting(_ url: HTTPURL) -> AdHTTPRequest {
        AdHTTPRequest(.get, url, limits: .init(total: .seconds(5), body: 4096, excess: .discard), repetition: .counted)
    }

    @Test("a body beyond its limit is cut, and the status counts", arguments: ["200 OK", "503 Busy", "404 Not Found"])
    func large(status: String) async throws {
        let page = self.page
        let server = RawServer { request in
            request.path == "/known"
                ? [.response(status, page)] : [.text("HTTP/1.1 \(status)\r\n\r\n"), .text(page), .close]
        }
        defer { server.stop() }
        for path in ["/known", "/unknown"] {
            let response = try await self.send(self.cutting(server.url(path)))
            #expect("\(response.status)" == status.prefix(3))
            #expect(response.body.count == 4096)
        }
    }

    @Test("a truncated or endless body does not affect the status")
    func broken() async throws {
        let server = RawServer { request in
            let head = RawServer.Action.text("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nhalf")
            return [head, request.path == "/hang" ? .hang : .close]
        }
        defer { server.stop() }
        for path in ["/close", "/hang"] {
            var request = self.cutting(server.url(path))
            request.limits.total = .milliseconds(500)
            let response = try await self.send(request)
            #expect(response.status == 503)
            #expect(response.headers["Retry-After"] == "7")
        }
    }

    @Test("a truncated header is an error")
    func noHead() async throws {
        let server = RawServer { _ in [.text("HTTP/1.1 200 OK\r\nX: "), .close] }
        defer { server.stop() }
        await #expect {
            _ = try await self.send(self.cutting(server.url("/")))
        } throws: { error in
            guard case .ambiguous = (error as? TransportError)?.phase else { return false }
            return true
        }
    }

    @Test("a redirect with a large body is followed and counted")
    func redirect() async throws {
        let page = self.page
        let server = RawServer { request in
            request.path == "/there"
                ? [.response("204 No Content")] : [.response("302 Found", page, "Location: /there")]
        }
        defer { server.stop() }
        let response = try await self.send(self.cutting(server.url("/")))
        #expect(response.status == 204)
        #expect(response.redirects == 1)
    }

    @Test("a body beyond its limit is an error if the body matters")
    func refused() async throws {
        let page = self.page
        let server = RawServer { _ in [.response("200 OK", page)] }
        defer { server.stop() }
        await #expect {
            _ = try await self.send(AdHTTPRequest(.get, server.url("/"), limits: .init(body: 4096)))
        } throws: { ($0 as? TransportError)?.phase == .tooLarge }
    }

    @Test("a redirect URL that is not UTF-8 is followed byte for byte")
    func latin() async throws {
        let server = RawServer { request in
            guard request.path == "/" else { return [.response("200 OK")] }
            return [
                .send(Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf".utf8) + [0xE9]),
                .text("\r\n\r\n"),
            ]
        }
        defer { server.stop() }
        _ = try await self.send(AdHTTPRequest(.get, server.url("/")))
        #expect(server.requests.last?.path == "/caf%E9")
    }
}

@Suite("Waiting requests", .serialized)
struct WaitingTests {
    @Test("the limit per server is kept, and a request that waits too long fails as not sent")
    func perHost() async throws {
        let server = RawServer { request in request.path == "/hang" ? [.hang] : [.response("200 OK")] }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHost = 2
        let transport = try CurlTransport(configuration)
        let hanging = (0..<2).map { _ in Task { try await transport.send(AdHTTPRequest(.get, server.url("/hang"))) } }
        while server.requests.count < 2 { await Task.yield() }
        let late = AdHTTPRequest(.get, server.url("/quick"), limits: .init(total: .milliseconds(300)))
        await #expect {
            _ = try await transport.send(late)
        } throws: { ($0 as? TransportError)?.phase == .notSent(.timedOut) }
        #expect(server.requests.count == 2)
        hanging[0].cancel()
        _ = await hanging[0].result
        #expect(try await transport.send(late).status == 200)
        hanging[1].cancel()
        _ = await hanging[1].result
    }

    @Test("a proxy from the environment is used only if configured")
    func proxy() async throws {
        let proxy = RawServer { _ in [.response("200 OK", "by the proxy")] }
        let server = RawServer { _ in [.response("200 OK", "direct")] }
        defer {
            proxy.stop()
            server.stop()
        }
        setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        defer { unsetenv("http_proxy") }
        let request = AdHTTPRequest(.get, server.url("/"))
        #expect(try await CurlTransport().send(request).body == Array("direct".utf8))
        var configuration = CurlTransport.Configuration()
        configuration.usesProxyOfEnvironment = true
        #expect(try await CurlTransport(configuration).send(request).body == Array("by the proxy".utf8))
    }
}
