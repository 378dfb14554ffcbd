import AdCore
import ChromiumStage
import SystemSupport

/// The browsers of a lab: one for each screen and pixel ratio, of which the last few are kept.
///
/// Frames of other sites see the screen of the browser and not that of their page, so each screen has its own.
final class LabBrowsers: Sendable {
    private struct Key: Hashable {
        let screen: Size
        let scale: Double
        let isSandboxed: Bool
    }

    private struct State {
        /// The browsers, the last used one last.
        var browsers: [(key: Key, browser: SharedChromium)] = []
        var isClosed = false
    }

    private static let maxBrowsers = 3
    private let state = Locked(State())

    /// The browser for a screen.
    func browser(_ options: ChromiumOptions, screen: Size, limit: Int) throws(ChromiumError) -> SharedChromium {
        let key = Key(screen: screen, scale: options.scale, isSandboxed: options.isSandboxed)
        let known = self.state.withLock { state -> SharedChromium? in
            guard let index = state.browsers.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = state.browsers.remove(at: index)
            state.browsers.append(entry)
            return entry.browser
        }
        if let known { return known }
        let browser = try SharedChromium(options, screen: screen, limit: limit)
        let old = self.state.withLock { state -> [SharedChromium] in
            state.browsers.append((key, browser))
            let count = max(0, state.browsers.count - LabBrowsers.maxBrowsers)
            defer { state.browsers.removeFirst(count) }
            return state.browsers.prefix(count).map(\.browser)
        }
        // Ads that are still shown in it keep it; it ends after the last of them.
        for one in old { Task { await one.closeWhenIdle() } }
        return browser
    }

    /// Ends all browsers.
    func close() async {
        let browsers = self.state.withLock { state in
            state.isClosed = true
            defer { state.browsers = [] }
            return state.browsers.map(\.browser)
        }
        for browser in browsers { await browser.close() }
    }
}
