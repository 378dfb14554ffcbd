import AdCore
import PlayStages
import SystemSupport
import WebStage

/// The browsers of several runs: one for each screen and pixel ratio, of which a few are kept for later ads.
///
/// In frames of other sites, scripts read the size of the browser's screen and not of that of the page. So each screen
/// has a browser of its own.
final class SharedBrowsers: Sendable {
    private struct Key: Hashable {
        let options: BrowserOptions
        let screen: Size
    }

    private struct Entry {
        let key: Key
        let browser: any SharedBrowser
        var users: Int
    }

    private struct State {
        /// The browsers, the last used one last.
        var entries: [Entry] = []
        var isClosed = false
        /// The processor time of the browsers that have ended.
        var processorTime = Duration.zero

        /// Removes the oldest unused browsers beyond the limit.
        mutating func removeUnused() -> [any SharedBrowser] {
            var removed: [any SharedBrowser] = []
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
    /// Sends the requests of creatives, if a browser has no network of its own.
    private let transport: any Transport

    init(renewsPages: Bool = false, transport: any Transport) {
        self.renewsPages = renewsPages
        self.transport = transport
    }

    /// The browser for a screen, until it is released.
    func take(_ options: BrowserOptions, screen: Size, limit: Int) throws(BrowserFailure) -> any SharedBrowser {
        // The rate of videos is the presenter's.
        var options = options
        options.speed = 1
        let key = Key(options: options, screen: screen)
        // A browser starts when it is first used.
        let new = try options.shared(
            screen: screen,
            limit: limit,
            renewsPages: self.renewsPages,
            transport: self.transport
        )
        let (taken, old) = self.state.withLock { state -> ((any SharedBrowser)?, [any SharedBrowser]) in
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
        guard let taken else { throw BrowserFailure(message: "the run has ended") }
        return taken
    }

    /// Ends one use of a browser.
    func release(_ browser: any SharedBrowser) {
        let old = self.state.withLock { state -> [any SharedBrowser] in
            guard let index = state.entries.firstIndex(where: { $0.browser === browser }) else { return [] }
            state.entries[index].users -= 1
            return state.removeUnused()
        }
        self.end(old)
    }

    private func end(_ browsers: [any SharedBrowser]) {
        for browser in browsers { Task { await self.end(browser) } }
    }

    private func end(_ browser: any SharedBrowser) async {
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
