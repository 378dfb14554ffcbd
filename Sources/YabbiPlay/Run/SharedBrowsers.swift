import AdCore
import ChromiumStage
import SystemSupport

/// The browsers of several runs: one for each screen and pixel ratio, of which a few are kept for later ads.
///
/// In frames of other sites, scripts read the size of the browser's screen and not of that of the page. So each screen
/// has a browser of its own.
final class SharedBrowsers: Sendable {
    private struct Key: Hashable {
        let screen: Size
        let scale: Double
        let isSandboxed: Bool
    }

    private struct Entry {
        let key: Key
        let browser: SharedChromium
        var users: Int
    }

    private struct State {
        /// The browsers, the last used one last.
        var entries: [Entry] = []
        var isClosed = false
        /// The processor time of the browsers that have ended.
        var processorTime = Duration.zero

        /// Removes the oldest unused browsers beyond the limit.
        mutating func removeUnused() -> [SharedChromium] {
            var removed: [SharedChromium] = []
            while self.entries.count > SharedBrowsers.maxBrowsers,
                let index = self.entries.firstIndex(where: { $0.users == 0 })
            {
                removed.append(self.entries.remove(at: index).browser)
            }
            return removed
        }
    }

    /// How many unused browsers are kept.
    private static let maxBrowsers = 3
    private let state = Locked(State())
    /// Whether a page shows several creatives one after the other.
    private let renewsPages: Bool

    init(renewsPages: Bool = false) { self.renewsPages = renewsPages }

    /// The browser for a screen, until it is released.
    func take(_ options: ChromiumOptions, screen: Size, limit: Int) throws(ChromiumError) -> SharedChromium {
        let key = Key(screen: screen, scale: options.scale, isSandboxed: options.isSandboxed)
        // A browser starts when it is first used.
        let new = try SharedChromium(options, screen: screen, limit: limit, renewsPages: self.renewsPages)
        let (taken, old) = self.state.withLock { state -> (SharedChromium?, [SharedChromium]) in
            guard !state.isClosed else { return (nil, []) }
            var entry = Entry(key: key, browser: new, users: 0)
            if let index = state.entries.firstIndex(where: { $0.key == key }) {
                entry = state.entries.remove(at: index)
            }
            entry.users += 1
            state.entries.append(entry)
            return (entry.browser, state.removeUnused())
        }
        self.end(old)
        guard let taken else { throw .notStarted("the run has ended") }
        return taken
    }

    /// Ends one use of a browser.
    func release(_ browser: SharedChromium) {
        let old = self.state.withLock { state -> [SharedChromium] in
            guard let index = state.entries.firstIndex(where: { $0.browser === browser }) else { return [] }
            state.entries[index].users -= 1
            return state.removeUnused()
        }
        self.end(old)
    }

    private func end(_ browsers: [SharedChromium]) {
        for browser in browsers { Task { await self.end(browser) } }
    }

    private func end(_ browser: SharedChromium) async {
        let used = browser.processGroup.map(ProcessorTime.ofGroup) ?? .zero
        self.state.withLock { $0.processorTime += used }
        await browser.close()
    }

    /// The processor time of the browsers that have ended.
    var processorTime: Duration { self.state.withLock(\.processorTime) }

    /// Ends all browsers.
    func close() async {
        let browsers = self.state.withLock { state in
            state.isClosed = true
            defer { state.entries = [] }
            return state.entries.map(\.browser)
        }
        for browser in browsers { await self.end(browser) }
    }
}
