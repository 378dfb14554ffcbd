import AdCore
import AdRuntime
import ChromiumStage
import SystemLock

/// The pictures of one ad, on their way into a report.
final class Album: Sendable {
    private struct State {
        /// What is pictured; nil before it is there, and once it is over.
        var stage: BrowserStage?
        /// Which moments of a film are worth a picture; nil where there is none.
        var film: FilmMoments?
        /// The picture that is taken now, and all before it.
        var work: Task<Void, Never>?
    }

    private let book: ReportBook
    private let ad: AdID
    private let clock: any AdClock
    private let state: Locked<State>

    init(_ creative: Creative, of ad: AdID, in book: ReportBook, clock: any AdClock) {
        self.book = book
        self.ad = ad
        self.clock = clock
        var film: FilmMoments?
        if case .video(let video) = creative { film = FilmMoments(video) }
        self.state = Locked(State(film: film))
    }

    /// There is something to take pictures of.
    func open(before stage: BrowserStage) { self.state.withLock { $0.stage = stage } }

    /// Whether what is revealed is worth a picture at once; a film has hardly begun then.
    var wantsFirst: Bool { self.state.withLock { $0.film == nil } }

    /// A film has come on.
    ///
    /// No press of a user waits for its pictures.
    func hear(_ event: VideoEvent) {
        self.state.withLock { state in
            guard let shot = state.film?.hear(event) else { return }
            let before = state.work
            let ordered = self.clock.now
            state.work = self.clock.work { [self] in
                await before?.value
                await self.keep(isFilm: shot != .endCard) { shot.caption(after: $0 - ordered) }
            }
        }
    }

    /// Keeps what is on screen.
    func keep(_ caption: String) async { await self.keep(isFilm: false) { _ in caption } }

    /// The ad is about to go: waits for its pictures, and takes the last one where that shows something new.
    func finish() async {
        let work = self.state.withLock { $0.work }
        await work?.value
        if self.state.withLock({ $0.film?.wantsLast ?? true }) { await self.keep("Before it closed") }
        self.state.withLock { $0.stage = nil }
    }

    /// A picture that can't be made is missed in the report, and nowhere else.
    private func keep(isFilm: Bool, _ caption: @Sendable (Moment) -> String) async {
        guard let stage = self.state.withLock({ $0.stage }),
            (try? await stage.untilDrawn(within: .seconds(2))) != nil
        else { return }
        // It shows what was there when it was asked for.
        let now = self.clock.now
        guard let bytes = try? await stage.picture(.webp) else { return }
        var picture = AdScene.Picture(caption: caption(now), at: now, size: stage.screen, bytes: bytes)
        picture.isFilm = isFilm
        self.book.keep(picture, of: self.ad)
    }
}
