import AdCore
import SystemSupport
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("The ads of a live session", .timeLimit(.minutes(1)))
struct EngagementAdsTests {
    @Test("ads come loaded, each once and in order")
    func order() async {
        let live = Live()
        var ads = live.session.ads.makeAsyncIterator()
        for page in 1...10 { live.offer(page) }
        var kept: [Ad?] = []
        for page in 1...10 {
            let ad = await ads.next()
            #expect(ad?.page == page && ad?.isLoaded == true)
            kept.append(ad)
        }
        let names = live.world.observer.names
        #expect(names == Array(repeating: ["loadStarted", "loaded"], count: 10).flatMap { $0 })
        withExtendedLifetime(kept) {}
    }

    @Test("a page is revealed when the session reports it as ready")
    func ready() async throws {
        let live = Live()
        let (ad, stage, show) = try await self.show(1, live)
        #expect(stage.calls.count == 1 && ad.phase == .presenting, "a page is not revealed before it is ready")
        stage.report(.message("loaded"))
        await live.world.clock.settle()
        #expect(stage.posts == ["first 1", "second 1"] && !stage.calls.contains(.reveal))
        stage.report(.message("ready"))
        try await show.value
        #expect(stage.calls.contains(.reveal) && ad.isShowing)
        #expect(live.log.lines == ["page 1 says loaded", "page 1 says ready", "page 1 shown"])
    }

    @Test("a page that is never ready fails to show, and the session handles it as gone")
    func watchdog() async throws {
        let live = Live()
        let (ad, stage, show) = try await self.show(1, live)
        stage.report(.message("loaded"))
        await live.world.clock.advance(by: .seconds(9))
        #expect(ad.phase == .presenting)
        await live.world.clock.advance(by: .seconds(1))
        await #expect(throws: AdError.self) { try await show.value }
        #expect(ad.phase == .failed && stage.calls.last == .close(.neverShown))
        #expect(live.log.lines.last == "page 1 gone" && live.session.counts.pages == 0)
        #expect(live.world.observer.names.contains("showFailed") && live.world.clock.alarms == 0)
    }

    @Test("a page that asks to close is closed by the creative, and gets no message afterwards")
    func close() async throws {
        let live = Live()
        let (ad, stage, show) = try await self.show(1, live)
        stage.report(.message("ready"))
        try await show.value
        stage.report(.message("close"))
        await live.world.clock.settle()
        #expect(stage.calls.last == .close(.creative) && ad.phase == .closed)
        #expect(live.log.lines.last == "page 1 gone" && live.session.counts.pages == 0)
        live.perform(.post(PageID(1), "late"), .ready(PageID(1)), .close(PageID(1)), .withdraw(PageID(1)))
        await live.world.clock.settle()
        #expect(!stage.posts.contains("late"))
    }

    @Test("messages for a page wait until it has a stage, in order")
    func early() async throws {
        let live = Live()
        var ads = live.session.ads.makeAsyncIterator()
        live.offer(1)
        let ad = try #require(await ads.next())
        live.perform(.post(PageID(1), "early"))
        let stage = TalkativePresenter()
        let show = Task { try await ad.show(on: stage) }
        await stage.presented()
        await live.world.clock.settle()
        #expect(stage.inner.posts == ["first 1", "second 1"])
        stage.inner.report(.message("ready"))
        try await show.value
    }

    @Test("two pages can be on two stages at once, each with its own messages")
    func twoStages() async throws {
        let live = Live()
        let (first, firstStage, firstShow) = try await self.show(1, live)
        let (second, secondStage, secondShow) = try await self.show(2, live)
        secondStage.report(.message("loaded"))
        firstStage.report(.message("ready"))
        try await firstShow.value
        await live.world.clock.settle()
        #expect(first.isShowing && second.phase == .presenting)
        #expect(secondStage.posts == ["first 2", "second 2"] && firstStage.posts.isEmpty)
        secondStage.report(.message("ready"))
        try await secondShow.value
        firstStage.report(.message("close"))
        await live.world.clock.settle()
        #expect(first.phase == .closed && second.isShowing)
        #expect(live.session.counts.pages == 1)
        live.perform(.withdraw(PageID(2)))
        await live.world.clock.settle()
        #expect(second.phase == .closed && secondStage.calls.last == .close(.destroyed))
    }

    @Test("an ad that is not shown in time expires, and the session handles its page as gone")
    func expiry() async throws {
        let live = Live()
        var ads = live.session.ads.makeAsyncIterator()
        live.offer(1, lifetime: .seconds(300))
        let ad = try #require(await ads.next())
        await live.world.clock.advance(by: .seconds(299))
        #expect(ad.isLoaded && live.session.counts.pages == 1)
        await live.world.clock.advance(by: .seconds(1))
        #expect(ad.phase == .expired && live.log.lines == ["page 1 gone"])
        #expect(live.session.counts.pages == 0 && live.world.clock.alarms == 0)
    }

    @Test("if an ad is released without being shown, the session handles its page as gone")
    func dropped() async throws {
        let live = Live()
        var ads = live.session.ads.makeAsyncIterator()
        live.offer(1)
        weak var watched: Ad?
        do {
            let ad = try #require(await ads.next())
            watched = ad
        }
        #expect(watched == nil && live.log.lines == ["page 1 gone"])
        #expect(live.session.counts.pages == 0 && live.world.clock.alarms == 0)
    }

    @Test("when too many ads wait, the oldest are destroyed with an issue each, and the newest 16 are kept")
    func untaken() async throws {
        let live = Live()
        for page in 1...40 { live.offer(page) }
        #expect(live.world.observer.sessionIssues == Array(repeating: "ad.untaken", count: 24))
        #expect(live.session.counts.pages == 16)
        var ads = live.session.ads.makeAsyncIterator()
        for page in 25...40 {
            let ad = try #require(await ads.next())
            #expect(ad.page == page)
        }
    }

    @Test("a thousand pages that came and went leave nothing behind")
    func nothingGrows() async throws {
        let live = Live()
        var ads = live.session.ads.makeAsyncIterator()
        for page in 1...1_000 {
            live.offer(page)
            (try #require(await ads.next())).destroy()
        }
        #expect(live.session.counts.pages == 0 && live.world.clock.alarms == 0)
    }

    @Test("ending the session closes the ad on screen")
    func end() async throws {
        let live = Live()
        let (ad, stage, show) = try await self.show(1, live)
        stage.report(.message("ready"))
        try await show.value
        live.session.end()
        await live.world.clock.settle()
        #expect(ad.phase == .closed && stage.calls.last == .close(.destroyed))
    }

    @Test("releasing the session closes the ad on screen, and its page's messages are dropped")
    func releasedSession() async throws {
        let live = Live()
        live.perform(.connect(Live.request))
        live.sockets.last?.report(.opened)
        let (ad, stage, show) = try await self.show(1, live)
        stage.report(.message("ready"))
        try await show.value
        stage.report(.message("send"))
        #expect(live.sockets.last?.sent == ["from 1"])
        #expect(live.release())
        await live.world.clock.settle()
        stage.report(.message("send"))
        stage.report(.message("close"))
        #expect(live.sockets.last?.sent == ["from 1"])
        #expect(ad.phase == .closed && live.world.clock.alarms == 0)
    }

    @Test("an ended ad is freed, and no ad retains its session")
    func references() async throws {
        let live = Live()
        weak var watched: Ad?
        do {
            let (ad, stage, show) = try await self.show(1, live)
            watched = ad
            stage.report(.message("ready"))
            try await show.value
            stage.report(.message("close"))
            await live.world.clock.settle()
        }
        #expect(watched == nil)
        let (ad, stage, show) = try await self.show(2, live)
        stage.report(.message("ready"))
        try await show.value
        #expect(live.release(), "an ad on screen does not retain the session")
        await live.world.clock.settle()
        #expect(!ad.isShowing)
    }

    /// An ad that is being presented on a recording stage.
    private func show(
        _ page: Int,
        _ live: Live
    ) async throws -> (ad: Ad, stage: RecordingPresenter, show: Task<Void, any Error>) {
        var ads = live.session.ads.makeAsyncIterator()
        live.offer(page)
        let ad = try #require(await ads.next())
        let stage = RecordingPresenter()
        let gate = GatedPresenter(inner: stage)
        let show = Task { try await ad.show(on: gate) }
        await gate.presented()
        await live.world.clock.settle()
        return (ad, stage, show)
    }
}

/// A presenter that signals when `present` has returned.
struct GatedPresenter: Presenter {
    let inner: RecordingPresenter
    private let isPresented = OneShot<Void>()

    init(inner: RecordingPresenter) { self.inner = inner }

    func presented() async { await self.isPresented.value }

    func container(for kind: ShowRules.Kind) async -> AdContainer { await self.inner.container(for: kind) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        let stage = try await self.inner.present(creative, options, report: report)
        self.isPresented.set(())
        return stage
    }
}

/// A presenter whose page sends a message before there is a stage.
private struct TalkativePresenter: Presenter {
    let inner = RecordingPresenter()
    private let isPresented = OneShot<Void>()

    func presented() async { await self.isPresented.value }

    func container(for kind: ShowRules.Kind) async -> AdContainer { await self.inner.container(for: kind) }

    func present(
        _ creative: Creative,
        _ options: StageOptions,
        report: @escaping @Sendable (StageEvent) -> Void
    ) async throws(StageError) -> any Stage {
        report(.message("loaded"))
        let stage = try await self.inner.present(creative, options, report: report)
        self.isPresented.set(())
        return stage
    }
}
