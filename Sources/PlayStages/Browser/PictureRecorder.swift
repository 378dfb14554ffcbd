import AdCore
import AdRuntime
import ChromiumStage
import PlayReport
import SystemSupport

/// The pictures of one ad, on their way into a report.
final class PictureRecorder: Sendable {
    private struct State {
        /// What is pictured; nil before it is there, and once it is over.
        var stage: BrowserStage?
        /// The moments of a video that get a picture; nil for other creatives.
        var moments: VideoMoments?
        /// The picture that is taken now, and all before it.
        var work: Task<Void, Never>?
    }

    private let book: ReportRecorder
    private let ad: AdID
    private let clock: any AdClock
    private let state: Locked<State>

    init(_ creative: Creative, of ad: AdID, in book: ReportRecorder, clock: any AdClock) {
        self.book = book
        self.ad = ad
        self.clock = clock
        var moments: VideoMoments?
        if case .video(let video) = creative { moments = VideoMoments(video) }
        self.state = Locked(State(moments: moments))
    }

    /// There is something to take pictures of.
    func open(before stage: BrowserStage) { self.state.withLock { $0.stage = stage } }

    /// Whether what is revealed is worth a picture at once; a video has hardly begun then.
    var wantsFirst: Bool { self.state.withLock { $0.moments == nil } }

    /// The video reports an event.
    ///
    /// No press of a user waits for its pictures.
    func handle(_ event: VideoEvent) {
        self.state.withLock { state in
            guard let shot = state.moments?.handle(event) else { return }
            let before = state.work
            let ordered = self.clock.now
            state.work = self.clock.work { [self] in
                await before?.value
                await self.keep(showsVideo: shot != .endCard) { shot.caption(after: $0 - ordered) }
            }
        }
    }

    /// Keeps what is on screen.
    func keep(_ caption: String) async { await self.keep(showsVideo: false) { _ in caption } }

    /// The ad is about to go: waits for its pictures, and takes the last one where that shows something new.
    func finish() async {
        let work = self.state.withLock { $0.work }
        await work?.value
        if self.state.withLock({ $0.moments?.wantsLast ?? true }) { await self.keep("Before it closed") }
        self.state.withLock { $0.stage = nil }
    }

    /// A picture that can't be made is missed in the report, and nowhere else.
    private func keep(showsVideo: Bool, _ caption: @Sendable (Moment) -> String) async {
        guard let stage = self.state.withLock({ $0.stage }),
            (try? await stage.untilDrawn(within: .seconds(2))) != nil
        else { return }
        // It shows what was there when it was asked for.
        let now = self.clock.now
        guard let bytes = try? await stage.picture(.webp) else { return }
        var picture = AdScene.Picture(caption: caption(now), at: now, size: stage.screen, bytes: bytes)
        picture.showsVideo = showsVideo
        self.book.add(picture, of: self.ad)
    }
}
