package import AdCore

/// Shows ads in a browser.
package protocol BrowserPresenter: Presenter {
    /// The same as `present`, with the concrete type that the scripted user needs.
    func stage(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> BrowserStage

    /// The browser's name and version, as in `Chrome 140.0.7339.80`; nil if no browser runs.
    func browserVersion() async -> String?

    /// The process group of the browser; nil if none runs, or if it has none.
    var processGroup: Int32? { get }

    /// Waits until no creative is shown any more.
    func whenIdle() async

    /// Ends the browser, unless others use it.
    func close() async
}

/// A browser that several presenters use.
package protocol SharedBrowser: AnyObject, Sendable {
    /// Why it did not start the last time; nil if it did, or was not needed.
    var startFailure: String? { get }
    /// Its process group; nil if it does not run.
    var processGroup: Int32? { get }

    /// A presenter in this browser.
    func presenter(
        _ settings: StageSettings,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) -> any BrowserPresenter

    /// Starts the browser, so that the first creative is shown sooner.
    func warmUp() throws(StageError)

    /// Ends the browser; returns when its processes and files are gone.
    func close() async
}
