import AdCore
import WebStage

// The stage's commands.

extension PageTranslator {
    /// Executes a command of the stage.
    mutating func execute(_ command: EngineCommand) -> Step {
        switch command {
        case .resume(let target): return self.resume(target)
        case .terminate: return self.end()
        // The reply follows when the document has begun.
        case .load(let url, _): return Step(calls: [self.injection, .load(StageScheme.engineURL(url))], reply: nil)
        case .setScreen(let size, _): return Step(calls: [.resize(size)])
        case .setUserAgent(let name, _): return Step(calls: [.setUserAgent(name)])
        case .addChannel(let channel, let target): return self.add(channel, to: target)
        case .addScript(let script, let target): return self.add(script, to: target)
        case .evaluate(let evaluation, let target):
            guard let (frame, isHost) = self.world(evaluation.world, in: target) else { return self.missing }
            return self.run(WebScript(evaluating: evaluation.script, in: frame, isHost: isHost))
        case .call(let function, let argument, let world, let target):
            guard let (frame, isHost) = self.world(world, in: target) else { return self.missing }
            guard !isHost, frame != PageFrames.main, let name = WebScript.forwarded(function) else {
                return self.run(WebScript(calling: function, argument, in: frame, isHost: isHost))
            }
            let text: AdJSON = ["name": .string(name), "argument": .string(argument)]
            return Step(calls: [.ask(frame: frame, isHost: false, text.text())])
        case .ping(let target), .measureMemory(let target):
            return self.ping(target)
        case .proceed(let id): return self.proceed(id)
        case .fail(let id, _): return self.fail(id)
        case .answer(let id, let response): return self.answer(id, response)
        case .capture(let capture, _):
            guard capture.format == .png else { return self.unsupported("a picture in another format than PNG") }
            return Step(calls: [.capture(capture)], reply: nil)
        default: return self.executeOther(command)
        }
    }

    /// Commands that need nothing here, and those that WKWebView has no way for.
    private func executeOther(_ command: EngineCommand) -> Step {
        switch command {
        case .readBody: Step(reply: .success(.body([])))
        case .readCookies: Step(reply: .success(.cookies([])))
        case .measureUse: self.unsupported("the processor time of a page")
        case .emulate, .throttle: self.unsupported("a simulated device or network")
        case .startPictures: self.unsupported("a stream of pictures")
        case .mouse, .touchStart, .touchMove, .touchEnd, .wheel, .key: self.unsupported("input by a program")
        default: Step()
        }
    }

    private func unsupported(_ what: String) -> Step {
        Step(reply: .failure(.refused("WKWebView does not have \(what)")))
    }

    private var missing: Step { Step(reply: .failure(.refused("the JavaScript world does not exist"))) }

    private func run(_ script: WebScript) -> Step {
        self.hasEnded ? Step(reply: .failure(.refused("the page has ended"))) : Step(calls: [.run(script)], reply: nil)
    }

    /// The frame of a world, and whether it is the host's; nil if there is none.
    private func world(_ world: EngineWorld, in target: EngineTarget) -> (frame: String, isHost: Bool)? {
        let found: (frame: String, isHost: Bool)? =
            switch world {
            case .main: self.frames.frame(of: target).map { ($0.id, false) }
            case .page(let frame): (frame, false)
            case .host(let frame), .hostIfExisting(let frame): (frame, true)
            }
        guard let found, found.frame == PageFrames.main || self.frames[found.frame]?.place != nil else { return nil }
        return found
    }

    /// Asks a document for an answer from its main thread.
    private mutating func ping(_ target: EngineTarget) -> Step {
        guard let frame = self.frames.frame(of: target) else { return self.missing }
        // The host page has no scripts that an activation could help, and an empty one has none that answers.
        if frame.id == PageFrames.main, frame.place == nil || StageScheme.isOwn(frame.url) {
            return self.run(WebScript(evaluating: "0", in: frame.id, isHost: true))
        }
        guard frame.place != nil, !self.hasEnded else { return self.missing }
        return Step(calls: [.ask(frame: frame.id, isHost: true, self.number())], reply: nil)
    }

    // MARK: Scripts

    private mutating func add(_ channel: EngineChannel, to target: EngineTarget) -> Step {
        guard let frame = self.frames.frame(of: target) else { return Step() }
        self.frames.change(frame.id) { $0.setup.channels.append(channel) }
        guard frame.place != nil, self.isOwn(frame) else { return Step(calls: [self.injection]) }
        // Its document has begun already.
        let script = self.scripts.channelScript([channel.rawValue])
        return Step(calls: [
            self.injection, .run(WebScript(evaluating: script, in: frame.id, isHost: channel.isHost)),
        ])
    }

    private mutating func add(_ script: EngineScript, to target: EngineTarget) -> Step {
        guard let frame = self.frames.frame(of: target) else { return Step() }
        let own = PageSetup.Script(source: script.source, isHost: script.isHost)
        self.frames.change(frame.id) { $0.setup.scripts.append(own) }
        guard script.runsNow, frame.place != nil else { return Step(calls: [self.injection]) }
        let run = WebScript(evaluating: script.source, in: frame.id, isHost: script.isHost)
        return Step(calls: [self.injection, .run(run)])
    }

    /// Whether a frame's scripts are its own: a frame inside of an ad's own has had that frame's.
    private func isOwn(_ frame: PageFrames.Frame) -> Bool { (frame.place?.depth ?? 0) < 2 }

    // MARK: Replies

    /// The reply to a command whose last call has this result.
    func reply(_ result: WebResult, to command: EngineCommand) -> Result<EngineReply, EngineError> {
        switch (result, command) {
        case (.failed(let reason), .load): .failure(.notLoaded(reason))
        case (.failed(let reason), _): .failure(.refused(reason))
        case (.text(let text), .evaluate): .success(WebScript.reply(text))
        case (.text, .measureMemory): .success(.memory(0))
        case (.picture(let data), .capture): .success(.picture(data))
        default: .success(.done)
        }
    }
}

/// The result of a call.
enum WebResult: Hashable, Sendable {
    case done
    /// The JSON that a script has returned.
    case text(String)
    /// A picture, base64-encoded.
    case picture(String)
    case failed(String)
}
