import AdCore
import Testing

@testable import CurlTransport

@Suite("Requests for public addresses only")
struct ReachTests {
    private func outcome(
        _ url: HTTPURL,
        _ reach: AdHTTPRequest.Reach,
        redirects: Int = 5,
        over transport: CurlTransport
    ) async -> Result<AdHTTPResponse, TransportError> {
        do throws(TransportError) {
            let request = AdHTTPRequest(.get, url, limits: .init(redirects: redirects), reach: reach)
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    @Test("a host on loopback is refused without a connection")
    func refused() async throws {
        let server = RawServer { _ in [.response("200 OK", "secret")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        for (host, address) in [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1")] {
            let url = try #require(HTTPURL("http://\(host):\(server.port)/"))
            let result = await self.outcome(url, .publicOnly, over: transport)
            guard case .failure(let error) = result else { throw UnexpectedResponse() }
            #expect(error.phase == .notSent(.privateAddress))
            let words = "refused: \(url.host) resolves to the private address "
            // A name can have IPv4 and IPv6 addresses.
            #expect(error.message == words + address || host == "localhost" && error.message == words + "::1")
        }
        #expect(server.connections == 0)
    }

    @Test("a restricted request does not reuse an open connection, which stays open for others")
    func pooled() async throws {
        let server = RawServer { _ in [.response("200 OK", "hello")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        _ = try await self.outcome(server.url("/1"), .anywhere, over: transport).get()
        let refusal = await self.outcome(server.url("/2"), .publicOnly, over: transport)
        guard case .failure(let error) = refusal else { throw UnexpectedResponse() }
        #expect(error.phase == .notSent(.privateAddress))
        _ = try await self.outcome(server.url("/3"), .anywhere, over: transport).get()
        #expect(server.requests.map(\.path) == ["/1", "/3"])
        #expect(server.connections == 1, "the open connection is reused by unrestricted requests")
    }

    @Test(
        "public addresses are connected to, each time anew, even if the name has private ones; redirects are checked"
    )
    func allowed() async throws {
        let server = RawServer { request in
            request.path == "/near"
                ? [.response("302 Found", "", "Location: http://[::1]:1/")] : [.response("200 OK", "hello")]
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.additionalPublicAddresses = [try #require(IPAddress(text: "127.0.0.1"))]
        let transport = try CurlTransport(configuration)
        let url = try #require(HTTPURL("http://localhost:\(server.port)/"))
        for _ in 1...2 { #expect(try await self.outcome(url, .publicOnly, over: transport).get().status == 200) }
        #expect(server.connections == 2)
        let result = await self.outcome(server.url("/near"), .publicOnly, over: transport)
        guard case .failure(let error) = result else { throw UnexpectedResponse() }
        #expect(error.phase == .ambiguous(.privateAddress))
        #expect(error.message == "refused: ::1 resolves to the private address ::1 (after 1 redirects)")
        // The server is stopped: the error is that of the public address.
        server.stop()
        guard case .failure(let gone) = await self.outcome(url, .publicOnly, over: transport) else {
            throw UnexpectedResponse()
        }
        #expect(gone.phase == .notSent(.refused))
    }

    @Test("an unrestricted request reaches loopback")
    func anywhere() async throws {
        let server = RawServer { _ in [.response("200 OK", "hello")] }
        defer { server.stop() }
        let response = try await self.outcome(server.url("/"), .anywhere, over: CurlTransport()).get()
        #expect(response.status == 200)
    }

    private struct UnexpectedResponse: Error {}
}
