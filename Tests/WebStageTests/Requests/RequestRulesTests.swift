import AdCore
import Testing

@testable import WebStage

@Suite("Which requests a creative may make")
struct RequestRulesTests {
    @Test(
        "servers on this computer and network are not requested",
        arguments: [
            "http://127.0.0.1/", "http://127.9.9.9:1/x", "https://localhost:8443/", "http://a.localhost/",
            "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/", "http://0.0.0.0/", "http://224.0.0.1/",
            "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/",
            "http://printer.local/", "http://router.lan/", "http://metadata.google.internal/", "http://intranet/",
            "http://localhost./", "http://user:pass@127.0.0.1/",
        ]
    )
    func privateHost(address: String) {
        #expect(RequestRules.decision(address, allowed: []) == .refuse("the local network"))
        let long = address + String(repeating: "a", count: 100_000)
        if address.hasSuffix("/") {
            #expect(RequestRules.decision(long, allowed: []) == .refuse("the local network"))
        }
    }

    @Test(
        "public servers are requested",
        arguments: [
            "https://a.example/", "http://8.8.8.8/", "http://172.32.0.1/", "http://192.169.1.1/", "http://11.0.0.1/",
            "https://localhost.example/", "https://127.0.0.1.example/", "http://[2001:4860::1]/", "data:text/plain,x",
        ]
    )
    func publicHost(address: String) { #expect(RequestRules.decision(address, allowed: []) == .proceed) }

    @Test("a host that the engine does not resolve is refused with its destination")
    func unresolved() throws {
        func decision(_ address: String, allowed: Set<String> = []) -> RequestRules.Decision {
            RequestRules.decision(address, allowed: allowed, unresolved: "a strange name")
        }
        #expect(decision("https://10.a.b.com/") == .refuse("a strange name"))
        #expect(decision("http://10.0.0.1/") == .refuse("the local network"))
        #expect(decision("https://10.a.b.com/", allowed: ["https://10.a.b.com:443"]) == .fetch)
        #expect(decision("data:text/plain,x") == .proceed)

        let id = EngineRequestID(number: "1", target: EngineTarget(name: "s"))
        let request = EngineRequest(id, url: "https://10.a.b.com/x", kind: .image, unresolvedHost: "a strange name")
        let text = "a request to a strange name: https://10.a.b.com/x"
        let refusal = StageOutput.report(.blocked(BlockedAttempt(.other, text)))
        #expect(request.decided(request.decision(allowed: [])) == [.send(request.failing(.blocked)), refusal])
    }

    @Test("only requests to allowed origins are sent by the stage")
    func allowedHost() {
        let allowed: Set<String> = ["http://127.0.0.1:8080"]
        #expect(RequestRules.decision("http://127.0.0.1:8080/x?y", allowed: allowed) == .fetch)
        #expect(RequestRules.decision("http://127.0.0.1:8081/x", allowed: allowed) != .fetch)
        #expect(RequestRules.decision("https://127.0.0.1:8080/x", allowed: allowed) != .fetch)
    }

    @Test("a relative URL of a creative without a base URL is missing")
    func beside() {
        #expect(RequestRules.decision("https://ad-1.yabbi-creative.invalid/a.png", allowed: []) == .missing)
    }
}
