import AdCore
import Testing
import TransportSupport

@testable import CurlTransport

@Suite("Requests for public addresses over libcurl")
struct ReachTests {
    @Test("if a name has private and public addresses, a failure is that of the public one")
    func mixed() async throws {
        let server = RawServer { _ in [.response("200 OK", "hello")] }
        var configuration = CurlTransport.Configuration()
        configuration.additionalPublicAddresses = [try #require(IPAddress(text: "127.0.0.1"))]
        let transport = try CurlTransport(configuration)
        let url = try #require(HTTPURL("http://localhost:\(server.port)/"))
        let request = AdHTTPRequest(.get, url, reach: .publicOnly)
        #expect(try await transport.send(request).status == 200)
        server.stop()
        await #expect {
            try await transport.send(request)
        } throws: { ($0 as? TransportError)?.phase == .notSent(.refused) }
    }
}
