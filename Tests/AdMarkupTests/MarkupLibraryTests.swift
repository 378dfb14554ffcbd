import Testing

@testable import AdMarkup

@Suite("The libxml2 library")
struct MarkupLibraryTests {
    @Test("its version is written as three numbers")
    func version() {
        #expect(MarkupLibrary.version(from: "20914") == "2.9.14")
        #expect(MarkupLibrary.version(from: "21305-GITv2.13.5") == "2.13.5")
        #expect(MarkupLibrary.version(from: "new") == "new")
        #expect(MarkupLibrary.version.hasPrefix("2."))
    }
}
