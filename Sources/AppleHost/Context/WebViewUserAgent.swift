#if canImport(UIKit)
    import UIKit
    #if canImport(UIKit) && canImport(WebKit)
        import WebKit
    #endif

    /// The User-Agent of the web views in which creatives run.
    enum WebViewUserAgent {
        /// Asks a web view, which starts a process for it; nil where there is none.
        @MainActor static func ask() async -> String? {
            #if canImport(UIKit) && canImport(WebKit)
                let web = WKWebView(frame: .zero)
                let text: String? = await withCheckedContinuation { continuation in
                    web.evaluateJavaScript("navigator.userAgent") { value, _ in
                        continuation.resume(returning: value as? String)
                    }
                }
                // A web view that is freed does not answer.
                return withExtendedLifetime(web) { text }
            #else
                return nil
            #endif
        }
    }
#endif
