import BrowserSupport
import TestSupport
import Testing

@Suite("The other engine")
struct OtherEngineTests {
    @Test(
        "the suites of the browser stage run in WebKit",
        .enabled(
            if: TestBrowser.engine == .webKit,
            "make test runs them in Chromium; make test-all installs WebKitGTK and runs them in both"
        )
    )
    func webKit() { #expect(TestBrowser.isInstalled) }

    @Test("what differs in WebKit is listed with its reason", arguments: EngineDifference.allCases)
    func differences(difference: EngineDifference) throws {
        let article = try #require(PackageFolder.text("Sources/YabbiAds/YabbiAds.docc/TwoEngines.md"))
        #expect(article.contains("| \(difference.rawValue) |"))
    }
}
