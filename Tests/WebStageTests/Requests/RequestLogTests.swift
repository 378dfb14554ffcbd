import AdCore
import Testing

@testable import WebStage

@Suite("The request log")
struct RequestLogTests {
    private func sent(_ url: String, redirect: NetworkResponse? = nil) -> NetworkEvent {
        .sent("1", url: url, method: "GET", kind: .image, redirect: redirect)
    }

    private func response(_ status: Int, type: String? = nil) -> NetworkResponse {
        NetworkResponse(status: status, type: type, bytes: 0, url: nil, address: nil)
    }

    @Test("an answered request is logged with its status, type, size and time")
    func answered() {
        var log = RequestLog()
        #expect(log.handle(self.sent("https://a.example/p.png"), at: .milliseconds(10)) == nil)
        #expect(log.waiting == ["https://a.example/p.png"])
        let response = self.response(200, type: "image/png")
        #expect(log.handle(.responded("1", response, kind: .image, frame: nil), at: .milliseconds(20)) == nil)
        let end = NetworkEvent.finished("1", bytes: 321)
        #expect(
            log.handle(end, at: .milliseconds(35))
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
        #expect(log.handle(end, at: .milliseconds(40)) == nil)
    }

    @Test("of relative requests only mraid.js is logged")
    func relative() {
        var log = RequestLog()
        for (name, url) in [("a.png", nil), ("mraid.js?v=3", "mraid.js")] {
            _ = log.handle(self.sent("https://ad-1.yabbi-creative.invalid/" + name), at: .zero)
            #expect(log.handle(.finished("1", bytes: 0), at: .zero)?.url == url)
        }
    }

    @Test("a request that has a URL of the stage in its query is logged as what it is")
    func ownURLInQuery() {
        for url in [
            "https://t.example/p?u=https://x.yabbi-stage.invalid/", "https://t.example/p?u=.yabbi-creative.invalid/",
        ] {
            var log = RequestLog()
            _ = log.handle(self.sent(url), at: .zero)
            #expect(log.handle(.finished("1", bytes: 0), at: .zero)?.url == url)
        }
    }

    @Test("failed and blocked requests are logged with the reason, and a long one is truncated")
    func failed() {
        for failure: StageRequest.Failure in [
            .cancelled, .blockedByStage, .refused(.mixedContent), .other("net::ERR_NAME_NOT_RESOLVED"),
        ] {
            var log = RequestLog()
            _ = log.handle(self.sent("https://a.example/1"), at: .zero)
            #expect(log.handle(.failed("1", failure, kind: .image), at: .zero)?.outcome == .failed(failure))
        }
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let long = StageRequest.Failure.other(String(repeating: "x", count: 10_000))
        guard case .failed(.other(let reason))? = log.handle(.failed("1", long, kind: .image), at: .zero)?.outcome
        else {
            Issue.record("the request did not fail")
            return
        }
        #expect(reason.utf8.count <= 200)
    }

    @Test("a WebSocket is logged when it is opened or could not be opened")
    func sockets() {
        var log = RequestLog()
        let created = NetworkEvent.socketCreated("1", url: "wss://a.example/live")
        #expect(log.handle(created, at: .zero) == nil)
        let open = log.handle(.socketOpened("1", self.response(101)), at: .milliseconds(5))
        #expect(open?.kind == "WebSocket" && open?.outcome == .answered(status: 101, type: nil, bytes: 0))
        #expect(log.handle(.socketClosed("1"), at: .zero) == nil)
        _ = log.handle(created, at: .zero)
        #expect(
            log.handle(.socketClosed("1"), at: .zero)?.outcome == .failed(.other("the WebSocket was not opened"))
        )
    }

    @Test("a WebSocket to the local network is reported, and received bytes are counted")
    func privateSockets() {
        func handle(_ event: NetworkEvent, _ policy: inout PagePolicy) -> [StageOutput] {
            policy.handle(EngineEvent(.network(event), in: nil), fallback: nil, at: .zero) ?? []
        }
        for (url, isPrivate) in [
            ("ws://127.0.0.1:8080/", true), ("wss://localhost./", true), ("ws://redis:6379/", true),
            ("wss://a.example/", false),
        ] {
            var policy = PagePolicy()
            let outputs = handle(.socketCreated("1", url: url), &policy)
            let text = "a WebSocket to the local network: \(url)"
            #expect(outputs == (isPrivate ? [.report(.blocked(BlockedAttempt(.other, text)))] : []), "\(url)")
        }
        var policy = PagePolicy()
        let url = "wss://10.a.b.com/"
        let unresolved = handle(.socketCreated("2", url: url, unresolvedHost: "a strange name"), &policy)
        let text = "a WebSocket to a strange name: \(url)"
        #expect(unresolved == [.report(.blocked(BlockedAttempt(.other, text)))])
        var outputs: [StageOutput] = []
        for _ in 0..<101 { outputs += handle(.received(bytes: 1_000_000), &policy) }
        #expect(outputs.last == .setAlarm(.byteLimit, after: .zero))
    }

    @Test("a request that proceeds is logged once, also if the message that it was sent is late or missing")
    func held() {
        let url = "https://a.example/p.png"
        let id = EngineRequestID(number: "interception-1", target: EngineTarget(name: "page"))
        let request = EngineRequest(id, url: url, kind: .image, load: "1")
        for events in [[], [self.sent(url)]] {
            var log = RequestLog()
            log.start(request, at: .milliseconds(10))
            for event in events { #expect(log.handle(event, at: .milliseconds(12)) == nil) }
            let ended = log.handle(.finished("1", bytes: 3), at: .milliseconds(20))
            #expect(ended?.url == url && ended?.start == .milliseconds(10) && log.end(at: .zero).isEmpty)
        }
        var log = RequestLog()
        _ = log.handle(self.sent(url), at: .milliseconds(5))
        log.start(request, at: .milliseconds(10))
        #expect(log.handle(.finished("1", bytes: 3), at: .milliseconds(20))?.start == .milliseconds(5))
        // An engine without such identifiers.
        log.start(EngineRequest(id, url: url, kind: .image), at: .zero)
        #expect(log.waiting.isEmpty)
    }

    @Test("what the stage lets proceed is in the log, what it refuses is not")
    func proceeding() {
        for (url, isLogged) in [("https://a.example/p.png", true), ("http://127.0.0.1:9/p.png", false)] {
            var policy = PagePolicy()
            let id = EngineRequestID(number: "interception-1", target: EngineTarget(name: "page"))
            _ = policy.applyRules(to: EngineRequest(id, url: url, kind: .image, load: "1"), allowed: [], at: .zero)
            #expect(policy.unfinishedRequests(at: .zero).count == (isLogged ? 1 : 0), "\(url)")
        }
    }

    @Test("a redirected request is logged as two")
    func redirected() {
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let again = self.sent("https://b.example/2", redirect: self.response(302))
        #expect(log.handle(again, at: .zero)?.outcome == .answered(status: 302, type: nil, bytes: 0))
        #expect(log.handle(.finished("1", bytes: 0), at: .zero)?.url == "https://b.example/2")
    }

    @Test("host pages, requests without a server and requests beyond the limit are not logged")
    func notLogged() {
        var log = RequestLog()
        let end = NetworkEvent.finished("1", bytes: 0)
        for url in [
            "data:text/plain,x", "https://x.yabbi-stage.invalid/", "https://x.yabbi-creative.invalid/", "blob:x",
        ] {
            _ = log.handle(self.sent(url), at: .zero)
            #expect(log.handle(end, at: .zero) == nil)
        }
        var count = 0
        for _ in 0..<(RequestLog.limit + 10) {
            _ = log.handle(self.sent("https://a.example/"), at: .zero)
            count += log.handle(end, at: .zero) == nil ? 0 : 1
        }
        #expect(count == RequestLog.limit)
    }
}
