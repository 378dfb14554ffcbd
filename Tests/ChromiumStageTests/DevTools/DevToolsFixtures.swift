import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

// Translations for tests that are written with DevTools messages.

extension DevToolsEvent {
    /// The translated event, without earlier events.
    var engine: EngineEvent? {
        var translator = DevToolsTranslator()
        return translator.event(self)
    }
}

extension StageInput {
    /// The event as input of a machine; an event that a stage does not need becomes one without a target.
    static func devTools(_ event: DevToolsEvent) -> StageInput {
        .event(event.engine ?? EngineEvent(.pageLoaded, in: nil))
    }
}

extension PagePolicy {
    mutating func handle(_ event: DevToolsEvent, at now: Duration = .zero) -> [StageOutput]? {
        event.engine.flatMap { self.handle($0, fallback: nil, at: now) }
    }
}

extension BrowserStage {
    var chromium: ChromiumPage {
        get throws { try #require(self.engine as? ChromiumPage) }
    }

    var browser: Browser {
        get throws { try self.chromium.browser }
    }
}
