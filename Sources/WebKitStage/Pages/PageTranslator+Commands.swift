import AdCore
import WebStage

// The stage's commands.

extension PageTranslator {
    /// The commands of the helper, the last of which gets the reply; none for a world that does not exist.
    mutating func commands(for command: EngineCommand) -> [WireCommand] {
        switch command {
        case .observe, .observeWorker, .forget, .createWorld, .ping, .throttle, .readBody, .proceed, .close:
            return [.script("ping", self.page)]
        case .emulate(let device, _): return self.emulate(device)
        case .startPictures(let pictures, _):
            let (size, quality) = (pictures.size, pictures.quality)
            return [WireCommand("pictures", self.page, [Int(size.width), Int(size.height), quality].map { "\($0)" })]
        case .stopPictures: return [WireCommand("pictures", self.page, ["0", "0", "0"])]
        case .acknowledgePicture(let number, _): return [WireCommand("acknowledge", self.page, ["\(number)"])]
        case .resume(let target): return self.resume(target)
        case .refuse(let target): return self.refuse(target)
        case .terminate: return [WireCommand("terminate", self.page)]
        case .load(let url, _): return [WireCommand("load", self.page, [url])]
        case .setScreen(let size, _): return self.setScreen(size)
        case .setUserAgent(let name, _): return [WireCommand("agent", self.page, [name])]
        case .dismissDialog: return [WireCommand("dismiss", self.page)]
        case .addChannel(let channel, let target):
            return self.addChannel(channel.rawValue, isHost: channel.isHost, in: target)
        case .addScript(let script, let target): return self.addScript(script, in: target)
        case .evaluate(let evaluation, let target): return self.evaluate(evaluation, in: target)
        case .call(let function, let argument, let world, let target):
            return self.place(of: world, in: target).map { .script("call", self.page, $0 + [function, argument]) }
                .map { [$0] } ?? []
        case .measureMemory, .startMeasuring, .measureUse: return [.script("measure", self.page)]
        case .readCookies: return [WireCommand("cookies", self.page)]
        case .fail(let id, _): return [WireCommand("fail", self.page, [id.number])]
        case .answer(let id, let response): return [self.answer(id.number, response)]
        case .capture(let capture, _): return [self.capture(capture)]
        case .mouse, .touchStart, .touchMove, .touchEnd, .wheel, .key: return self.input(command)
        }
    }

    // MARK: The device

    private mutating func setScreen(_ size: Size) -> [WireCommand] {
        self.screen = size
        let sides = [size.width, size.height].map { "\(Int($0.rounded(.up)))" }
        return self.describeDevice() + [WireCommand("screen", self.page, sides)]
    }

    private mutating func emulate(_ device: EngineDevice) -> [WireCommand] {
        self.device = device
        return [WireCommand("agent", self.page, [device.userAgent])] + self.describeDevice()
    }

    /// Tells all documents about the device; later ones run the script by themselves.
    private func describeDevice() -> [WireCommand] {
        let script = PageScripts.device(self.device, screen: self.screen)
        return self.frames.frames.keys.sorted().map {
            .script("evaluate", self.page, ["\($0)", "page", script])
        }
    }

    // MARK: Scripts

    private mutating func addChannel(_ name: String, isHost: Bool, in target: EngineTarget) -> [WireCommand] {
        let world = isHost ? "host" : "page"
        self.frames.change(target) { $0.fields += ["channel", world, name] }
        guard let frame = self.frames.frame(of: target), self.frames.frames[frame]?.setup.isResumed == true else {
            return [.script("ping", self.page)]
        }
        return [.script("channel", self.page, ["\(frame)", world, name])]
    }

    private mutating func addScript(_ script: EngineScript, in target: EngineTarget) -> [WireCommand] {
        let world = script.isHost ? "host" : "page"
        self.frames.change(target) { $0.fields += ["script", world, script.source] }
        guard script.runsNow, let frame = self.frames.frame(of: target) else { return [.script("ping", self.page)] }
        return [.script("evaluate", self.page, ["\(frame)", world, script.source])]
    }

    /// The frame and the name of a world; nil if it does not exist.
    private func place(of world: EngineWorld, in target: EngineTarget) -> [String]? {
        switch world {
        case .main: self.frames.frame(of: target).map { ["\($0)", "page"] }
        case .page(let name): self.frames.identifier(of: name).map { ["\($0)", "page"] }
        case .host(let name), .hostIfExisting(let name): self.frames.identifier(of: name).map { ["\($0)", "host"] }
        }
    }

    private func evaluate(_ evaluation: EngineEvaluation, in target: EngineTarget) -> [WireCommand] {
        guard let place = self.place(of: evaluation.world, in: target) else { return [] }
        // Only WebKit's own process can give a document a user's activation, and only the main frame.
        if evaluation.isUserGesture, place[0] == self.frames.main.map({ "\($0)" }), place[1] == "host" {
            return [WireCommand("run", self.page, [evaluation.script])]
        }
        return [.script("evaluate", self.page, place + [evaluation.script])]
    }

    // MARK: Requests and pictures

    mutating func answer(_ number: String, _ response: EngineResponse) -> WireCommand {
        self.followRedirect(response, to: number)
        return self.command(number, response)
    }

    /// The command that answers a request.
    func command(_ number: String, _ response: EngineResponse) -> WireCommand {
        var command = WireCommand("answer", self.page, [number, "\(response.status)"])
        command.fields.append(response.body ?? [])
        command.fields += response.headers.flatMap { [Array($0.name.utf8), Array($0.value.utf8)] }
        return command
    }

    private func capture(_ capture: EngineCapture) -> WireCommand {
        let (origin, size) = (capture.origin, capture.clip ?? Size(width: 0, height: 0))
        let box = [origin.x.rounded(.down), origin.y.rounded(.down), size.width.rounded(.up), size.height.rounded(.up)]
        return WireCommand("capture", self.page, box.map { "\(Int($0))" } + [capture.format.rawValue])
    }

    // MARK: Input

    private mutating func input(_ command: EngineCommand) -> [WireCommand] {
        switch command {
        case .mouse(let step, let x, let y, _):
            let names: [EngineMouse: String] = [.move: "move", .press: "press", .release: "release", .drag: "drag"]
            let move = WireCommand("mouse", self.page, ["move", "\(x)", "\(y)"])
            let event = WireCommand("mouse", self.page, [names[step] ?? "move", "\(x)", "\(y)"])
            // The element under the mouse is that of the last move.
            return step == .press ? [move, event] : [event]
        case .touchStart(let x, let y, _): return self.touch("start", ScreenPoint(x: x, y: y))
        case .touchMove(let x, let y, _): return self.touch("move", ScreenPoint(x: x, y: y))
        case .touchEnd: return self.touch("end", self.finger)
        case .wheel(let dx, let dy, let x, let y, _):
            let fields = [dx, dy, x, y].map { "\($0)" }
            return [WireCommand("wheel", self.page, fields)]
        case .key(let key, _):
            let fields = [key.isDown ? "down" : "up", key.key, key.text, "\(key.modifiers)"]
            return [WireCommand("key", self.page, fields)]
        default: return []
        }
    }

    private mutating func touch(_ kind: String, _ place: ScreenPoint) -> [WireCommand] {
        self.finger = place
        return [WireCommand("touch", self.page, [kind, "\(place.x)", "\(place.y)"])]
    }

    // MARK: Replies

    /// Translates the reply to a command.
    func reply(_ result: Result<WireReply, EngineError>, to command: EngineCommand) -> Result<EngineReply, EngineError>
    {
        switch (result, command) {
        case (.failure(.refused(let reason)), .load): .failure(.notLoaded(reason))
        case (.failure(let error), _): .failure(error)
        case (.success(let reply), .evaluate):
            reply.kind == "exception"
                ? .success(.exception(reply.text)) : .success(.value((try? AdJSON(parsing: reply.text)) ?? .null))
        case (.success(let reply), .capture): .success(.picture(Base64.text(reply.content)))
        case (.success(let reply), .measureMemory): .success(.memory(Use(reply).memory))
        case (.success(let reply), .measureUse): .success(.use(processor: Use(reply).processor))
        case (.success(let reply), .readCookies): .success(.cookies(PageTranslator.cookies(reply.text)))
        case (.success, .readBody(let id, _)): .success(.body(self.images[id] ?? []))
        case (.success, _): .success(.done)
        }
    }

    /// The first cookies in the order of their names.
    private static func cookies(_ list: String) -> [String] {
        let names = list.split(separator: "\n").prefix(1_000).map { line -> String in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(String(parts[0]).excerpt(100)) of \((parts.last ?? "").drop { $0 == "." }.prefix(200))"
        }
        return Array(Set(names).sorted().prefix(50))
    }
}

/// What a page's process has used since its start.
struct Use: Hashable, Sendable {
    let processor: Duration
    /// The memory in bytes, with that of WebKit itself.
    let memory: Int

    init(_ reply: WireReply) {
        let figures = reply.text.split(separator: " ").map { Int($0) ?? 0 }
        self.processor = .microseconds(figures.first ?? 0)
        self.memory = figures.count > 1 ? figures[1] : 0
    }
}
