import AdCore
import AdRuntime
import AdTrace
import CurlTransport
import PlayReport
import PlayStages
import WebStage

/// Follows a run while it goes on, as the lab does.
protocol LiveRun: StageObserver {
    /// Records the data of the report.
    var recorder: ReportRecorder { get }
    /// Records the trace; nil for none.
    var trace: TraceRecorder? { get }
    /// Whether the pictures of the report are taken.
    var takesPictures: Bool { get }
    /// The network of the run; nil for one of its own.
    var transport: (any Transport & SocketTransport)? { get }
    /// Keeps the documents of the run.
    var documents: DocumentLog { get }
    /// The browser for a screen, which several runs share.
    func browser(_ options: BrowserOptions, screen: Size) throws(BrowserFailure) -> any SharedBrowser
    /// The run has its services.
    func started(_ context: RunContext)
    /// An ad was loaded and is about to be shown.
    func loaded(_ ad: ReportedAd)
    /// An ad could not be loaded; its beacons may still be on their way.
    func failed(_ ad: Ad, _ reported: ReportedAd, _ message: String)
    /// The user of an ad that is about to be shown.
    func watcher(of ad: Ad) -> any AdWatcher
}

extension LiveRun {
    var trace: TraceRecorder? { nil }
    var takesPictures: Bool { true }
    var transport: (any Transport & SocketTransport)? { nil }
}
