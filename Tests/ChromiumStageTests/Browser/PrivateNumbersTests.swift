import AdCore
import EngineSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Host names that look like private addresses")
struct PrivateNumbersTests {
    private static let destination = "a host name that looks like an IP address of the local network"

    @Test(
        "a host name that matches a pattern of private addresses has a destination",
        arguments: [
            ("10.a.b.com", true), ("10.cdn.foo.com", true), ("172.16.a.b", true), ("230.1.2.io", true),
            ("10.cdn.example", false), ("10.static.foo.com", false), ("10.com", false), ("110.a.b.com", false),
            ("172.32.a.b", false), ("10.a.b.com.example", false), ("8.8.8.8", false),
        ]
    )
    func alike(host: String, isRefused: Bool) {
        for scheme in ["https", "http", "wss", "ws"] {
            let url = "\(scheme)://\(host)/x?y"
            #expect(PrivateNumbers.destination(of: url) == (isRefused ? Self.destination : nil), "\(url)")
        }
    }

    @Test("held requests and WebSockets have it")
    func events() throws {
        let session = DevToolsSession(name: "s")
        func request(_ url: String) throws -> EngineRequest {
            let params: AdJSON = ["requestId": "7", "request": ["url": .string(url)]]
            let event = DevToolsEvent(session: session, method: "Fetch.requestPaused", params: params)
            return try #require(EngineRequest(event))
        }
        #expect(try request("https://10.a.b.com/x").unresolvedHost == Self.destination)
        #expect(try request("https://a.example/x").unresolvedHost == nil)
        let params: AdJSON = ["requestId": "8", "url": "wss://10.a.b.com/"]
        let created = DevToolsEvent(session: session, method: "Network.webSocketCreated", params: params)
        let socket = NetworkEvent.socketCreated("8", url: "wss://10.a.b.com/", unresolvedHost: Self.destination)
        #expect(created.engine?.kind == .network(socket))
    }
}
