import AdCore
import SystemSupport
import Testing

@testable import WebStage

/// A presenter over scripted engines, and what its stages report.
final class PresenterHarness: Sendable {
    private let made = Locked<[ScriptedEngine]>([])
    private let reported = Locked<[StageEvent]>([])
    private let notified = Locked<[StageNotification]>([])
    /// An ad would hold its stage.
    private let stages = Locked<[BrowserStage]>([])
    let presenter: EnginePresenter<ScriptedEngine>

    /// The engines have these behaviors, in the order in which they start; further ones work.
    ///
    /// Pages are used again unless `renewsPages` is nil; it says whether they can be renewed.
    init(
        _ behaviors: [ScriptedEngine.Behavior] = [],
        opensPagesAhead: Bool = false,
        lastError: String? = nil,
        renewsPages: Bool? = nil,
        settings: StageSettings = StageSettings(screen: Size(width: 390, height: 844))
    ) {
        let (made, notified) = (self.made, self.notified)
        let host = EngineHost(
            screen: settings.screen,
            limit: EnginePresenter<ScriptedEngine>.limit,
            renewsPages: renewsPages != nil
        ) { () throws(StageError) in
            made.withLock { engines in
                let behavior = engines.count < behaviors.count ? behaviors[engines.count] : .works
                let engine = ScriptedEngine(
                    behavior,
                    opensPagesAhead: opensPagesAhead,
                    renewsPages: renewsPages ?? false,
                    lastError: lastError
                )
                engines.append(engine)
                return engine
            }
        }
        self.presenter = EnginePresenter(settings, in: host) { notification, _ in
            notified.withLock { $0.append(notification) }
        }
    }

    /// All engines that were started.
    var engines: [ScriptedEngine] { self.made.withLock { $0 } }
    /// All events that were reported.
    var events: [StageEvent] { self.reported.withLock { $0 } }
    /// All notifications of stages.
    var notifications: [StageNotification] { self.notified.withLock { $0 } }
    /// The blocked attempts.
    var blocked: [BlockedAttempt] {
        self.events.compactMap { if case .blocked(let attempt) = $0 { attempt } else { nil } }
    }
    /// The URLs of the user's clicks.
    var clicks: [String?] {
        self.events.compactMap { if case .click(let link, byUser: true, _) = $0 { .some(link?.text) } else { nil } }
    }

    /// The page that was made last.
    func page() throws -> ScriptedPage { try #require(self.engines.last?.pages.last) }

    /// Loads a creative, hidden.
    func load(_ creative: Creative? = nil, _ kind: ShowRules.Kind = .interstitial) async throws(StageError)
        -> BrowserStage
    {
        let html = Creative.html(HTMLCreative(markup: "<p>ad</p>", document: "<!DOCTYPE html><p>ad</p>"))
        let container = await self.presenter.container(for: kind)
        let options = StageOptions(ad: AdID("ad"), kind: kind, size: CreativeLayout(.adaptive, in: container))
        let stage = try await self.presenter.stage(creative ?? html, options) { [reported] event in
            reported.withLock { $0.append(event) }
        }
        self.stages.withLock { $0.append(stage) }
        return stage
    }

    /// Loads a creative and makes it visible.
    func show(_ creative: Creative? = nil) async throws -> (BrowserStage, ScriptedPage) {
        let stage = try await self.load(creative)
        await stage.reveal()
        return (stage, try #require(stage.engine as? ScriptedPage))
    }
}
