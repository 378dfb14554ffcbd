import AdCore
import AdRuntime
import PlayReport
import PlayText
import SystemSupport
import WebStage

/// Takes the pictures of one ad for a report.
final class PictureRecorder: Sendable {
    private struct State {
        /// The stage; nil before it is presented and after it is closed.
        var stage: BrowserStage?
        /// The moments of a video that get a picture; nil for other creatives.
        var moments: VideoMoments?
        /// The last picture's task, which waits for those before it.
        var work: Task<Void, Never>?
    }

    private let recorder: ReportRecorder
    private let ad: AdID
    private let clock: any AdClock
    private let state: Locked<State>

    init(_ creative: Creative, of ad: AdID, in recorder: ReportRecorder, clock: any AdClock) {
        self.recorder = recorder
        self.ad = ad
        self.clock = clock
        var moments: VideoMoments?
        if case .video(let video) = creative { moments = VideoMoments(video) }
        self.state = Locked(State(moments: moments))
    }

    /// Starts with a stage.
    func open(before stage: BrowserStage) { self.state.withLock { $0.stage = stage } }

    /// How often the film strip gets a picture at most, in real time, and their width in pixels.
    private static let stripInterval = Duration.milliseconds(250)
    private static let stripWidth = 180.0

    /// Takes small pictures over the whole time of the ad.
    func startFilmStrip() {
        guard let stage = self.state.withLock({ $0.stage }) else { return }
        let scale = min(1, PictureRecorder.stripWidth / max(1, stage.screen.width))
        let size = Size(width: (stage.screen.width * scale).rounded(), height: (stage.screen.height * scale).rounded())
        let pictures = EnginePictures(size: size, quality: 60)
        stage.startPictures(pictures, every: { PictureRecorder.stripInterval }) { [weak self] data in
            guard let self, let bytes = Base64.bytes(data) else { return }
            self.recorder.add(stripPicture: bytes, of: self.ad, at: self.clock.now)
        }
    }

    /// Whether a picture is taken at the reveal.
    ///
    /// A video has hardly started then.
    var wantsFirst: Bool { self.state.withLock { $0.moments == nil } }

    /// Handles an event of the video.
    ///
    /// The user's inputs do not wait for its pictures.
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

    /// Takes the picture at the reveal, which `finish` waits for.
    func startFirst() -> Task<Void, Never> {
        self.state.withLock { state in
            let work = self.clock.work { [self] in await self.keep("On screen") }
            state.work = work
            return work
        }
    }

    /// Takes a picture of the screen.
    private func keep(_ caption: String) async { await self.keep(showsVideo: false) { _ in caption } }

    /// Waits for pending pictures, and takes the last one before the ad closes, if it shows something new.
    func finish() async {
        let work = self.state.withLock { $0.work }
        await work?.value
        if self.state.withLock({ $0.moments?.wantsLast ?? true }) { await self.keep("Before it closed") }
        self.state.withLock { $0.stage = nil }
    }

    /// Takes a picture.
    ///
    /// A failure is ignored.
    private func keep(showsVideo: Bool, _ caption: @Sendable (Moment) -> String) async {
        guard let stage = self.state.withLock({ $0.stage }),
            (try? await stage.waitUntilDrawn(within: .seconds(2))) != nil
        else { return }
        // The picture shows the screen at the time of the request.
        let now = self.clock.now
        guard let bytes = try? await stage.screenshot(.webp) else { return }
        var picture = StageCapture.Picture(caption: caption(now), at: now, size: stage.screen, bytes: bytes)
        picture.showsVideo = showsVideo
        self.recorder.add(picture, of: self.ad)
    }
}
