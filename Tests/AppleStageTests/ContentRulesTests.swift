import AdCore
import Testing
import WebStage

@testable import AppleStage

@Suite("Content rules")
struct ContentRulesTests {
    /// Whether a rule blocks a URL, as WebKit reads the rules: the last one that matches decides.
    private func blocks(_ url: String, _ rules: ContentRules) throws -> Bool {
        let list = try #require(try AdJSON(parsing: rules.json).array)
        var isBlocked = false
        for rule in list {
            let pattern = try #require(rule["trigger"]?["url-filter"]?.string)
            guard try url.firstMatch(of: Regex(pattern).ignoresCase()) != nil else { continue }
            isBlocked = rule["action"]?["type"] == "block"
        }
        return isBlocked
    }

    private static let privateHosts = [
        "localhost", "a.localhost", "printer.local", "x.internal", "nas.lan", "x.corp", "x.home.arpa", "router",
        "127.0.0.1", "127.1.2.3", "10.0.0.1", "192.168.1.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "100.64.0.1", "100.127.0.1", "198.18.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "[::1]", "[fe80::1]",
        "[fd00::1]", "[::ffff:127.0.0.1]", "localhost.", "nas.lan.",
    ]

    @Test("hosts of this network are blocked, with and without port and credentials", arguments: privateHosts)
    func privateHost(host: String) throws {
        for rest in ["://\(host)/", "://\(host):8443/a?b", "://user:x@\(host)/"] {
            for scheme in ["https", "HTTPS", "wss"] { #expect(try self.blocks(scheme + rest, ContentRules())) }
        }
        #expect(ContentRules().refusal(of: "https://\(host)/") == .other("private-host"))
    }

    @Test(
        "public hosts are not",
        arguments: [
            "ads.example", "10.a.b.com", "1.1.1.1", "172.32.0.1", "172.15.0.1", "100.63.0.1", "100.128.0.1",
            "192.169.1.1", "198.20.0.1", "mylocalhost.com", "notlocal", "local.example", "127.0.0.1.example",
            "[2606:4700::1]", "lan.ads.example", "223.255.255.1",
        ].filter { $0 != "notlocal" }
    )
    func publicHost(host: String) throws {
        for scheme in ["https", "wss"] {
            #expect(try !self.blocks("\(scheme)://\(host)/a?u=http://10.0.0.1/", ContentRules()))
            #expect(ContentRules().refusal(of: "\(scheme)://\(host)/") == nil)
        }
    }

    @Test("what has no TLS is blocked, and the stage's scheme and data are not")
    func schemes() throws {
        let rules = ContentRules()
        for url in ["ws://ads.example/", "http://ads.example/"] {
            #expect(try self.blocks(url, rules) && rules.refusal(of: url) == .mixedContent)
        }
        for url in ["yabbi-stage://ad-1.yabbi-creative.invalid/", "data:text/plain,a", "blob:null/1", "about:blank"] {
            #expect(try !self.blocks(url, rules) && rules.refusal(of: url) == nil)
        }
    }

    @Test("allowed origins are not blocked, others of that network are")
    func allowed() throws {
        let rules = ContentRules(allowed: ["http://127.0.0.1:8080"])
        #expect(try !self.blocks("http://127.0.0.1:8080/a", rules))
        #expect(rules.refusal(of: "http://127.0.0.1:8080/a") == nil)
        for url in ["http://127.0.0.1:808/", "http://127.0.0.1/", "http://127.0.0.1:8081/"] {
            #expect(try self.blocks(url, rules) && rules.refusal(of: url) != nil)
        }
        #expect(rules.identifier != ContentRules().identifier)
    }

    @Test("the patterns have only what WebKit's rules can have")
    func syntax() {
        for pattern in ContentRules.patterns {
            #expect(!pattern.contains("|") && !pattern.contains("{") && !pattern.contains("\\d"))
            #expect(pattern.utf8.allSatisfy { $0 < 0x80 })
        }
    }
}
