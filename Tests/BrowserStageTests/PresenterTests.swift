import AdCore
import BrowserSupport
import LibC
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

@Suite("A presenter with a browser of its own", .needsEngine, .timeLimit(.minutes(1)))
struct PresenterTests {
    private func presenter(
        notify: @escaping @Sendable (StageNotification, AdID) -> Void = { _, _ in }
    ) throws -> any BrowserPresenter {
        let options = TestBrowser()
        return try options.presenter(notify: notify)
    }

    @Test(
        "a presentation that is cancelled while its creative loads ends at once and frees its place"
    )
    func cancelled() async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let presenter = try self.presenter { notification, _ in if case .started = notification { hasBegun.yield() } }
        let start = ContinuousClock.now
        let presentation = Task { try await StageHarness.prepare("<script>for (;;) {}</script>", on: presenter) }
        for await _ in begun { break }
        presentation.cancel()
        let error = await #expect(throws: StageError.self) { _ = try await presentation.value }
        #expect(error?.message == "the presentation was cancelled before the creative was ready")
        #expect(start.duration(to: .now) < .timeout(9), "a cancelled presentation does not wait")
        await presenter.whenIdle()
        let (stage, _) = try await StageHarness.prepare("<p>next</p>", on: presenter)
        await stage.close(.host)
        await presenter.close()
    }

    @Test("when the browser is killed, the ad on screen is gone, and the next one gets a new browser")
    func killed() async throws {
        let presenter = try self.presenter()
        let (stage, reports) = try await StageHarness.prepare("<p>first</p>", on: presenter)
        await stage.reveal()
        let first = try #require(presenter.processGroup)
        kill(-first, SIGKILL)
        await reports.first { $0 == .gone }
        let (next, _) = try await StageHarness.prepare("<p>next</p>", on: presenter)
        let second = try #require(presenter.processGroup)
        #expect(second != first)
        await stage.close(.host)
        await next.close(.host)
        await presenter.close()
        for process in [first, second] { #expect(kill(process, 0) == -1, "the process has ended") }
    }

    @Test("concurrent closes wait until all processes have ended, also that of a page created in advance")
    func closed() async throws {
        let presenter = try self.presenter()
        let (stage, _) = try await StageHarness.prepare("<p>ad</p>", on: presenter)
        let group = try #require(presenter.processGroup)
        async let one: Void = presenter.close()
        async let other: Void = presenter.close()
        _ = await (one, other)
        #expect(kill(group, 0) == -1)
        await stage.close(.host)
        await #expect(throws: StageError.self) { _ = try await StageHarness.prepare("<p>late</p>", on: presenter) }
    }
}
