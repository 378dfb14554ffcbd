import AdCore
import Testing

@testable import ChromiumStage

@Suite("What failed in a creative")
struct CreativeTroublesTests {
    private let frame = DevToolsSession(name: "FRAME")

    private func thrown(_ text: String, _ description: String, url: String = "", line: Int = 6) -> DevToolsEvent {
        let details: JSON = [
            "text": .string(text), "url": .string(url), "lineNumber": .int(line), "columnNumber": 3,
            "exception": ["description": .string(description)],
        ]
        return DevToolsEvent(
            session: self.frame,
            method: "Runtime.exceptionThrown",
            params: ["exceptionDetails": details]
        )
    }

    @Test("an error of the markup's own script has the document's line and no address, another's has its address")
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

    @Test("what is thrown may be anything, and console.error has any arguments")
    func anything() {
        let text: JSON = ["exceptionDetails": ["text": "Uncaught", "exception": ["type": "string", "value": "no"]]]
        let thrown = DevToolsEvent(session: self.frame, method: "Runtime.exceptionThrown", params: text)
        #expect(ScriptError(exception: thrown) == ScriptError("Uncaught no"))
        let arguments: JSON = [
            "type": "error", "args": [["value": "nope"], ["value": 3], ["description": "Object"], [:]],
        ]
        let console = DevToolsEvent(session: self.frame, method: "Runtime.consoleAPICalled", params: arguments)
        #expect(ScriptError(console: console) == ScriptError("console.error: nope 3 Object ?"))
        let log = DevToolsEvent(session: self.frame, method: "Runtime.consoleAPICalled", params: ["type": "log"])
        #expect(ScriptError(console: log) == nil)
    }

    @Test("each error is reported once, ten thousand of them are fifty, and one of a megabyte is an excerpt")
    func bounded() throws {
        var watch = SessionWatch()
        var reports = 0
        for number in 0..<10_000 {
            let event = self.thrown("Uncaught", "Error: \(number / 2)")
            reports += watch.hear(event, else: nil, at: .zero)?.count ?? 0
        }
        #expect(reports == CreativeTroubles.most && watch.troubles.errors.count == CreativeTroubles.most)
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
        "a request without an answer or with a status from 400 on has failed; what we stopped or the page gave up has not"
    )
    func requests() {
        func reason(_ outcome: StageRequest.Outcome) -> String? { FailedRequest(self.request(outcome))?.reason }
        #expect(reason(.answered(status: 404, type: nil, bytes: 0)) == "status 404")
        #expect(reason(.answered(status: 200, type: nil, bytes: 0)) == nil)
        #expect(reason(.failed("net::ERR_NAME_NOT_RESOLVED")) == "net::ERR_NAME_NOT_RESOLVED")
        #expect(reason(.failed("net::ERR_ABORTED")) == nil)
        #expect(reason(.failed("net::ERR_BLOCKED_BY_CLIENT")) == nil)
        #expect(reason(.blocked("inspector")) == nil)
    }

    @Test("a file beside the creative is not there, and the reason says that its address is relative")
    func relative() throws {
        let params: JSON = [
            "requestId": "1", "resourceType": "Image",
            "request": ["url": "https://ad-x-1.yabbi-creative.invalid/img/a.png"],
        ]
        let event = DevToolsEvent(session: self.frame, method: "Fetch.requestPaused", params: params)
        var watch = SessionWatch()
        let outputs = watch.pass(try #require(PausedRequest(event)), neighbours: [])
        guard case .report(.diagnostic(.requestFailed(let failed)))? = outputs.last else {
            Issue.record("\(outputs)")
            return
        }
        #expect(failed.url == "img/a.png" && failed.reason.contains("is relative"))
    }
}
