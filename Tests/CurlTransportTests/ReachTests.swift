import AdCore
import Testing

@testable import CurlTransport

@Suite("Requests that are for the world alone")
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

    @Test("a name or a number that leads to this machine is refused, and nobody there hears of it")
    func refused() async throws {
        let server = RawServer { _ in [.answer("200 OK", "secret")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        for (host, address) in [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "::1")] {
            let url = try #require(HTTPURL("http://\(host):\(server.port)/"))
            let result = await self.outcome(url, .publicOnly, over: transport)
            guard case .failure(let error) = result else { throw Answered() }
            #expect(error.phase == .notSent(.privateAddress))
            let words = "Refused: \(url.host) leads to a private address "
            // A name may lead to both kinds of addresses.
            #expect(error.message == words + address || host == "localhost" && error.message == words + "::1")
        }
        #expect(server.connections == 0)
    }

    @Test("a connection that another request has left open is not theirs, and stays that one's")
    func pooled() async throws {
        let server = RawServer { _ in [.answer("200 OK", "hello")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        _ = try await self.outcome(server.url("/1"), .anywhere, over: transport).get()
        let refusal = await self.outcome(server.url("/2"), .publicOnly, over: transport)
        guard case .failure(let error) = refusal else { throw Answered() }
        #expect(error.phase == .notSent(.privateAddress))
        _ = try await self.outcome(server.url("/3"), .anywhere, over: transport).get()
        #expect(server.requests.map(\.path) == ["/1", "/3"])
        #expect(server.connections == 1, "the one that is left open is used again by who may")
    }

    @Test(
        "what is public is called, each time anew, also where the name leads near as well; each redirect is looked at"
    )
    func allowed() async throws {
        let server = RawServer { request in
            request.path == "/near"
                ? [.answer("302 Found", "", "Location: http://[::1]:1/")] : [.answer("200 OK", "hello")]
        }
        defer { server.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.additionalPublicAddresses = [try #require(PeerAddress(text: "127.0.0.1"))]
        let transport = try CurlTransport(configuration)
        let url = try #require(HTTPURL("http://localhost:\(server.port)/"))
        for _ in 1...2 { #expect(try await self.outcome(url, .publicOnly, over: transport).get().status == 200) }
        #expect(server.connections == 2)
        let result = await self.outcome(server.url("/near"), .publicOnly, over: transport)
        guard case .failure(let error) = result else { throw Answered() }
        #expect(error.phase == .ambiguous(.privateAddress))
        #expect(error.message == "Refused: ::1 leads to a private address ::1 (after 1 redirects)")
        // Nobody listens there: who could not be reached is the one that might have been.
        server.stop()
        guard case .failure(let gone) = await self.outcome(url, .publicOnly, over: transport) else { throw Answered() }
        #expect(gone.phase == .notSent(.refused))
    }

    @Test("what may go anywhere goes to this machine as before")
    func anywhere() async throws {
        let server = RawServer { _ in [.answer("200 OK", "hello")] }
        defer { server.stop() }
        let answer = try await self.outcome(server.url("/"), .anywhere, over: CurlTransport()).get()
        #expect(answer.status == 200)
    }

    private struct Answered: Error {}
}
