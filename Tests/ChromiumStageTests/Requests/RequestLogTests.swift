import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("The request log")
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

    @Test("an answered request is logged with its status, type, size and time")
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

    @Test("of relative requests only mraid.js is logged")
    func relative() {
        var log = RequestLog()
        for (name, url) in [("a.png", nil), ("mraid.js?v=3", "mraid.js")] {
            _ = log.handle(self.sent("https://ad-1.yabbi-creative.invalid/" + name), at: .zero)
            let end = self.event("loadingFinished", ["requestId": "1", "encodedDataLength": 0])
            #expect(log.handle(end, at: .zero)?.url == url)
        }
    }

    @Test("failed and blocked requests are logged with the reason")
    func failed() {
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let failure = self.event("loadingFailed", ["requestId": "1", "errorText": "net::ERR_NAME_NOT_RESOLVED"])
        #expect(log.handle(failure, at: .zero)?.outcome == .failed(.other("net::ERR_NAME_NOT_RESOLVED")))
        _ = log.handle(self.sent("http://127.0.0.1/1"), at: .zero)
        let block: AdJSON = ["requestId": "1", "errorText": "net::ERR_BLOCKED_BY_CLIENT", "blockedReason": "inspector"]
        #expect(log.handle(self.event("loadingFailed", block), at: .zero)?.outcome == .failed(.blockedByStage))
    }

    @Test("a WebSocket is logged when it is opened or could not be opened")
    func sockets() {
        var log = RequestLog()
        let url: AdJSON = ["requestId": "1", "url": "wss://a.example/live"]
        #expect(log.handle(self.event("webSocketCreated", url), at: .zero) == nil)
        let handshake: AdJSON = ["requestId": "1", "response": ["status": 101]]
        let open = log.handle(self.event("webSocketHandshakeResponseReceived", handshake), at: .milliseconds(5))
        #expect(open?.kind == "WebSocket" && open?.outcome == .answered(status: 101, type: nil, bytes: 0))
        #expect(log.handle(self.event("webSocketClosed", ["requestId": "1"]), at: .zero) == nil)
        _ = log.handle(self.event("webSocketCreated", url), at: .zero)
        let closed = log.handle(self.event("webSocketClosed", ["requestId": "1"]), at: .zero)
        #expect(closed?.outcome == .failed(.other("the WebSocket was not opened")))
    }

    @Test("a WebSocket to the local network is reported, and the bytes of WebSockets are counted")
    func privateSockets() {
        for (url, isPrivate) in [
            ("ws://127.0.0.1:8080/", true), ("wss://localhost./", true), ("ws://redis:6379/", true),
            ("wss://a.example/", false),
        ] {
            var policy = PagePolicy()
            let event = self.event("webSocketCreated", ["requestId": "1", "url": .string(url)])
            let outputs = policy.handle(event) ?? []
            let text = "a WebSocket to the local network: \(url)"
            #expect(outputs == (isPrivate ? [.report(.blocked(BlockedAttempt(.other, text)))] : []), "\(url)")
        }
        var policy = PagePolicy()
        let frame: AdJSON = [
            "requestId": "1", "response": ["payloadData": .string(String(repeating: "x", count: 1_000_000))],
        ]
        var outputs: [StageOutput] = []
        for _ in 0..<101 {
            outputs += policy.handle(self.event("webSocketFrameReceived", frame)) ?? []
        }
        #expect(outputs.last == .setAlarm(.byteLimit, after: .zero))
    }

    @Test("a redirected request is logged as two")
    func redirected() {
        var log = RequestLog()
        _ = log.handle(self.sent("https://a.example/1"), at: .zero)
        let again = self.sent("https://b.example/2", [.init("redirectResponse", ["status": 302])])
        #expect(log.handle(again, at: .zero)?.outcome == .answered(status: 302, type: nil, bytes: 0))
        let end = self.event("loadingFinished", ["requestId": "1"])
        #expect(log.handle(end, at: .zero)?.url == "https://b.example/2")
    }

    @Test("host pages, requests without a server and requests beyond the limit are not logged")
    func notLogged() {
        var log = RequestLog()
        let end = self.event("loadingFinished", ["requestId": "1"])
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
