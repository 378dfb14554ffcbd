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

    @Test(
        "a host name that matches a pattern of private addresses is refused with its destination",
        arguments: [
            ("10.a.b.com", true), ("10.cdn.foo.com", true), ("172.16.a.b", true), ("230.1.2.io", true),
            ("10.cdn.example", false), ("10.static.foo.com", false), ("10.com", false), ("110.a.b.com", false),
            ("172.32.a.b", false), ("10.a.b.com.example", false), ("8.8.8.8", false),
        ]
    )
    func alike(host: String, isRefused: Bool) {
        let destination = "a host name that looks like an IP address of the local network"
        #expect(RequestRules.decision("https://\(host)/", allowed: []) == (isRefused ? .refuse(destination) : .proceed))
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
