import AdCore
import Testing

@testable import WebStage

@Suite("Failed requests and script errors of a creative")
struct CreativeFailuresTests {
    @Test("each error is reported once, at most fifty of them, and long messages are truncated")
    func bounded() {
        var policy = PagePolicy()
        var reports = 0
        for number in 0..<10_000 {
            let event = EngineEvent(.scriptError(ScriptError("Uncaught Error: \(number / 2)")), in: nil)
            reports += policy.handle(event, fallback: nil, at: .zero)?.count ?? 0
        }
        #expect(reports == CreativeFailures.limit && policy.failures.errors.count == CreativeFailures.limit)
        let long = ScriptError(reported: String(repeating: "x", count: 1 << 20), url: "", line: nil, column: nil)
        #expect(long.message.utf8.count <= 300)
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

    @Test("a relative URL fails with a reason that says so")
    func relative() {
        let id = EngineRequestID(number: "1", target: EngineTarget(name: "FRAME"))
        let url = "https://ad-x-1.yabbi-creative.invalid/img/a.png"
        var policy = PagePolicy()
        let outputs = policy.applyRules(to: EngineRequest(id, url: url, kind: .image), allowed: [], at: .zero)
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
