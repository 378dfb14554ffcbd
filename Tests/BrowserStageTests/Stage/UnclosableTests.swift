import AdCore
import BrowserSupport
import LibC
import TestSupport
import Testing

@testable import WebStage

/// Creatives that try to prevent their end: one press on the close button closes each within a second, and leaves
/// nothing.
@Suite("Creatives that keep the browser busy", .needsEngine, .serialized, .timeLimit(.minutes(3)))
struct UnclosableTests {
    @Test("a creative that floods the browser can be closed", arguments: Misbehavior.flooding)
    func flooding(_ creative: Misbehavior) async throws { try await self.close(creative) }

    @Test("a creative in an endless loop can be closed", arguments: Misbehavior.looping)
    func looping(_ creative: Misbehavior) async throws { try await self.close(creative) }

    @Test("a creative that navigates, downloads or captures the pointer can be closed", arguments: Misbehavior.leaving)
    func leaving(_ creative: Misbehavior) async throws { try await self.close(creative) }

    @Test("an MRAID ad that expands or resizes can be closed", arguments: Misbehavior.expanding)
    func expanding(_ creative: Misbehavior) async throws { try await self.close(creative) }

    @Test("an end card that keeps the browser busy can be closed", arguments: Misbehavior.atTheEnd)
    func behindAVideo(_ creative: Misbehavior) async throws { try await self.close(creative) }

    @Test("there are at least forty kinds of misbehavior with unique names")
    func enough() {
        let all =
            Misbehavior.flooding + Misbehavior.looping + Misbehavior.leaving + Misbehavior.expanding
            + Misbehavior.atTheEnd
        #expect(Set(all.map { $0.name }).count == all.count && all.count >= 40)
    }

    @Test("closing the browser ends all of its processes")
    func processes() async throws {
        let options = TestBrowser()
        let presenter = try options.presenter()
        let worst = ["console, without end", "an endless loop", "requests by fetch"]
        var stages: [(stage: BrowserStage, creative: Misbehavior)] = []
        for creative in Misbehavior.flooding + Misbehavior.looping where worst.contains(creative.name) {
            let (stage, reports) = try await StageHarness.prepare(creative.body, on: presenter)
            await stage.reveal()
            await reports.first { $0 == StageEvent.revealed }
            stages.append((stage, creative))
        }
        for (stage, creative) in stages { stage.trigger(creative) }
        let group = try #require(presenter.processGroup)
        let start = ContinuousClock.now
        await presenter.close()
        #expect(.now - start < .timeout(5))
        // The system removes killed processes a moment later.
        let deadline = ContinuousClock.now + .timeout(5)
        while kill(-group, 0) == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(10)) }
        #expect(kill(-group, 0) == -1)
        for (stage, _) in stages { await stage.close(.host) }
    }

    /// Shows a creative, triggers it, presses the close button once, and checks that nothing is left.
    private func close(_ creative: Misbehavior) async throws {
        let (stage, reports) = try await self.show(creative)
        await stage.setControl(.close, visible: true)
        switch creative.trigger {
        case .itself: stage.trigger(creative)
        case .press, .pressDown:
            let place = try #require(await stage.clickPosition())
            _ = try await stage.tryPress(x: place.x, y: place.y, within: .milliseconds(200))
        }
        // Time for a flood to build up; the real processes report no progress.
        try await Task.sleep(for: .milliseconds(250))

        let press = ContinuousClock.now
        #expect(await stage.press(.close))
        await reports.first { $0 == .closeRequested(by: .user) }
        #expect(.now - press < .timeout(1), "pressed \(ContinuousClock.now - press) ago")
        let end = ContinuousClock.now
        await stage.close(.user)
        await stage.untilRemoved()
        #expect(.now - end < .timeout(2), "closing took \(ContinuousClock.now - end)")
        #expect(try await EngineDetails.hasRemoved(stage))
    }

    private func show(_ creative: Misbehavior) async throws -> (BrowserStage, Reports) {
        guard creative.place == .endCard else {
            let isMRAID = creative.place == .mraid
            let kind: ShowRules.Kind = if case .html(let kind) = creative.place { kind } else { .banner }
            let size: RequestedSize = kind == .banner ? .fixed(Size(width: 320, height: 50)) : .adaptive
            let (stage, reports) = try await StageHarness.prepare(creative.body, kind, size: size)
            await stage.reveal()
            await reports.first { if case .visible = $0 { true } else { false } }
            if isMRAID { #expect(try await stage.evaluate(inCreative: "mraid.getState()") == "default") }
            return (stage, reports)
        }
        let card = VideoPartID.companion(0)
        let document = "<!doctype html><body style='margin:0'>\(creative.body)</body>"
        let part = VideoPart(.html(HTMLCreative(markup: creative.body, document: document)))
        let rules = SpotRules(hasEndCard: true, parts: [PartRules(card, time: nil)])
        let spot = try mediaSpot("/media/pluvello.mp4", rules: rules, parts: [card: part], endCard: card)
        let (stage, reports) = try await VideoHarness.prepare(VideoCreative(spot))
        await reports.first { $0 == .ready }
        await stage.reveal()
        await stage.control(.play)
        await stage.control(.showEndCard)
        await reports.waitFor(.partShown(card))
        return (stage, reports)
    }
}

extension BrowserStage {
    /// Calls the creative's `go`, without waiting for a reply.
    func trigger(_ creative: Misbehavior) {
        guard let session = self.machine.creative else { return }
        self.engine.send(.evaluate(EngineEvaluation("setTimeout(go), 0"), in: session))
    }
}
