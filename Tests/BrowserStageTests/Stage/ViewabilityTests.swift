import AdCore
import AdRuntime
import BrowserSupport
import SystemSupport
import TestSupport
import Testing
import YabbiTesting

@testable import WebStage

/// Viewability policies in a page that scrolls: the visible ratio comes from the browser, the time from a manual clock.
@Suite("Viewability in a page that scrolls", .needsEngine, .timeLimit(.minutes(1)))
struct ViewabilityTests {
    /// Presents in the shared browser, and keeps the stage for scrolling.
    private final class Window: Presenter {
        let presenter: any BrowserPresenter
        let stage = Locked<BrowserStage?>(nil)
        let reports = Reports()

        init() throws { self.presenter = try StageHarness.presenter() }

        func container(for kind: ShowRules.Kind) async -> AdContainer { await self.presenter.container(for: kind) }

        func present(
            _ creative: Creative,
            _ options: StageOptions,
            report: @escaping @Sendable (StageEvent) -> Void
        ) async throws(StageError) -> any Stage {
            let stage = try await self.presenter.stage(creative, options) { event in
                report(event)
                // After the ad, so that a test that waits for the event finds it handled.
                self.reports.append(event)
            }
            self.stage.withLock { $0 = stage }
            return stage
        }

        /// Scrolls until this share of a banner of 250 points is visible, and waits for the report.
        func scroll(toShow share: Double) async throws {
            let stage = try #require(self.stage.withLock { $0 })
            let count = self.reports.events.count
            try await stage.scroll(by: (1 - share) * 250)
            await self.reports.first(after: count) { event in
                if case .visible(let ratio) = event { abs(ratio - share) < 0.02 } else { false }
            }
        }
    }

    private struct Scene {
        let window: Window
        let ad: Ad
        let clock: ManualClock
        let observer: RecordingObserver

        var hasView: Bool { self.observer.names.contains("view") }
    }

    private func show(_ policy: ViewabilityPolicy) async throws -> Scene {
        let clock = ManualClock()
        let observer = RecordingObserver()
        let url = try #require(HTTPURL("https://ssp.example/"))
        let transport = ScriptedTransport(clock: clock) { _ in .status(200) }
        let services = AdServices(transport: transport, opener: NoOpener(), clock: clock, observer: observer)
        let html = "<!doctype html><div style='height:250px;background:#fc0'>banner</div>"
        let offer = Offer(
            provider: "test",
            creative: .html(HTMLCreative(markup: html, document: html)),
            rules: ShowRules(.banner, viewPolicy: policy),
            size: .fixed(Size(width: 300, height: 250))
        )
        let ad = try await AdLoader(OfferProvider(endpoint: url), services: services).load(offer)
        let window = try Window()
        try await ad.show(on: window)
        await window.reports.first { $0 == .visible(ratio: 1) }
        return Scene(window: window, ad: ad, clock: clock, observer: observer)
    }

    @Test(
        "half of an ad, or 30 % of a large one, must be visible for one continuous second",
        arguments: [(ViewabilityPolicy.mrcDisplay, 0.4, 0.6), (.mrcLargeDisplay, 0.2, 0.4)]
    )
    func mrc(policy: ViewabilityPolicy, little: Double, enough: Double) async throws {
        let scene = try await self.show(policy)
        await scene.clock.advance(by: .milliseconds(900))
        try await scene.window.scroll(toShow: little)
        await scene.clock.advance(by: .seconds(5))
        #expect(!scene.hasView, "too little is visible, however long")
        try await scene.window.scroll(toShow: enough)
        await scene.clock.advance(by: .milliseconds(900))
        try await scene.window.scroll(toShow: 0)
        try await scene.window.scroll(toShow: enough)
        await scene.clock.advance(by: .milliseconds(900))
        #expect(!scene.hasView, "the second is not continuous")
        await scene.clock.advance(by: .milliseconds(100))
        #expect(scene.hasView)
        scene.ad.destroy()
    }

    @Test("with the any-pixel policy one pixel is enough")
    func pixel() async throws {
        let scene = try await self.show(.anyPixel)
        #expect(scene.hasView)
        scene.ad.destroy()
    }
}
