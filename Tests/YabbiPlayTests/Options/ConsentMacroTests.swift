import AdCore
import PlayConsole
import Testing

@testable import YabbiPlay

@Suite("Macros of consent")
struct ConsentMacroTests {
    private func filled(_ document: String, _ words: String...) throws -> String {
        let arguments = try Arguments(words + ["--", "tag.html"], for: ShowCommand.self)
        let options = try SimulationOptions(arguments)
        return String(decoding: options.macros.filled(Array(document.utf8)), as: UTF8.self)
    }

    @Test("the signals of --consent fill the macros of ad servers; a value of --macro has priority")
    func signals() throws {
        let tag = "<p>${GDPR} ${GDPR_CONSENT_755} [US_PRIVACY] ${GPP}"
        #expect(try self.filled(tag, "--consent", "tcf=CQ", "--consent", "usp=1YNN") == "<p>1 CQ 1YNN ${GPP}")
        #expect(
            try self.filled(tag, "--consent", "gpp=DB", "--macro", "GPP=own")
                == "<p>${GDPR} ${GDPR_CONSENT_755} [US_PRIVACY] own"
        )
        #expect(try self.filled(tag) == tag)
    }
}
