import AdCore
import CurlTransport
import LibC
import Testing
import TransportSupport

@Suite("Proxies", .serialized)
struct ProxyTests {
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
