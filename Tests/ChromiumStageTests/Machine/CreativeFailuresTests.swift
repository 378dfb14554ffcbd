import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Failed requests and script errors of a creative")
struct CreativeFailuresTests {
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
        #expect(ScriptError(console: console) == ScriptError("console.error: nope 3 Object ?"))
        let log = DevToolsEvent(session: self.frame, method: "Runtime.consoleAPICalled", params: ["type": "log"])
        #expect(ScriptError(console: log) == nil)
    }

    @Test("each error is reported once, at most fifty of them, and long messages are truncated")
    func bounded() throws {
        var policy = PagePolicy()
        var reports = 0
        for number in 0..<10_000 {
            let event = self.thrown("Uncaught", "Error: \(number / 2)")
            reports += policy.handle(event)?.count ?? 0
        }
        #expect(reports == CreativeFailures.limit && policy.failures.errors.count == CreativeFailures.limit)
        let long = ScriptError(exception: self.thrown("Uncaught", String(repeating: "x", count: 1 << 20)))
        #expect(try #require(long).message.utf8.count <= 300)
    }

    private func request(_ outcome: StageRequest.Outcome) -> StageRequest {
        StageRequest(
            url: "https://a.example/x",
            method: "GET",
            kind: "Image",
            start: .zero,
            length: .zero,
            outcome: outcome
        )
    }

    @Test(
        "a request with an error or a status from 400 on has failed; a blocked or cancelled one has not"
    )
    func requests() {
        func reason(_ outcome: StageRequest.Outcome) -> String? { FailedRequest(self.request(outcome))?.reason }
        #expect(reason(.answered(status: 404, type: nil, bytes: 0)) == "status 404")
        #expect(reason(.answered(status: 200, type: nil, bytes: 0)) == nil)
        #expect(reason(.failed(.other("net::ERR_NAME_NOT_RESOLVED"))) == "net::ERR_NAME_NOT_RESOLVED")
        #expect(reason(.failed(.cancelled)) == nil)
        #expect(reason(.failed(.blockedByStage)) == nil)
        #expect(reason(.failed(.refused(.mixedContent))) == "mixed content: use https://")
        #expect(
            reason(.failed(.refused(.other("corp-not-same-origin")))) == "refused by the browser: corp-not-same-origin"
        )
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
        #expect(BrowserLogEntry.attempt(text) == expected)
        let other = "Permissions policy violation: ???"
        #expect(BrowserLogEntry.attempt(other) == BlockedAttempt(.dialog, other))
    }

    @Test("a relative URL fails with a reason that says so")
    func relative() throws {
        let params: AdJSON = [
            "requestId": "1", "resourceType": "Image",
            "request": ["url": "https://ad-x-1.yabbi-creative.invalid/img/a.png"],
        ]
        let event = DevToolsEvent(session: self.frame, method: "Fetch.requestPaused", params: params)
        var policy = PagePolicy()
        let outputs = policy.applyRules(to: try #require(EngineRequest(event)), allowed: [])
        guard case .report(.diagnostic(.requestFailed(let failed)))? = outputs.last else {
            Issue.record("\(outputs)")
            return
        }
        #expect(failed.url == "img/a.png" && failed.reason.contains("is relative"))
    }

    @Test("a column on the first line of a fragment is the one in the original markup")
    func columns() {
        let columns = FragmentDocument.columns(before: FragmentDocument.opening + "<script>boom()</script>")
        #expect(
            columns == FragmentDocument.opening.utf8.count && FragmentDocument.columns(before: "<!DOCTYPE html>") == 0
        )
        func column(_ error: ScriptError) -> Int? { error.removingColumns(columns).column }
        #expect(column(ScriptError("x", line: 1, column: columns + 9)) == 9)
        #expect(column(ScriptError("x", line: 2, column: 9)) == 9)
        #expect(column(ScriptError("x", url: "https://a.example/x.js", line: 1, column: columns + 9)) == columns + 9)
        #expect(column(ScriptError("x")) == nil)
    }
}
