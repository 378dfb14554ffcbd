import AdCore
import WebStage

/// Translates between one page's stage and the DevTools protocol.
///
/// Its state is the execution contexts of the JavaScript worlds, and the simulated device and network.
struct DevToolsTranslator: Sendable {
    private(set) var contexts = ContextTable()
    /// The browser context of the page, which has its cookies.
    private let browserContext: String
    /// The simulated device of the page.
    var device: EngineDevice?
    /// The simulated network of the page.
    var network: EngineNetwork?

    init(browserContext: String = "") { self.browserContext = browserContext }

    // MARK: Commands

    /// The protocol's commands, the last of which gets the reply; empty for a world that does not exist, or if the
    /// protocol is not involved.
    func commands(for command: EngineCommand) -> [DevToolsCommand] {
        switch command {
        case .observe(let target): return DevToolsTranslator.observation(of: target) + self.emulation(of: target)
        case .observeWorker(let target):
            return [
                DevToolsCommand("Network.enable", in: target), DevToolsTranslator.fetch(target),
                DevToolsTranslator.attach(target),
            ] + self.emulation(of: target)
        case .emulate(let device, let target): return DevToolsTranslator.emulation(device, in: target)
        case .throttle(let network, let target): return [DevToolsTranslator.throttling(network, in: target)]
        case .startPictures(let pictures, let target):
            let params: AdJSON = [
                "format": "jpeg", "quality": .int(pictures.quality), "maxWidth": .int(Int(pictures.size.width)),
                "maxHeight": .int(Int(pictures.size.height)),
            ]
            return [DevToolsCommand("Page.startScreencast", params, in: target)]
        case .stopPictures(let target): return [DevToolsCommand("Page.stopScreencast", in: target)]
        case .acknowledgePicture(let number, let target):
            return [DevToolsCommand("Page.screencastFrameAck", ["sessionId": .int(number)], in: target)]
        case .forget, .refuse: return []
        case .resume(let target): return [DevToolsCommand("Runtime.runIfWaitingForDebugger", in: target)]
        case .terminate(let target): return [DevToolsCommand("Page.crash", in: target)]
        case .close(let id): return [DevToolsCommand("Target.closeTarget", ["targetId": .string(id)])]
        case .load(let url, let target): return [DevToolsCommand("Page.navigate", ["url": .string(url)], in: target)]
        case .setScreen(let screen, let target):
            return [DevToolsTranslator.metrics(screen, isMobile: self.device?.isMobile ?? true, in: target)]
        case .setUserAgent(let name, let target):
            // The rest of the identity stays, except for the hints, which would contradict the name.
            var device = self.device ?? EngineDevice(userAgent: name)
            device.userAgent = name
            device.platform = nil
            return [DevToolsTranslator.identity(device, in: target)]
        case .dismissDialog(let target):
            return [DevToolsCommand("Page.handleJavaScriptDialog", ["accept": false], in: target)]
        case .createWorld(let frame, let target):
            let world: AdJSON = ["frameId": .string(frame), "worldName": .string(ContextTable.worldName)]
            return [DevToolsCommand("Page.createIsolatedWorld", world, in: target)]
        case .addChannel(let channel, let target):
            var members: [AdJSON.Member] = [.init("name", .string(channel.rawValue))]
            if channel.isHost { members.append(.init("executionContextName", .string(ContextTable.worldName))) }
            return [DevToolsCommand("Runtime.addBinding", .object(members), in: target)]
        case .addScript(let script, let target):
            var members: [AdJSON.Member] = [.init("source", .string(script.source))]
            if script.isHost { members.append(.init("worldName", .string(ContextTable.worldName))) }
            if script.runsNow { members.append(.init("runImmediately", true)) }
            return [DevToolsCommand("Page.addScriptToEvaluateOnNewDocument", .object(members), in: target)]
        case .evaluate(let evaluation, let target): return self.evaluate(evaluation, in: target)
        case .call(let function, let argument, let world, let target):
            guard let number = self.number(of: world, in: target) else { return [] }
            let params: AdJSON = [
                "functionDeclaration": .string(function), "executionContextId": number,
                "arguments": [["value": .string(argument)]], "silent": true,
            ]
            return [DevToolsCommand("Runtime.callFunctionOn", params, in: target)]
        case .ping(let target): return [DevToolsCommand("Runtime.evaluate", ["expression": "0"], in: target)]
        case .measureMemory(let target): return [DevToolsCommand("Runtime.getHeapUsage", in: target)]
        case .startMeasuring(let target): return [DevToolsCommand("Performance.enable", in: target)]
        case .measureUse(let target): return [DevToolsCommand("Performance.getMetrics", in: target)]
        case .readBody(let id, let target):
            return [DevToolsCommand("Network.getResponseBody", ["requestId": .string(id)], in: target)]
        case .readCookies:
            return [DevToolsCommand("Storage.getCookies", ["browserContextId": .string(self.browserContext)])]
        case .proceed(let id):
            return [DevToolsCommand("Fetch.continueRequest", ["requestId": .string(id.number)], in: id.target)]
        case .fail(let id, let failure): return [DevToolsTranslator.fail(id, failure)]
        case .answer(let id, let response): return [DevToolsTranslator.answer(id, response)]
        case .capture(let capture, let target): return [DevToolsTranslator.capture(capture, in: target)]
        case .mouse(let step, let x, let y, let target): return [DevToolsTranslator.mouse(step, x, y, in: target)]
        case .touchStart(let x, let y, let target):
            let touch: AdJSON = ["type": "touchStart", "touchPoints": [["x": .double(x), "y": .double(y)]]]
            return [DevToolsCommand("Input.dispatchTouchEvent", touch, in: target)]
        case .touchMove(let x, let y, let target):
            let touch: AdJSON = ["type": "touchMove", "touchPoints": [["x": .double(x), "y": .double(y)]]]
            return [DevToolsCommand("Input.dispatchTouchEvent", touch, in: target)]
        case .touchEnd(let target):
            return [DevToolsCommand("Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": []], in: target)]
        case .wheel(let dx, let dy, let x, let y, let target):
            let params: AdJSON = [
                "type": "mouseWheel", "x": .double(x), "y": .double(y), "deltaX": .double(dx), "deltaY": .double(dy),
            ]
            return [DevToolsCommand("Input.dispatchMouseEvent", params, in: target)]
        case .key(let key, let target): return [DevToolsTranslator.key(key, in: target)]
        }
    }

    /// The context parameter of a world: null for the target's main world; nil if the world does not exist.
    private func number(of world: EngineWorld, in target: EngineTarget) -> AdJSON? {
        switch world {
        case .main: .null
        case .page, .host: self.contexts[world, target].map(AdJSON.int)
        case .hostIfExisting(let frame): self.contexts[.host(frame: frame), target].map(AdJSON.int) ?? .null
        }
    }

    private func evaluate(_ evaluation: EngineEvaluation, in target: EngineTarget) -> [DevToolsCommand] {
        guard let number = self.number(of: evaluation.world, in: target) else { return [] }
        var members: [AdJSON.Member] = [
            .init("expression", .string(evaluation.script)), .init("returnByValue", true), .init("awaitPromise", true),
        ]
        if evaluation.isUserGesture { members.append(.init("userGesture", true)) }
        if evaluation.isSilent { members.append(.init("silent", true)) }
        if number != .null { members.append(.init("contextId", number)) }
        return [DevToolsCommand("Runtime.evaluate", .object(members), in: target)]
    }

    // MARK: Replies

    /// Translates the reply to a command.
    static func reply(_ result: Result<AdJSON, EngineError>, to command: EngineCommand) -> Result<
        EngineReply, EngineError
    > {
        switch result {
        case .failure(let error): .failure(error)
        case .success(let reply): self.reply(reply, to: command)
        }
    }

    private static func reply(_ reply: AdJSON, to command: EngineCommand) -> Result<EngineReply, EngineError> {
        switch command {
        case .load: return reply["errorText"]?.string.map { .failure(.notLoaded($0)) } ?? .success(.done)
        case .createWorld:
            return reply["executionContextId"] == nil
                ? .failure(.refused("it created no isolated world for the host page")) : .success(.done)
        case .evaluate:
            if let details = reply["exceptionDetails"] { return .success(.exception(details.text())) }
            return .success(.value(reply["result"]?["value"] ?? .null))
        case .measureMemory:
            let parts = ["usedSize", "embedderHeapUsedSize", "backingStorageSize"]
            let bytes = parts.reduce(0.0) { $0 + max(0, reply[$1]?.number ?? 0) }
            return .success(.memory(Int(min(bytes, 1e15))))
        case .measureUse: return .success(DevToolsTranslator.use(reply))
        case .readBody: return .success(.body(DevToolsTranslator.body(reply)))
        case .readCookies: return .success(.cookies(DevToolsTranslator.cookies(reply)))
        case .capture:
            return reply["data"]?.string.map { .success(.picture($0)) }
                ?? .failure(.refused("it returned no screenshot"))
        default: return .success(.done)
        }
    }

    // MARK: Events

    /// Translates an event, and tracks the execution contexts; nil if a stage does not need the event.
    mutating func event(_ event: DevToolsEvent) -> EngineEvent? {
        self.kind(event).map { EngineEvent($0, in: event.session) }
    }

    private mutating func kind(_ event: DevToolsEvent) -> EngineEvent.Kind? {
        let params = event.params
        switch event.method {
        case "Runtime.executionContextCreated":
            guard let session = event.session,
                case .host(let frame)? = self.contexts.add(params["context"], in: session)
            else { return nil }
            return .worldCreated(frame: frame)
        case "Runtime.executionContextDestroyed":
            if let session = event.session { self.contexts.remove(params["executionContextId"], in: session) }
            return nil
        case "Runtime.executionContextsCleared":
            if let session = event.session { self.contexts.remove(session) }
            return nil
        case "Runtime.bindingCalled":
            guard let channel = params["name"]?.string.flatMap(EngineChannel.init(rawValue:)),
                let payload = params["payload"]?.string
            else { return nil }
            let number = params["executionContextId"]?.number.flatMap(Int.init(exactly:))
            return .message(EngineMessage(channel, payload, from: self.contexts.world(number, in: event.session)))
        case "Target.detachedFromTarget":
            guard let name = params["sessionId"]?.string else { return nil }
            self.contexts.remove(DevToolsSession(name: name))
            return .detached(DevToolsSession(name: name))
        default: return EngineEvent.Kind(event)
        }
    }
}
