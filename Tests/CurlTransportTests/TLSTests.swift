import AdCore
import CurlTransport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite("The transport over TLS", .serialized)
struct TLSTests {
    @Test("a server whose authority is trusted is heard, one whose authority is not is never spoken to")
    func authorities() async throws {
        let server = try #require(TLSServer())
        defer { server.stop() }
        let request = HTTPRequest(.get, try #require(HTTPURL("https://localhost:\(server.port)/")))

        var trusting = CurlTransport.Configuration()
        trusting.caFile = server.authority
        let response = try await CurlTransport(trusting).send(request)
        #expect(response.status == 200)

        // The certificate names localhost, and nobody else.
        let other = HTTPRequest(.get, try #require(HTTPURL("https://127.0.0.1:\(server.port)/")))
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

/// `openssl s_server` with a certificate of an authority that was made for the test.
private struct TLSServer {
    let port: Int
    let authority: String
    let otherAuthority: String
    private let folder: String
    private let process: Int32

    init?() {
        var template = Array("\(P_tmpdir)/yabbi-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let make = """
            cd '\(folder)' && for ca in ca other; do
              openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=$ca" -keyout $ca.key -out $ca.pem
            done && openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out request.pem &&
            printf 'subjectAltName=DNS:localhost' > names && openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key \
              -CAcreateserial -days 2 -extfile names -out cert.pem
            """
        guard system("{ \(make); } >/dev/null 2>&1") == 0 else { return nil }
        // The shell becomes the server, so its number is the server's.
        let serve =
            "cd '\(folder)' && echo $$ && exec openssl s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -www 2>&1"
        guard let output = popen(serve, "r") else { return nil }
        var line = [CChar](repeating: 0, count: 512)
        var process: Int32?
        var port: Int?
        while port == nil, fgets(&line, Int32(line.count), output) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).trimmed
            if process == nil {
                process = Int32(text)
            } else if text.hasPrefix("ACCEPT") {
                port = text.split(separator: ":").last.flatMap { Int($0) }
            }
        }
        guard let process, let port else { return nil }
        self.port = port
        self.process = process
        self.folder = folder
        self.authority = folder + "/ca.pem"
        self.otherAuthority = folder + "/other.pem"
    }

    func stop() {
        // The child has inherited a mask of signals in which SIGTERM never arrives.
        kill(self.process, SIGKILL)
        _ = system("rm -rf '\(self.folder)'")
    }
}
