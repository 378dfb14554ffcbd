import Testing

@testable import AppleStage

@Suite("URLs of the stage for WKWebView")
struct StageSchemeTests {
    @Test("URLs of the reserved domain are renamed and renamed back")
    func renamed() {
        let url = "https://ad-1.yabbi-creative.invalid/second-1?a=b"
        let own = "yabbi-stage://ad-1.yabbi-creative.invalid/second-1?a=b"
        #expect(StageScheme.engineURL(url) == own && StageScheme.stageURL(own) == url)
    }

    @Test(
        "all other URLs stay",
        arguments: [
            "https://ads.example/?u=https://a.invalid/", "http://a.invalid/", "https://a.invalid.example/",
            "about:blank",
        ]
    )
    func others(url: String) {
        #expect(StageScheme.engineURL(url) == url && StageScheme.stageURL(url) == url)
    }

    @Test("scripts of the host name the renamed URLs")
    func scripts() {
        let script = #"a("https://x.invalid/", "https://ads.example/", "https://y.invalid")"#
        #expect(
            StageScheme.engineScript(script)
                == #"a("yabbi-stage://x.invalid/", "https://ads.example/", "yabbi-stage://y.invalid")"#
        )
    }
}
