package import AdCore

/// A running browser engine: it makes the pages that creatives are shown in.
///
/// `EnginePresenter` starts one with the first creative and makes a page for each; `close` ends it.
package protocol BrowserEngine: AnyObject, Sendable {
    associatedtype Page: EnginePage

    /// Whether the engine has ended.
    var hasEnded: Bool { get }

    /// Whether its processes and files are gone.
    var isGone: Bool { get }

    /// The last error in the engine's log; nil for none.
    var lastError: String? { get }

    /// Whether a page may be opened before its creative is known; false if it would be visible.
    var opensPagesAhead: Bool { get }

    /// Makes a page for a screen of this size, with cookies, storage and caches of its own.
    ///
    /// - Parameters:
    ///   - address: What the page will show, if that is known; an engine may hold the page before it loads that
    ///     (`EnginePage.isHeld`).
    ///   - screen: The size of the screen.
    ///   - limit: The time limit for each step.
    /// - Returns: The page; without an address it is empty.
    /// - Throws: Why there is no page.
    func makePage(at address: String?, on screen: Size, within limit: Duration) async throws(EngineError) -> Page

    /// Ends the engine with all its pages; `untilGone` waits for its processes and files.
    func close()

    /// Waits until its processes and files are gone.
    func untilGone() async

    /// What an error in the engine's log means for a user, and the fix; nil if it is not a known one.
    static func explanation(of error: String) -> String?
}

extension BrowserEngine {
    /// Makes an empty page.
    package func makePage(on screen: Size, within limit: Duration) async throws(EngineError) -> Page {
        try await self.makePage(at: nil, on: screen, within: limit)
    }
}
