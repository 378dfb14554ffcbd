import AdCore
import AdRuntime
import LibC
import PlayReport
import PlayStages
import SystemSupport
import WebStage

/// The user of a scanned ad: takes its picture when it is painted, taps it, watches it, and closes it.
///
/// It acts by what it sees, and not by a script: a creative that is painted at once takes a second, a video as long as it
/// plays.
final class ScanUser: AdWatcher {
    private struct State {
        var task: Task<Void, Never>?
        var stage: BrowserStage?
        var picture: [UInt8]?
    }

    private let ad: Ad
    private let options: ScanSettings
    private let wantsPicture: Bool
    private let state = Locked(State())
    /// Returns the events of the ad so far.
    private let records: @Sendable () -> [AdRecord]

    /// How often the ad is looked at.
    private static let interval = Duration.milliseconds(25)
    /// How long a revealed ad may take until it is on screen.
    private static let showLimit = Duration.seconds(10)
    /// How long an HTML creative may stay blank before it is tapped nevertheless.
    private static let blankLimit = Duration.seconds(3)
    /// How long the outcome of a tap is waited for, and what may follow it.
    private static let maxTaps = 3
    private static let tapLimit = Duration.seconds(10)
    private static let afterTap = Duration.milliseconds(200)
    /// How long a creative may take to answer, and until the stage has ended one that does not.
    private static let answerLimit = Duration.seconds(1)
    private static let hangLimit = Duration.seconds(12)
    /// How long a video may stand still.
    private static let stallLimit = Duration.seconds(10)
    /// The same while it is paused, as by an interactive creative that waits for the user.
    private static let pauseLimit = Duration.seconds(3)

    init(
        _ ad: Ad,
        _ options: ScanSettings,
        wantsPicture: Bool,
        records: @escaping @Sendable () -> [AdRecord]
    ) {
        self.ad = ad
        self.options = options
        self.wantsPicture = wantsPicture
        self.records = records
    }

    /// The picture, as WebP; nil if none could be taken.
    var picture: [UInt8]? { self.state.withLock(\.picture) }

    func attach(_ stage: BrowserStage) { self.state.withLock { $0.stage = stage } }

    func start(_ onInput: @escaping InputHandler) -> Bool {
        let task = Task {
            // The stage is revealed a moment before the ad is on screen.
            await self.waitUntilShown()
            let isVideo = if case .video? = self.ad.offer?.creative { true } else { false }
            if isVideo { await self.watchVideo(onInput) } else { await self.watchPage(onInput) }
            await self.waitForHang()
            await self.state.withLock(\.stage)?.prepareToClose()
            self.ad.close()
        }
        self.state.withLock { $0.task = task }
        return true
    }

    private func waitUntilShown() async {
        let end = ContinuousClock.now + Self.showLimit
        while !Task.isCancelled, !self.ad.isShowing, .now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }

    func end() {
        let task = self.state.withLock { state in
            // The stage has a reference to its user.
            state.stage = nil
            defer { state.task = nil }
            return state.task
        }
        task?.cancel()
    }

    // MARK: Pages

    private func watchPage(_ onInput: InputHandler) async {
        let start = ContinuousClock.now
        let stage = self.state.withLock(\.stage)
        await self.wait(until: start + Self.blankLimit) { stage?.isCheckingBlank != true }
        await self.takePicture()
        // A creative that acts by itself does so without a press.
        await self.wait(until: start + self.options.watch - Self.afterTap) { false }
        await self.tap(onInput)
    }

    /// Taps; again if the browser was too busy to deliver the tap, or its answer.
    private func tap(_ onInput: InputHandler) async {
        guard self.options.taps else { return }
        for _ in 0..<Self.maxTaps {
            await self.tapOnce(onInput)
            let again: Set<Tap.Outcome?> = [.nothing(TapTracker.notReached), .nothing(TapTracker.notAnswered)]
            guard again.contains(self.lastTap), self.ad.isShowing else { return }
            guard await self.state.withLock(\.stage)?.answers(within: Self.tapLimit) == true else { return }
        }
    }

    private func tapOnce(_ onInput: InputHandler) async {
        guard self.ad.isShowing else { return }
        let stage = self.state.withLock(\.stage)
        let taps = self.taps.count
        let before = stage?.gestures ?? 0
        onInput(.action(.click))
        await self.wait(until: .now + Self.tapLimit) {
            // A press without an effect is reported when the ad closes.
            self.taps.count > taps || self.hasCrashed
                || (stage?.gestures).map { $0 > before && stage?.hasPendingTap == false } ?? false
        }
        await self.wait(until: .now + Self.afterTap) { false }
    }

    private var taps: [Tap] { self.records().compactMap { if case .tap(let tap) = $0.event { tap } else { nil } } }

    private var lastTap: Tap.Outcome? { self.taps.last?.outcome }

    /// A creative that does not answer is ended by the stage after a few seconds, which is waited for.
    private func waitForHang() async {
        guard let stage = self.state.withLock(\.stage), self.ad.isShowing else { return }
        if await stage.answers(within: Self.answerLimit) { return }
        await self.wait(until: .now + Self.hangLimit) { self.hasCrashed }
    }

    private var hasCrashed: Bool {
        self.records().contains { record in
            if case .issue(let issue) = record.event {
                StageEvent.CrashCause(rawValue: issue.code) != nil
            } else {
                false
            }
        }
    }

    // MARK: Videos

    private func watchVideo(_ onInput: InputHandler) async {
        var (hasTapped, last, moved) = (false, Duration.zero, ContinuousClock.now)
        while !Task.isCancelled, self.ad.isShowing {
            let progress = self.ad.progress
            let position = progress?.position ?? .zero
            if position != last { (last, moved) = (position, .now) }
            if !hasTapped, self.isInTheMiddle(position, progress?.duration) {
                hasTapped = true
                await self.takePicture()
                await self.tap(onInput)
                moved = .now
            }
            let limit = progress?.isPlaying == false ? Self.pauseLimit : Self.stallLimit
            if self.isOver || .now - moved > limit { break }
            try? await Task.sleep(for: Self.interval)
        }
        if !hasTapped {
            await self.takePicture()
            await self.tap(onInput)
        }
    }

    private func isInTheMiddle(_ position: Duration, _ duration: Duration?) -> Bool {
        guard let duration, duration > .zero else { return position > .seconds(2) }
        return position >= duration * 0.4
    }

    /// Whether all of it was played, or it has failed.
    private var isOver: Bool {
        guard case .video(let video)? = self.ad.offer?.creative else { return true }
        if case .overlay = video.spots[0].content { return self.state.withLock(\.stage)?.playback?.isPlaying != true }
        let planned = video.spots.count - video.fallbackCount
        var ended: Set<Int> = []
        for record in self.records() {
            switch record.event {
            case .quartile(100, let spot): ended.insert(spot)
            case .closed: return true
            case .closeAvailable(.failed), .closeAvailable(.crashed): return true
            default: break
            }
        }
        return ended.count >= planned
    }

    // MARK: Pictures

    private func takePicture() async {
        guard self.wantsPicture, let stage = self.state.withLock(\.stage) else { return }
        let bytes = await stage.creativePicture()
        self.state.withLock { $0.picture = bytes }
    }

    /// Waits for a condition, until a time or the end of the ad.
    private func wait(until end: ContinuousClock.Instant, _ isMet: () -> Bool) async {
        while !Task.isCancelled, self.ad.isShowing, .now < end, !isMet() {
            try? await Task.sleep(for: min(Self.interval, end - .now))
        }
    }
}
