#if canImport(UIKit) && canImport(WebKit)
    import AdCore
    import SystemSupport
    import UIKit
    import WebKit
    import WebStage

    /// WKWebView as an engine of WebStage: makes pages in this process, each with a process of WebKit's own.
    final class WebViewEngine: BrowserEngine {
        private struct State {
            var lastPage = 0
            var hasEnded = false
            var pages: [WeakPage] = []
        }

        private struct WeakPage: Sendable {
            weak let page: WebViewPage?
        }

        private let rules: ContentRules
        /// The view in which pages are drawn until they are shown: WebKit slows down a page that is in no window.
        private let room: @MainActor @Sendable () -> UIView?
        private let state = Locked(State())

        init(rules: ContentRules, room: @escaping @MainActor @Sendable () -> UIView?) {
            self.rules = rules
            self.room = room
        }

        var hasEnded: Bool { self.state.withLock(\.hasEnded) }
        var isGone: Bool { self.hasEnded }
        var lastError: String? { nil }
        /// Without a creative there is no place for its view.
        var opensPagesAhead: Bool { false }

        func makePage(
            at address: String?,
            on screen: Size,
            within limit: Duration
        ) async throws(EngineError) -> WebViewPage {
            let number = self.state.withLock { state in
                state.lastPage += 1
                return state.lastPage
            }
            let page = try await self.page(number, on: screen)
            self.state.withLock { state in
                state.pages = state.pages.filter { $0.page != nil } + [WeakPage(page: page)]
            }
            return page
        }

        @MainActor
        private func page(_ number: Int, on screen: Size) async throws(EngineError) -> WebViewPage {
            // Without its rules a page could reach this network.
            let list: WKContentRuleList?
            do {
                list = try await WKContentRuleListStore.default().compileContentRuleList(
                    forIdentifier: self.rules.identifier,
                    encodedContentRuleList: self.rules.json
                )
            } catch {
                throw .refused("WebKit's content rules: \((error as NSError).localizedDescription)")
            }
            guard let list else { throw .refused("WebKit's content rules were not compiled") }
            return WebViewPage(number, screen: screen, rules: self.rules, list: list, in: self.room())
        }

        func close() {
            let pages = self.state.withLock { state in
                state.hasEnded = true
                defer { state.pages = [] }
                return state.pages.compactMap(\.page)
            }
            for page in pages { Task { await page.end() } }
        }

        func untilGone() async {}

        static func explanation(of error: String) -> String? { nil }
    }
#endif
