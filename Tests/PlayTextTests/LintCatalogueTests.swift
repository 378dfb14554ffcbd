import TestSupport
import Testing

@testable import PlayText

@Suite("The list of lint rules")
struct LintCatalogueTests {
    @Test("docs/LINT.md matches the rules; Scripts/rules.sh writes it")
    func page() throws {
        let text = try #require(PackageFolder.text("docs/LINT.md"), "there is no docs/LINT.md")
        #expect(text == LintCatalogue.markdown + "\n")
    }
}
