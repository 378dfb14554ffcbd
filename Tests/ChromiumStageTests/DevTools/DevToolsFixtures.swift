import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

// What the browser sends and is sent, where a test writes it in the language of the protocol.

extension DevToolsEvent {
    /// What the event means to a stage, where no other came before it.
    var engine: EngineEvent? {
        var translator = DevToolsTranslator()
        return translator.event(self)
    }
}

extension StageInput {
    /// The event as a machine gets it; one that means nothing to a stage is one without a target.
    static func devTools(_ event: DevToolsEvent) -> StageInput {
        .event(event.engine ?? EngineEvent(.pageLoaded, in: nil))
    }
}

extension EngineCommand {
    /// The command in the language of the protocol, where no world of scripts exists yet.
    var devTools: [DevToolsCommand] { DevToolsTranslator().commands(for: self) }
}

extension [StageOutput] {
    /// The commands that are sent without a query, in the language of the protocol.
    var devTools: [DevToolsCommand] {
        self.flatMap { output -> [DevToolsCommand] in
            if case .send(let command) = output { command.devTools } else { [] }
        }
    }
}

extension PagePolicy {
    mutating func handle(_ event: DevToolsEvent, at now: Duration = .zero) -> [StageOutput]? {
        event.engine.flatMap { self.handle($0, else: nil, at: now) }
    }
}

extension RequestLog {
    mutating func handle(_ event: DevToolsEvent, at now: Duration) -> StageRequest? {
        guard case .network(let network)? = event.engine?.kind else { return nil }
        return self.handle(network, at: now)
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
