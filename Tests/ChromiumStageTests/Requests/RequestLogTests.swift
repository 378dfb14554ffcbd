import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("The requests of a creative")
struct RequestLogTests {
    private func event(_ method: String, _ params: AdJSON) -> DevToolsEvent {
        DevToolsEvent(session: DevToolsSession(name: "S"), method: "Network." + method, params: params)
    }

    private func sent(_ url: String, _ more: [AdJSON.Member] = []) -> DevToolsEvent {
        let request: AdJSON = ["url": .string(url), "method": "GET"]
        return self.event(
            "requestWillBeSent",
            .object([.init("requestId", "1"), .init("request", request), .init("type", "Image")] + more)
        )
    }

    @Test("one that was answered is noted with its status, its type, its size and its time")
    func answered() {
        var log = RequestLog()
        #expect(log.handle(self.sent("https://a.example/p.png"), at: .milliseconds(10)) == nil)
        #expect(log.waiting == ["https://a.example/p.png"])
        let response: AdJSON = ["requestId": "1", "response": ["status": 200, "mimeType": "image/png"]]
        #expect(log.handle(self.event("responseReceived", response), at: .milliseconds(20)) == nil)
        let end = self.event("loadingFinished", ["requestId": "1", "encodedDataLength": 321])
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

    @Test("what lies beside a creative is its own affair, but for the host's script")
    func beside() {
        var log = RequestLog()
        for (name, told) in [("a.png", nil), ("mraid.js?v=3", "mraid.js")] {
            _ = log.handle(self.sent("https://ad-1.yabbi-creative.invalid/" + name), at: .zero)
            let end = self.event("loadingFinished", ["requestId": "1", "encodedDataLength": 0])
            #expect(log.handle(end, at: .zero)?.url == told)
        }
    }

    @Test("one that failed and one that was blocked say why")
    func failed() {
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let failure = self.event("loadingFailed", ["requestId": "1", "errorText": "net::ERR_NAME_NOT_RESOLVED"])
        #expect(log.handle(failure, at: .zero)?.outcome == .failed("net::ERR_NAME_NOT_RESOLVED"))
        _ = log.handle(self.sent("http://127.0.0.1/1"), at: .zero)
        let block: AdJSON = ["requestId": "1", "errorText": "net::ERR_BLOCKED_BY_CLIENT", "blockedReason": "inspector"]
        #expect(log.handle(self.event("loadingFailed", block), at: .zero)?.outcome == .blocked("inspector"))
    }

    @Test("a socket is noted when it is open, or when it could not be opened")
    func sockets() {
        var log = RequestLog()
        let url: AdJSON = ["requestId": "1", "url": "wss://a.example/live"]
        #expect(log.handle(self.event("webSocketCreated", url), at: .zero) == nil)
        let shake: AdJSON = ["requestId": "1", "response": ["status": 101]]
        let open = log.handle(self.event("webSocketHandshakeResponseReceived", shake), at: .milliseconds(5))
        #expect(open?.kind == "WebSocket" && open?.outcome == .answered(status: 101, type: nil, bytes: 0))
        #expect(log.handle(self.event("webSocketClosed", ["requestId": "1"]), at: .zero) == nil)
        _ = log.handle(self.event("webSocketCreated", url), at: .zero)
        let closed = log.handle(self.event("webSocketClosed", ["requestId": "1"]), at: .zero)
        #expect(closed?.outcome == .failed("the WebSocket was not opened"))
    }

    @Test("a socket to the local network is reported, in any notation of its server; the bytes of sockets are counted")
    func nearSockets() {
        for (url, isPrivate) in [
            ("ws://127.0.0.1:8080/", true), ("wss://localhost./", true), ("ws://redis:6379/", true),
            ("wss://a.example/", false),
        ] {
            var watch = PagePolicy()
            let event = self.event("webSocketCreated", ["requestId": "1", "url": .string(url)])
            let told = watch.handle(event) ?? []
            let words = "a WebSocket, a request to the local network: \(url)"
            #expect(told == (isPrivate ? [.report(.blocked(BlockedAttempt(.other, words)))] : []), "\(url)")
        }
        var watch = PagePolicy()
        let frame: AdJSON = [
            "requestId": "1", "response": ["payloadData": .string(String(repeating: "x", count: 1_000_000))],
        ]
        var outputs: [StageOutput] = []
        for _ in 0..<101 {
            outputs += watch.handle(self.event("webSocketFrameReceived", frame)) ?? []
        }
        #expect(outputs.last == .setAlarm(.byteLimit, after: .zero))
    }

    @Test("one that was sent elsewhere is two")
    func redirected() {
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let again = self.sent("https://b.example/2", [.init("redirectResponse", ["status": 302])])
        #expect(log.handle(again, at: .zero)?.outcome == .answered(status: 302, type: nil, bytes: 0))
        let end = self.event("loadingFinished", ["requestId": "1"])
        #expect(log.handle(end, at: .zero)?.url == "https://b.example/2")
    }

    @Test("our own pages and what is no request to a server are not noted, and neither are requests beyond the limit")
    func left() {
        var log = RequestLog()
        let end = self.event("loadingFinished", ["requestId": "1"])
        for url in [
            "data:text/plain,x", "https://x.yabbi-stage.invalid/", "https://x.yabbi-creative.invalid/", "blob:x",
        ] {
            _ = log.handle(self.sent(url), at: .zero)
            #expect(log.handle(end, at: .zero) == nil)
        }
        var told = 0
        for _ in 0..<(RequestLog.limit + 10) {
            _ = log.handle(self.sent("https://a.example/"), at: .zero)
            told += log.handle(end, at: .zero) == nil ? 0 : 1
        }
        #expect(told == RequestLog.limit)
    }
}
