import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Log entries about blocked attempts")
struct BrowserLogEntryTests {
    @Test(
        "log entries about local files and ignored CSP reports are attempts; others are not",
        arguments: [
            ("Not allowed to load local resource: file:///etc/hosts", true),
            ("Fetch API cannot load file:///etc/passwd. URL scheme \"file\" is not supported.", true),
            (
                "The Content Security Policy directive 'report-uri' is ignored when delivered via a <meta> element.",
                true
            ),
            ("Failed to load resource: net::ERR_CONNECTION_REFUSED", false),
        ]
    )
    func entries(_ text: String, _ isAttempt: Bool) {
        #expect((BrowserLogEntry.attempt(text)?.kind == .other) == isAttempt)
    }
}
