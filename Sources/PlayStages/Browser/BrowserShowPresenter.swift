package import AdCore
import AdRuntime
import PlayConsole
package import PlayReport
import PlayText
import SystemSupport
package import WebStage

/// Presents ads in a browser, with a scripted user.
package final class BrowserShowPresenter: Presenter {
    private let browser: any BrowserPresenter
    private let services: ShowServices
    private let speed: Double
    /// The screenshot, if one is requested.
    private let picture: PictureFile?
    /// The recorder of the report, if one is requested.
    private let recorder: ReportRecorder?
    /// Whether the report's pictures are taken.
    private let takesPictures: Bool
    /// Follows the stage while it is open; nil if nothing does.
    private let observer: (any StageObserver)?
    /// Set when the latest stage is closed; nil before there is one.
    private let closed = Locked<OneShot<Void>?>(nil)

    package init(
        _ browser: any BrowserPresenter,
        _ services: ShowServices,
        speed: Double,
        picture: PictureFile?,
        recorder: ReportRecorder?,
        takesPictures: Bool = true,
        observer: (any StageObserver)? = nil
    ) {
        self.observer = observer
        self.browser = browser
        self.services = services
        self.speed = speed
        self.picture = picture
        self.recorder = recorder
        self.takesPictures = takesPictures
    }

    package func container(for kind: ShowRules.Kind) async -> AdContainer {
        self.services.container.container(for: kind)
    }

    package func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let tap = PageMessageTap { [services] in services.onPageMessage(options.ad, $0) }
        let clock = self.services.clock
        let user = ScriptedUser(
            self.services.script,
            closeControl: options.closeControl,
            clock: clock,
            signals: self.services.signals
        )
        let pictures = (self.takesPictures ? self.recorder : nil).map {
            PictureRecorder(creative, of: options.ad, in: $0, clock: clock)
        }
        let stage = try await self.browser.stage(creative, options) { [recorder] event in
            switch event {
            case .visible(let ratio): recorder?.recordVisibility(ratio, of: options.ad, at: clock.now)
            // Before the ad handles it, so that lines are printed in the order of the messages.
            case .message(let text): tap.handle(text)
            default: break
            }
            // After the ad is closed, events of the video do not count.
            if case .video(let event, _) = event {
                if user.isOver { return }
                pictures?.handle(event)
            }
            report(event)
            // A user without further steps closes the ad at the end of a video.
            if event.mayStopVideo || event.isEndOfOverlay(in: creative) { user.closeIfDone() }
        }
        if case .page = creative { tap.read(await stage.markup() ?? "") }
        pictures?.open(before: stage)
        // An observer takes its own pictures.
        if self.observer == nil { pictures?.startFilmStrip() }
        self.observer?.opened(stage, of: options.ad)
        let closed = OneShot<Void>()
        self.closed.withLock { $0 = closed }
        return WatchedStage(
            stage,
            user,
            self.services,
            isClosedByHost: options.closeControl == .host,
            report: report,
            pictures: pictures,
            speed: self.speed,
            picture: self.picture,
            observer: self.observer.map { ($0, options.ad) },
            closed: closed
        )
    }

    /// Waits until the latest stage is closed: scripts of its ad may send their last requests after the end of the ad.
    package func waitUntilClosed() async {
        guard let closed = self.closed.withLock({ $0 }) else { return }
        let limit = Task {
            try? await Task.sleep(for: .seconds(2))
            closed.set(())
        }
        await closed.value
        limit.cancel()
    }
}

/// Follows a stage in a browser while it is open.
package protocol StageObserver: AnyObject, Sendable {
    /// The stage is about to be revealed.
    func opened(_ stage: BrowserStage, of ad: AdID)
    /// The stage is about to be closed; a last picture can be taken.
    func closing(_ stage: BrowserStage, of ad: AdID) async
}

extension StageEvent {
    /// Whether a video may have stopped, or its length become known.
    fileprivate var mayStopVideo: Bool {
        guard case .video(let event, _) = self else { return false }
        switch event {
        case .started, .paused, .completed, .extended, .stopped, .skipped, .failed, .partShown, .partFailed: return true
        default: return false
        }
    }

    /// Whether it says that an overlay was shown for its minimum duration; it stays until the user closes the ad.
    fileprivate func isEndOfOverlay(in creative: Creative) -> Bool {
        guard case .video(.progressed(let position), let spot) = self, case .video(let video) = creative,
            video.spots.indices.contains(spot), case .overlay(let minimum?) = video.spots[spot].rules.form
        else { return false }
        return position >= minimum
    }
}
