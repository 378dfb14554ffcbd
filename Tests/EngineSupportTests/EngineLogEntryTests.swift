import AdCore
import Testing

@testable import EngineSupport

@Suite("Log entries about blocked attempts")
struct EngineLogEntryTests {
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
        #expect((EngineLogEntry.attempt(text)?.kind == .other) == isAttempt)
    }

    @Test(
        "each engine's words for a navigation or a dialog of a sandboxed frame are read",
        arguments: [
            ("Unsafe attempt to initiate navigation for frame with origin 'https://a.example'", .navigation),
            ("Unsafe JavaScript attempt to initiate navigation for frame with URL 'https://a.example/'", .navigation),
            (
                "Ignored call to 'alert()'. The document is sandboxed, and the 'allow-modals' keyword is not set.",
                .dialog
            ),
            ("Use of window.alert is not allowed in a sandboxed frame when the allow-modals flag is not set.", .dialog),
        ] as [(String, BlockedAttempt.Kind)]
    )
    func wordings(_ text: String, _ kind: BlockedAttempt.Kind) {
        #expect(EngineLogEntry.attempt(text)?.kind == kind)
    }
}
