import AdCore
import BrowserSupport
import SystemSupport
import TestSupport
import Testing

@testable import WebStage

/// The events that a stage reports; tests can wait for them.
typealias Reports = Received<StageEvent>

extension Received<StageEvent> {
    var events: [StageEvent] { self.all }

    /// The blocked attempts.
    var blocked: [BlockedAttempt] {
        self.events.compactMap { if case .blocked(let attempt) = $0 { attempt } else { nil } }
    }

    /// The URLs of the user's clicks.
    var clicks: [String?] {
        self.events.compactMap { if case .click(let link, byUser: true, _) = $0 { .some(link?.text) } else { nil } }
    }

    /// The taps without a click-through.
    var taps: [StageEvent] { self.events.filter { if case .tap = $0 { true } else { false } } }

    func click() async -> ClickThroughURL? {
        let event = await self.first { if case .click(_, byUser: true, _) = $0 { true } else { false } }
        guard case .click(let link, _, _) = event else { return nil }
        return link
    }

    func attempt(_ kind: BlockedAttempt.Kind) async -> String {
        let event = await self.first { if case .blocked(let attempt) = $0 { attempt.kind == kind } else { false } }
        guard case .blocked(let attempt) = event else { return "" }
        return attempt.detail
    }
}

/// Shows creatives in one browser for all tests.
enum StageHarness {
    private static let shared = Locked<(any BrowserPresenter)?>(nil)

    /// The shared presenter; its browser ends with the test process.
    static func presenter() throws -> any BrowserPresenter {
        try self.shared.withLock { presenter in
            if let presenter { return presenter }
            let options = TestBrowser()
            let new = try options.presenter()
            presenter = new
            return new
        }
    }

    /// Loads a creative, hidden.
    static func prepare(
        _ body: String,
        _ kind: ShowRules.Kind = .interstitial,
        size: RequestedSize = .adaptive,
        isDocument: Bool = false,
        on presenter: (any BrowserPresenter)? = nil
    ) async throws -> (BrowserStage, Reports) {
        let presenter = try presenter ?? self.presenter()
        let document = isDocument ? body : "<!doctype html><html><body style='margin:0'>\(body)</body></html>"
        let container = await presenter.container(for: kind)
        let options = StageOptions(ad: AdID("test"), kind: kind, size: CreativeLayout(size, in: container))
        let reports = Reports()
        let stage = try await presenter.stage(.html(HTMLCreative(markup: body, document: document)), options) {
            reports.append($0)
        }
        return (stage, reports)
    }

    /// Presses the close button until that is reported: on a busy machine a press can come before the button is on
    /// screen.
    ///
    /// In an engine with one process for all frames, an ad that has crashed is gone with its close button.
    static func close(_ stage: BrowserStage, _ reports: Reports) async throws {
        let hasCrashed = reports.events.contains { if case .crashed = $0 { true } else { false } }
        if EngineDifference.oneProcess.isHere, hasCrashed {
            await reports.first { $0 == .gone }
            return
        }
        await stage.setControl(.close, visible: true)
        for _ in 0..<10 {
            try await stage.press(x: 390 - 33, y: 33)
            try await stage.waitUntilDrawn()
            if reports.events.contains(.closeRequested(by: .user)) { return }
        }
        Issue.record("ten presses on the close button were not reported")
    }

    /// Shows a creative during a test.
    static func show<Result>(
        _ body: String,
        _ kind: ShowRules.Kind = .interstitial,
        size: RequestedSize = .adaptive,
        isDocument: Bool = false,
        on presenter: (any BrowserPresenter)? = nil,
        test: (BrowserStage, Reports) async throws -> Result
    ) async throws -> Result {
        let (stage, reports) = try await self.prepare(body, kind, size: size, isDocument: isDocument, on: presenter)
        await stage.reveal()
        await reports.first { if case .visible = $0 { true } else { false } }
        do {
            let result = try await test(stage, reports)
            await stage.close(.host)
            return result
        } catch {
            await stage.close(.host)
            throw error
        }
    }
}
