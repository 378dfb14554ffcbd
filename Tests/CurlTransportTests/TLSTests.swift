import AdCore
import CurlTransport
import Testing
import TransportSupport

@Suite("TLS verification", .serialized)
struct TLSTests {
    @Test("only a server with a certificate of a trusted authority and its own name is connected to")
    func authorities() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        let request = AdHTTPRequest(.get, try #require(HTTPURL("https://localhost:\(server.port)/")))

        var trusting = CurlTransport.Configuration()
        trusting.caFile = server.authority
        let response = try await CurlTransport(trusting).send(request)
        #expect(response.status == 200)

        // The certificate is for localhost only.
        let other = AdHTTPRequest(.get, try #require(HTTPURL("https://127.0.0.1:\(server.port)/")))
        await #expect {
            _ = try await CurlTransport(trusting).send(other)
        } throws: { ($0 as? TransportError)?.phase == .notSent(.tlsFailed) }

        var mistaken = CurlTransport.Configuration()
        mistaken.caFile = server.otherAuthority
        for configuration in [mistaken, CurlTransport.Configuration()] {
            let transport = try CurlTransport(configuration)
            await #expect {
                try await transport.send(request)
            } throws: { error in
                (error as? TransportError)?.phase == .notSent(.tlsFailed)
            }
        }
    }
}
