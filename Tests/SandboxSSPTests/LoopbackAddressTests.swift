import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("Which requests the sandbox accepts")
struct LoopbackAddressTests {
    private let address = LoopbackAddress(port: 8123)

    private func request(_ headers: [String: String]) -> ServerRequest {
        ServerRequest(method: "GET", target: "/", headers: headers)
    }

    @Test(
        "the Host header must be a loopback name with the sandbox's port",
        arguments: [
            ("127.0.0.1:8123", true), ("localhost:8123", true), ("LOCALHOST:8123", true), ("[::1]:8123", true),
            ("127.8.9.1:8123", true), ("127.0.0.1", false), ("localhost:80", false), ("localhost:8124", false),
            ("rebound.example:8123", false), ("127.0.0.1.example:8123", false), ("localhost.example:8123", false),
            ("127.0.0.1:8123, evil.example", false), ("evil.example#@127.0.0.1:8123", false),
            ("user@127.0.0.1:8123", false), ("127.0.0.1:8123/x", false), ("", false), ("192.168.1.2:8123", false),
            ("127.1:8123", false), ("127.0.0.1:08123x", false),
        ]
    )
    func host(_ host: String, isAllowed: Bool) {
        #expect(self.address.matchesHost(of: self.request(["host": host])) == isAllowed)
    }

    @Test(
        "the Origin header must be the sandbox's own",
        arguments: [
            ("http://127.0.0.1:8123", true), ("http://localhost:8123", true), ("https://127.0.0.1:8123", false),
            ("http://evil.example", false), ("http://127.0.0.1:9", false), ("null", false), ("", false),
            ("http://127.0.0.1:8123.evil.example", false),
        ]
    )
    func origin(_ origin: String, isAllowed: Bool) {
        #expect(self.address.matchesOrigin(of: self.request(["origin": origin])) == isAllowed)
    }

    @Test("a request without Host and Origin is accepted")
    func programs() {
        #expect(self.address.matchesHost(of: self.request([:])) && self.address.matchesOrigin(of: self.request([:])))
    }

    @Test("an unknown Host gets status 403 from every endpoint and is not recorded")
    func refused() {
        var state = SandboxState(base: "http://127.0.0.1:8123", address: self.address)
        let now = WallTime(milliseconds: 0)
        for path in ["/", "/t/yabbi/view", "/sandbox/hits", "/yabbi/load"] {
            let request = ServerRequest(method: "GET", target: path, headers: ["host": "rebound.example:8123"])
            #expect(state.handle(request, at: now).status == 403, "\(path)")
        }
        #expect(state.log.hits.isEmpty)
        let own = ServerRequest(method: "GET", target: "/", headers: ["host": "localhost:8123"])
        #expect(state.handle(own, at: now).status == 200)
    }

    @Test("a page of another origin can't open a socket, a program can")
    func socket() {
        var state = SandboxState(base: "http://127.0.0.1:8123", address: self.address)
        let target = Sandbox.socketPath + "?master&domain=a&version=1.0.0"
        var headers = [
            "host": "127.0.0.1:8123", "upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13",
            "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        let now = WallTime(milliseconds: 0)
        let program = ServerRequest(method: "GET", target: target, headers: headers)
        #expect(state.handle(program, at: now).status == 101)
        for origin in ["https://evil.example", "null"] {
            headers["origin"] = origin
            let page = ServerRequest(method: "GET", target: target, headers: headers)
            #expect(state.handle(page, at: now).status == 403)
        }
    }
}
