import AdCore
import PlaySupport
import Testing

@testable import PlayText

@Suite("Printed events")
struct PrinterTests {
    @Test("a quiet run reports a ledger issue once, and nothing else")
    func quiet() {
        let console = BufferConsole()
        let printer = Printer(console, isJSON: false, isQuiet: true)
        for code in ["ledger.setAside", "ledger.setAside", "width.missing"] {
            let issue = AdCore.AdIssue(code, at: .whole, "what \(code) says")
            printer.observe(AdRecord(at: .origin, ad: AdID("a"), provider: "test", event: .issue(issue), detail: []))
        }
        #expect(console.out.isEmpty)
        #expect(console.err == ["yabbi-play: what ledger.setAside says"])
    }
}
