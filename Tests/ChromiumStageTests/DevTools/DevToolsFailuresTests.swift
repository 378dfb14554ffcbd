import AdCore
import EngineSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Failed requests and script errors in DevTools messages")
struct DevToolsFailuresTests {
    private let frame = DevToolsSession(name: "FRAME")

    private func thrown(_ text: String, _ description: String, url: String = "", line: Int = 6) -> DevToolsEvent {
        let details: AdJSON = [
            "text": .string(text), "url": .string(url), "lineNumber": .int(line), "columnNumber": 3,
            "exception": ["description": .string(description)],
        ]
        return DevToolsEvent(
            session: self.frame,
            method: "Runtime.exceptionThrown",
            params: ["exceptionDetails": details]
        )
    }

    @Test("an error of an inline script has the document's line and no URL, another one has its URL")
    func places() {
        let own = ScriptError(
            exception: self.thrown(
                "Uncaught",
                "Error: boom\n    at x:1:2",
                url: "https://ad-x-1.yabbi-creative.invalid/"
            )
        )
        #expect(own == ScriptError("Uncaught Error: boom", line: 7, column: 4))
        let other = ScriptError(
            exception: self.thrown("Uncaught (in promise)", "Error: no", url: "https://cdn.example/a.js?token=abc")
        )
        #expect(other?.message == "Uncaught (in promise) Error: no")
        #expect(other?.url == "https://cdn.example/a.js?token=***")
    }

    @Test("any value can be thrown, and console.error takes any arguments")
    func anything() {
        let text: AdJSON = ["exceptionDetails": ["text": "Uncaught", "exception": ["type": "string", "value": "no"]]]
        let thrown = DevToolsEvent(session: self.frame, method: "Runtime.exceptionThrown", params: text)
        #expect(ScriptError(exception: thrown) == ScriptError("Uncaught no"))
        let arguments: AdJSON = [
            "type": "error", "args": [["value": "nope"], ["value": 3], ["description": "Object"], [:]],
        ]
        let console = DevToolsEvent(session: self.frame, method: "Runtime.consoleAPICalled", params: arguments)
        #expect(EngineEvent.Kind(console) == .console(.error, ScriptError("console.error: nope 3 Object ?")))
        let log: AdJSON = ["type": "log", "args": [["unserializableValue": "Infinity"]]]
        let event = DevToolsEvent(session: self.frame, method: "Runtime.consoleAPICalled", params: log)
        #expect(EngineEvent.Kind(event) == .console(.log, ScriptError("Infinity")))
    }

    private func entry(_ text: String, source: String = "security") -> DevToolsEvent {
        let entry: AdJSON = ["source": .string(source), "level": "error", "text": .string(text)]
        return DevToolsEvent(session: self.frame, method: "Log.entryAdded", params: ["entry": entry])
    }

    private static func mixed(_ what: String) -> String {
        "Mixed Content: The page at 'https://page.example/' was loaded over HTTPS, but \(what). This request has been blocked; "
            + "the content must be served over HTTPS."
    }

    @Test(
        "a request that the browser itself refuses is reported once, with the reason",
        arguments: [
            (
                mixed("requested an insecure script 'http://a.example/x.js'"), "http://a.example/x.js",
                "mixed content: use https://"
            ),
            (
                mixed("requested an insecure frame 'http://a.example/it's'"), "http://a.example/it's",
                "mixed content: use https://"
            ),
            (
                mixed("requested an insecure Beacon endpoint 'http://a.example/b?token=abc'"),
                "http://a.example/b?token=***", "mixed content: use https://"
            ),
            (
                mixed("attempted to connect to the insecure WebSocket endpoint 'ws://a.example/'"), "ws://a.example/",
                "mixed content: use wss://"
            ),
            (
                "Loading the image 'https://a.example/i.png' violates the following Content Security Policy directive: "
                    + "\"img-src 'none'\". The action has been blocked.",
                "https://a.example/i.png", "blocked by the creative's own Content-Security-Policy"
            ),
            (
                "Refused to load the script 'https://a.example/x.js' because it violates the following Content Security "
                    + "Policy directive: \"script-src 'none'\".",
                "https://a.example/x.js", "blocked by the creative's own Content-Security-Policy"
            ),
        ]
    )
    func refused(text: String, url: String, reason: String) {
        var policy = PagePolicy()
        let report: [StageOutput] = [.report(.diagnostic(.requestFailed(FailedRequest(url: url, reason: reason))))]
        #expect(policy.handle(self.entry(text)) == report)
        #expect(policy.handle(self.entry(text)) == [])
        #expect(policy.blankCreative.requests.count == 1)
    }

    @Test(
        "an upgraded image, a text of a script and a violation without a URL are not refusals",
        arguments: [
            "Mixed Content: The page at 'https://a.example/' was loaded over HTTPS, but requested an insecure element "
                + "'http://a.example/i.png'. This request was automatically upgraded to HTTPS",
            "Executing inline script violates the following Content Security Policy directive 'script-src 'none''. "
                + "The action has been blocked.",
            "Mixed Content: has been blocked", "",
        ]
    )
    func notRefused(text: String) {
        #expect(EngineRefusal(text, source: "security") == nil)
        let real = Self.mixed("requested an insecure script 'http://a.example/x.js'")
        #expect(EngineRefusal(real, source: "javascript") == nil)
    }

    @Test("a navigation to an http page is an attempt to leave, not a failed request")
    func mixedNavigation() {
        var policy = PagePolicy()
        let navigation: AdJSON = ["reason": "anchorClick", "url": "http://shop.example/b"]
        let event = DevToolsEvent(session: self.frame, method: "Page.frameRequestedNavigation", params: navigation)
        #expect(policy.handle(event)?.count == 1)
        let text = Self.mixed("requested an insecure resource 'http://shop.example/b'")
        #expect(policy.handle(self.entry(text)) == [])
    }

    @Test("a permission that the browser denies is named")
    func permission() {
        let text =
            "Permissions policy violation: Geolocation access has been blocked because of a permissions policy applied to the "
            + "current document. See https://crbug.com/414348233 for more details."
        let expected = BlockedAttempt(.dialog, "permission: geolocation (ads may not use it)")
        #expect(EngineLogEntry.attempt(text) == expected)
        let other = "Permissions policy violation: ???"
        #expect(EngineLogEntry.attempt(other) == BlockedAttempt(.dialog, other))
    }

    @Test("a failed request was cancelled by the page, blocked by the stage, refused by a rule, or has another reason")
    func failedRequest() {
        func failure(_ error: String?, _ rule: String?) -> StageRequest.Failure? {
            var params: [AdJSON.Member] = [.init("requestId", "1"), .init("type", "Stylesheet")]
            if let error { params.append(.init("errorText", .string(error))) }
            if let rule { params.append(.init("blockedReason", .string(rule))) }
            let event = DevToolsEvent(session: self.frame, method: "Network.loadingFailed", params: .object(params))
            guard case .network(.failed("1", let failure, kind: .stylesheet))? = event.engine?.kind else { return nil }
            return failure
        }
        #expect(failure("net::ERR_ABORTED", nil) == .cancelled)
        #expect(failure("net::ERR_BLOCKED_BY_CLIENT", "inspector") == .blockedByStage)
        #expect(failure("net::ERR_BLOCKED_BY_CLIENT", nil) == .blockedByStage)
        #expect(failure("net::ERR_FAILED", "mixed-content") == .refused(.mixedContent))
        #expect(failure("net::ERR_FAILED", "csp") == .refused(.contentSecurityPolicy))
        #expect(failure("net::ERR_FAILED", "corp-not-same-origin") == .refused(.other("corp-not-same-origin")))
        #expect(failure("net::ERR_NAME_NOT_RESOLVED", nil) == .other("net::ERR_NAME_NOT_RESOLVED"))
        #expect(failure(nil, nil) == .other("the request failed"))
    }

    @Test("a WebSocket's frame counts with its bytes")
    func socketBytes() {
        let frame: AdJSON = ["requestId": "1", "response": ["payloadData": "abc"]]
        let event = DevToolsEvent(session: self.frame, method: "Network.webSocketFrameReceived", params: frame)
        #expect(event.engine?.kind == .network(.received(bytes: 3)))
    }

    @Test("a window has the browser's knowledge of a gesture, and a navigation its frame")
    func attempts() {
        let window = DevToolsEvent(
            session: self.frame,
            method: "Page.windowOpen",
            params: ["url": "https://a.example/", "userGesture": false]
        )
        #expect(window.engine?.kind == .windowRequested(url: "https://a.example/", frame: nil, gesture: false))
        let navigation = DevToolsEvent(
            session: self.frame,
            method: "Page.frameRequestedNavigation",
            params: ["url": "https://a.example/", "reason": "anchorClick", "frameId": "F"]
        )
        let expected = EngineEvent.Kind.navigationRequested(
            url: "https://a.example/",
            frame: "F",
            gesture: nil,
            byPage: true
        )
        #expect(navigation.engine?.kind == expected)
    }
}
