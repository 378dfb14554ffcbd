import BrowserSupport
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
}
