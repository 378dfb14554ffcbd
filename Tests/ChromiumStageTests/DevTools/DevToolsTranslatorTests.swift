import AdCore
import Testing

@testable import ChromiumStage
@testable import WebStage

@Suite("Translation between a stage and DevTools")
struct DevToolsTranslatorTests {
    private let root = DevToolsSession(name: "root")
    private let page = DevToolsSession(name: "page")

    private func created(
        _ number: Int,
        _ frame: String,
        isDefault: Bool = true,
        name: String = "",
        in session: DevToolsSession
    ) -> DevToolsEvent {
        let context: AdJSON = [
            "id": .int(number), "name": .string(name),
            "auxData": ["isDefault": .bool(isDefault), "frameId": .string(frame)],
        ]
        return DevToolsEvent(
            session: session,
            method: "Runtime.executionContextCreated",
            params: ["context": context]
        )
    }

    private func sender(_ world: Int, in session: DevToolsSession, _ translator: DevToolsTranslator) -> EngineWorld? {
        let params: AdJSON = ["name": "__yabbi_mraid", "payload": "{}", "executionContextId": .int(world)]
        let event = DevToolsEvent(session: session, method: "Runtime.bindingCalled", params: params)
        var translator = translator
        guard case .message(let message)? = translator.event(event)?.kind else { return nil }
        return message.sender
    }

    @Test("a message has the world and frame of its sender, and none if the document was replaced")
    func senders() {
        var translator = DevToolsTranslator()
        #expect(translator.event(self.created(7, "F", in: self.root)) == nil)
        #expect(translator.event(self.created(8, "G", in: self.root)) == nil)
        let host = translator.event(self.created(9, "F", isDefault: false, name: "yabbi", in: self.root))
        #expect(host == EngineEvent(.worldCreated(frame: "F"), in: self.root))
        #expect(translator.event(self.created(10, "F", isDefault: false, name: "other", in: self.root)) == nil)
        #expect(self.sender(7, in: self.root, translator) == .page(frame: "F"))
        #expect(self.sender(8, in: self.root, translator) == .page(frame: "G"))
        #expect(self.sender(9, in: self.root, translator) == .host(frame: "F"))
        #expect(self.sender(10, in: self.root, translator) == nil)
        #expect(self.sender(7, in: self.page, translator) == nil)
        _ = translator.event(self.created(11, "F", in: self.root))
        #expect(self.sender(7, in: self.root, translator) == nil)
        #expect(self.sender(11, in: self.root, translator) == .page(frame: "F"))
        let gone: AdJSON = ["executionContextId": 8]
        _ = translator.event(
            DevToolsEvent(session: self.root, method: "Runtime.executionContextDestroyed", params: gone)
        )
        #expect(self.sender(8, in: self.root, translator) == nil)
        _ = translator.event(DevToolsEvent(session: self.root, method: "Runtime.executionContextsCleared", params: [:]))
        #expect(self.sender(11, in: self.root, translator) == nil)
    }

    @Test("a script runs in its world, and not at all if that does not exist")
    func worlds() {
        var translator = DevToolsTranslator()
        func contexts(_ world: EngineWorld) -> [AdJSON?] {
            let command = EngineCommand.evaluate(EngineEvaluation("0", world), in: self.root)
            return translator.commands(for: command).map { $0.params["contextId"] }
        }
        #expect(contexts(.main) == [nil] && contexts(.hostIfExisting(frame: "F")) == [nil])
        #expect(contexts(.host(frame: "F")).isEmpty && contexts(.page(frame: "F")).isEmpty)
        _ = translator.event(self.created(7, "F", in: self.root))
        _ = translator.event(self.created(9, "F", isDefault: false, name: "yabbi", in: self.root))
        #expect(contexts(.main) == [nil] && contexts(.hostIfExisting(frame: "F")) == [9])
        #expect(contexts(.host(frame: "F")) == [9] && contexts(.page(frame: "F")) == [7])
        let call = EngineCommand.call(function: "f", argument: "'); evil('", .page(frame: "F"), in: self.root)
        let params = translator.commands(for: call).first?.params
        #expect(params?["executionContextId"] == 7 && params?["functionDeclaration"] == "f")
        #expect(params?["arguments"] == [["value": "'); evil('"]])
    }

    @Test("the memory of a page is the sum of its parts")
    func memory() {
        func bytes(_ usage: AdJSON) -> Result<EngineReply, EngineError> {
            DevToolsTranslator.reply(.success(usage), to: .measureMemory(self.root))
        }
        let usage: AdJSON = [
            "usedSize": 400_000_000, "embedderHeapUsedSize": 100_000_000, "backingStorageSize": 100_000_000,
        ]
        #expect(bytes(usage) == .success(.memory(600_000_000)) && bytes([:]) == .success(.memory(0)))
        #expect(bytes(["usedSize": .double(1e300)]) == .success(.memory(1_000_000_000_000_000)))
    }

    @Test("a failed navigation, a missing world and an exception are different replies")
    func failures() {
        func reply(_ reply: AdJSON, to command: EngineCommand) -> Result<EngineReply, EngineError> {
            DevToolsTranslator.reply(.success(reply), to: command)
        }
        let load = EngineCommand.load("https://a.example/", in: self.root)
        #expect(reply(["errorText": "net::ERR_FAILED"], to: load) == .failure(.notLoaded("net::ERR_FAILED")))
        #expect(reply([:], to: load) == .success(.done))
        guard case .failure(.refused) = reply([:], to: .createWorld(frame: "F", in: self.root)),
            case .success(.exception) = reply(
                ["exceptionDetails": ["text": "Uncaught"]],
                to: .evaluate(EngineEvaluation("0"), in: self.root)
            )
        else {
            Issue.record("the replies are not different")
            return
        }
    }

    @Test("error pages, unrelated log entries and other lifecycle events are not translated")
    func untranslated() {
        var translator = DevToolsTranslator()
        let navigation: AdJSON = ["reason": "scriptInitiated", "url": "chrome-error://chromewebdata/"]
        for event in [
            DevToolsEvent(session: self.root, method: "Page.frameRequestedNavigation", params: navigation),
            DevToolsEvent(session: self.root, method: "Log.entryAdded", params: ["entry": ["text": "hello"]]),
            DevToolsEvent(session: self.root, method: "Page.lifecycleEvent", params: ["name": "init"]),
        ] { #expect(translator.event(event) == nil) }
    }
}
