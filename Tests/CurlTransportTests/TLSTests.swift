import AdCore
import CurlTransport
import TestSupport
import Testing

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

/// `openssl s_server` with a certificate of a test authority.
private struct TLSServer {
    let port: Int
    let certificates: Certificates
    private let process: ChildProcess

    var authority: String { self.certificates.authority }
    var otherAuthority: String { self.certificates.otherAuthority }

    init?() {
        guard let certificates = Certificates() else { return nil }
        let serve =
            "cd '\(certificates.folder)' && exec openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www 2>&1"
        var port: Int?
        let process = ChildProcess(serve) { line in
            if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { Int($0) } }
            return port != nil
        }
        guard let process, let port else { return nil }
        self.port = port
        self.process = process
        self.certificates = certificates
    }

    func stop() {
        self.process.stop()
        self.certificates.remove()
    }
}
