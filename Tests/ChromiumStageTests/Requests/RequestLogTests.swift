import AdCore
import Testing

@testable import ChromiumStage

@Suite("The requests of a creative")
struct RequestLogTests {
    private func event(_ method: String, _ params: JSON) -> DevToolsEvent {
        DevToolsEvent(session: DevToolsSession(name: "S"), method: "Network." + method, params: params)
    }

    private func sent(_ url: String, _ more: [JSON.Member] = []) -> DevToolsEvent {
        let request: JSON = ["url": .string(url), "method": "GET"]
        return self.event(
            "requestWillBeSent",
            .object([.init("requestId", "1"), .init("request", request), .init("type", "Image")] + more)
        )
    }

    @Test("one that was answered is told with its status, its type, its size and its time")
    func answered() {
        var log = RequestLog()
        #expect(log.hear(self.sent("https://a.example/p.png"), at: .milliseconds(10)) == nil)
        #expect(log.waiting == ["https://a.example/p.png"])
        let response: JSON = ["requestId": "1", "response": ["status": 200, "mimeType": "image/png"]]
        #expect(log.hear(self.event("responseReceived", response), at: .milliseconds(20)) == nil)
        let end = self.event("loadingFinished", ["requestId": "1", "encodedDataLength": 321])
        #expect(
            log.hear(end, at: .milliseconds(35))
                == StageRequest(
                    url: "https://a.example/p.png",
                    method: "GET",
                    kind: "Image",
                    start: .milliseconds(10),
                    length: .milliseconds(25),
                    outcome: .answered(status: 200, type: "image/png", bytes: 321)
                )
        )
        #expect(log.waiting.isEmpty)
        #expect(log.hear(end, at: .milliseconds(40)) == nil)
    }

    @Test("what lies beside a creative is its own affair, but for the host's script")
    func beside() {
        var log = RequestLog()
        for (name, told) in [("a.png", nil), ("mraid.js?v=3", "mraid.js")] {
            _ = log.hear(self.sent("https://ad-1.yabbi-creative.invalid/" + name), at: .zero)
            let end = self.event("loadingFinished", ["requestId": "1", "encodedDataLength": 0])
            #expect(log.hear(end, at: .zero)?.url == told)
        }
    }

    @Test("one that failed and one that was blocked say why")
    func failed() {
        var log = RequestLog()
        _ = log.hear(self.sent("https://a.example/1"), at: .zero)
        let failure = self.event("loadingFailed", ["requestId": "1", "errorText": "net::ERR_NAME_NOT_RESOLVED"])
        #expect(log.hear(failure, at: .zero)?.outcome == .failed("net::ERR_NAME_NOT_RESOLVED"))
        _ = log.hear(self.sent("http://127.0.0.1/1"), at: .zero)
        let block: JSON = ["requestId": "1", "errorText": "net::ERR_BLOCKED_BY_CLIENT", "blockedReason": "inspector"]
        #expect(log.hear(self.event("loadingFailed", block), at: .zero)?.outcome == .blocked("inspector"))
    }

    @Test("a socket is told when it is open, or when it was not to be opened")
    func sockets() {
        var log = RequestLog()
        let url: JSON = ["requestId": "1", "url": "wss://a.example/live"]
        #expect(log.hear(self.event("webSocketCreated", url), at: .zero) == nil)
        let shake: JSON = ["requestId": "1", "response": ["status": 101]]
        let open = log.hear(self.event("webSocketHandshakeResponseReceived", shake), at: .milliseconds(5))
        #expect(open?.kind == "WebSocket" && open?.outcome == .answered(status: 101, type: nil, bytes: 0))
        #expect(log.hear(self.event("webSocketClosed", ["requestId": "1"]), at: .zero) == nil)
        _ = log.hear(self.event("webSocketCreated", url), at: .zero)
        let closed = log.hear(self.event("webSocketClosed", ["requestId": "1"]), at: .zero)
        #expect(closed?.outcome == .failed("it was not opened"))
    }

    @Test("a socket to the local network is told of, however its server is written; what comes by one is counted")
    func nearSockets() {
        for (url, isNear) in [
            ("ws://127.0.0.1:8080/", true), ("wss://localhost./", true), ("ws://redis:6379/", true),
            ("wss://a.example/", false),
        ] {
            var watch = SessionWatch()
            let event = self.event("webSocketCreated", ["requestId": "1", "url": .string(url)])
            let told = watch.hear(event, else: nil, at: .zero) ?? []
            let words = "a socket, a request to the local network: \(url)"
            #expect(told == (isNear ? [.report(.blocked(BlockedAttempt(.other, words)))] : []), "\(url)")
        }
        var watch = SessionWatch()
        let frame: JSON = [
            "requestId": "1", "response": ["payloadData": .string(String(repeating: "x", count: 1_000_000))],
        ]
        var outputs: [StageOutput] = []
        for _ in 0..<101 {
            outputs += watch.hear(self.event("webSocketFrameReceived", frame), else: nil, at: .zero) ?? []
        }
        #expect(outputs.last == .setAlarm(.surfeit, after: .zero))
    }

    @Test("one that was sent elsewhere is two")
    func redirected() {
        var log = RequestLog()
        _ = log.hear(self.sent("https://a.example/1"), at: .zero)
        let again = self.sent("https://b.example/2", [.init("redirectResponse", ["status": 302])])
        #expect(log.hear(again, at: .zero)?.outcome == .answered(status: 302, type: nil, bytes: 0))
        let end = self.event("loadingFinished", ["requestId": "1"])
        #expect(log.hear(end, at: .zero)?.url == "https://b.example/2")
    }

    @Test("our own pages and what is no request of a server are not told, and neither is what nobody could read")
    func left() {
        var log = RequestLog()
        let end = self.event("loadingFinished", ["requestId": "1"])
        for url in [
            "data:text/plain,x", "https://x.yabbi-stage.invalid/", "https://x.yabbi-creative.invalid/", "blob:x",
        ] {
            _ = log.hear(self.sent(url), at: .zero)
            #expect(log.hear(end, at: .zero) == nil)
        }
        var told = 0
        for _ in 0..<(RequestLog.most + 10) {
            _ = log.hear(self.sent("https://a.example/"), at: .zero)
            told += log.hear(end, at: .zero) == nil ? 0 : 1
        }
        #expect(told == RequestLog.most)
    }
}

@Suite("Which requests a creative may make")
struct RequestRulesTests {
    @Test(
        "this machine and its neighbours are asked nothing",
        arguments: [
            "http://127.0.0.1/", "http://127.9.9.9:1/x", "https://localhost:8443/", "http://a.localhost/",
            "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/", "http://0.0.0.0/", "http://224.0.0.1/",
            "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[::ffff:127.0.0.1]/",
            "http://printer.local/", "http://router.lan/", "http://metadata.google.internal/", "http://intranet/",
            "http://localhost./", "http://user:pass@127.0.0.1/",
        ]
    )
    func near(address: String) {
        #expect(RequestRules.verdict(address, neighbours: []) == .refuse("a request to the local network"))
        let long = address + String(repeating: "a", count: 100_000)
        if address.hasSuffix("/") {
            #expect(RequestRules.verdict(long, neighbours: []) == .refuse("a request to the local network"))
        }
    }

    @Test(
        "the world is asked",
        arguments: [
            "https://a.example/", "http://8.8.8.8/", "http://172.32.0.1/", "http://192.169.1.1/", "http://11.0.0.1/",
            "https://localhost.example/", "https://127.0.0.1.example/", "http://[2001:4860::1]/", "data:text/plain,x",
        ]
    )
    func far(address: String) { #expect(RequestRules.verdict(address, neighbours: []) == .proceed) }

    @Test(
        "a name that the browser takes for a number of the local network is refused with its reason, and few are",
        arguments: [
            ("10.a.b.com", true), ("10.cdn.foo.com", true), ("172.16.a.b", true), ("230.1.2.io", true),
            ("10.cdn.example", false), ("10.static.foo.com", false), ("10.com", false), ("110.a.b.com", false),
            ("172.32.a.b", false), ("10.a.b.com.example", false), ("8.8.8.8", false),
        ]
    )
    func alike(host: String, isRefused: Bool) {
        let reason = "a request to a name that is written like a number of the local network"
        #expect(RequestRules.verdict("https://\(host)/", neighbours: []) == (isRefused ? .refuse(reason) : .proceed))
    }

    @Test("a neighbour that the host allows is asked by us, and no other")
    func neighbour() {
        let allowed: Set<String> = ["http://127.0.0.1:8080"]
        #expect(RequestRules.verdict("http://127.0.0.1:8080/x?y", neighbours: allowed) == .serve)
        #expect(RequestRules.verdict("http://127.0.0.1:8081/x", neighbours: allowed) != .serve)
        #expect(RequestRules.verdict("https://127.0.0.1:8080/x", neighbours: allowed) != .serve)
    }

    @Test("beside a creative without an address of its own there is nothing")
    func beside() {
        #expect(RequestRules.verdict("https://ad-1.yabbi-creative.invalid/a.png", neighbours: []) == .missing)
    }
}
