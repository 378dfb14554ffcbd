import AdCore
import EngineSupport
import WebStage

/// Translates between one page's stage and the messages of the helper.
struct PageTranslator: Sendable {
    /// What follows from a message of the helper.
    enum Action: Hashable, Sendable {
        case event(EngineEvent)
        case send(WireCommand)
        /// A new frame waits for the stage: without `resume` it is emptied.
        case expectResume(EngineTarget)
    }

    let page: Int
    var frames: FrameTargets
    var loads = DocumentLoads()
    /// The requests that are not answered yet.
    var requests: [String: EngineRequest] = [:]
    var images = ImageBodies()
    /// The simulated device; nil for the engine's own.
    var device: EngineDevice?
    /// The size of the page's screen.
    var screen = Size(width: 390, height: 844)
    /// Whether the page itself was loaded with TLS.
    var isSecure = false
    /// Whether it is the page around a creative.
    var isHostPage = false
    /// The error that a frame's script was told of, until WebKit reports its text; nil for none.
    var failing: FailingScript?
    /// Whether the last navigation is a user's; WebKit may refuse it when it has been decided on.
    var isUsersNavigation = false
    /// Where the finger is.
    var finger = ScreenPoint(x: 0, y: 0)

    init(page: Int) {
        self.page = page
        self.frames = FrameTargets(page: page, first: PageScripts.setup)
    }

    var target: EngineTarget { self.frames.pageTarget }

    // MARK: Messages

    /// Handles a message; the second field is the page.
    mutating func handle(_ message: WireMessage) -> [Action] {
        switch message.name {
        case "document": return self.handleDocument(message)
        case "world":
            guard self.frames.isCurrent(message.integer(3), in: message.integer(2)) else { return [] }
            return self.event(.worldCreated(frame: self.frames.name(of: message.integer(2))), in: message.integer(2))
        case "removed":
            return self.frames.remove(message.integer(2)).map { [.event(EngineEvent(.detached($0), in: nil))] } ?? []
        case "message": return self.handleScript(message)
        case "log": return self.handleLog(message)
        case "request": return self.handleRequest(message)
        case "cancelled": return self.finish(message.text(2), .cancelled)
        case "navigation":
            self.isUsersNavigation = message.text(3) == "1"
            let kind = EngineEvent.Kind.navigationRequested(
                url: message.text(2),
                frame: nil,
                gesture: message.text(3) == "1",
                byPage: message.text(3) == "1"
            )
            return [.event(EngineEvent(kind, in: nil))]
        case "window":
            let gesture = message.text(3) == "1"
            return [
                .event(EngineEvent(.windowRequested(url: message.text(2), frame: nil, gesture: gesture), in: nil))
            ]
        case "dialog":
            return [.event(EngineEvent(.dialogOpened(kind: message.text(2), text: message.text(3)), in: self.target))]
        case "picture":
            let picture = EnginePicture(number: message.integer(2), data: Base64.text(message.bytes(3)))
            return [.event(EngineEvent(.picture(picture), in: self.target))]
        case "download": return [.event(EngineEvent(.downloadRequested(url: message.text(2)), in: nil))]
        case "crashed": return self.handleCrash()
        default: return []
        }
    }

    /// The page's process has ended: that of the creative, too, which is the reason.
    private mutating func handleCrash() -> [Action] {
        let creative = self.isHostPage ? self.frames.firstChild : nil
        let lost = self.frames.removeAll().map { Action.event(EngineEvent(.detached($0), in: nil)) }
        func crashed(_ target: EngineTarget) -> Action { .event(EngineEvent(.crashed, in: target)) }
        return (creative.map { [crashed($0)] } ?? []) + lost + [crashed(self.target)]
    }

    private func event(_ kind: EngineEvent.Kind, in frame: Int) -> [Action] {
        self.frames.target(of: frame).map { [.event(EngineEvent(kind, in: $0))] } ?? []
    }

    // MARK: Documents

    /// A frame has a new document: frame, document, address, place.
    ///
    /// It waits for its scripts.
    private mutating func handleDocument(_ message: WireMessage) -> [Action] {
        let (frame, document, place) = (message.integer(2), message.integer(3), message.text(5))
        // A frame of the host page is a target from its first own document on, as in engines with a process for each
        // site; its empty document needs no scripts, because no other page can reach it.
        if self.isHostPage, self.frames.isNewChild(frame, at: place), ["about:blank", ""].contains(message.text(4)) {
            return [.send(.script("document", self.page, ["\(document)"]))]
        }
        let found = self.loads.take(url: message.text(4), frame: frame)
        if let found, found.frame == nil { self.frames.add(frame, requestedBy: found.request) }
        let load = found?.request
        let isNew = self.frames.add(document: document, load, in: frame, at: place)
        if self.frames.frames[frame]?.setup.isRefused == true { return [.send(self.empty(document))] }
        guard let target = self.frames.target(of: frame) else { return [] }
        if target == self.target {
            self.isSecure = message.text(4).hasPrefix("https:")
            self.isHostPage = StageDomain.hostPage.contains(message.text(4))
        }
        var actions: [Action] = []
        if isNew {
            let attached = AttachedTarget(.frame, target, id: self.frames.name(of: frame), url: "")
            actions.append(.event(EngineEvent(.attached(attached), in: self.frames.parent(at: place))))
        }
        let name = self.frames.name(of: frame)
        let committed = EngineDocument(frame: name, load: load, url: message.text(4), isErrorPage: false)
        actions.append(.event(EngineEvent(.committed(committed), in: target)))
        if self.frames.frames[frame]?.setup.isResumed == true {
            return actions + self.setUp(document, in: frame).map(Action.send)
        }
        self.frames.change(target) { $0.waiting = document }
        return actions + [.expectResume(target)]
    }

    /// Sends the scripts of a document.
    private func setUp(_ document: Int, in frame: Int) -> [WireCommand] {
        let device = ["script", "page", PageScripts.device(self.device, screen: self.screen)]
        let fields = self.frames.frames[frame]?.setup.fields ?? []
        return [.script("document", self.page, ["\(document)"] + device + fields)]
    }

    /// Lets the documents of a target run.
    mutating func resume(_ target: EngineTarget) -> [WireCommand] {
        guard let frame = self.frames.frame(of: target), let setup = self.frames.frames[frame]?.setup else { return [] }
        self.frames.change(target) { ($0.isResumed, $0.waiting) = (true, nil) }
        return setup.waiting.map { self.setUp($0, in: frame) } ?? []
    }

    /// Empties a frame that the stage has not resumed; the whole page waits for it.
    mutating func giveUp(_ target: EngineTarget) -> [WireCommand] {
        guard let frame = self.frames.frame(of: target), let document = self.frames.frames[frame]?.setup.waiting else {
            return []
        }
        self.frames.change(target) { $0.waiting = nil }
        return [self.empty(document)]
    }

    /// Empties a frame that waits for the stage, and all its later documents.
    mutating func refuse(_ target: EngineTarget) -> [WireCommand] {
        self.frames.change(target) { $0.isRefused = true }
        return self.giveUp(target)
    }

    private func empty(_ document: Int) -> WireCommand {
        // Nothing writes to it: no frame of a sandboxed creative has the origin of another.
        let script = "stop(); document.open(); document.close()"
        return .script("document", self.page, ["\(document)", "script", "page", script])
    }

    // MARK: Scripts

    /// A message of a script: frame, document, world, channel, payload.
    private mutating func handleScript(_ message: WireMessage) -> [Action] {
        let (frame, document) = (message.integer(2), message.integer(3))
        guard let target = self.frames.target(of: frame) else { return [] }
        let isHost = message.text(4) == "host"
        let name = message.text(5)
        if name == PageScripts.channel, isHost {
            guard self.frames.isCurrent(document, in: frame), let json = try? AdJSON(parsing: message.bytes(6)) else {
                return []
            }
            if json["k"]?.string == "error" {
                self.failing = FailingScript(target: target, place: json)
                return []
            }
            let (known, id, isMain) = (self.frames.frames[frame], self.frames.name(of: frame), target == self.target)
            return PageScripts.events(json, known, called: id, isMain: isMain).map {
                .event(EngineEvent($0, in: target))
            }
        }
        if name == PageScripts.consoleChannel, !isHost {
            return PageScripts.consoleEvent(message.text(6)).map { self.event($0, in: frame) } ?? []
        }
        guard let channel = EngineChannel(rawValue: name), channel.isHost == isHost else { return [] }
        let id = self.frames.name(of: frame)
        let world = isHost ? EngineWorld.host(frame: id) : .page(frame: id)
        let sender = self.frames.isCurrent(document, in: frame) ? world : nil
        return [.event(EngineEvent(.message(EngineMessage(channel, message.text(6), from: sender)), in: target))]
    }

    /// An entry of WebKit's console: text, address, line, and whether it is about a script.
    ///
    /// The frame's script was told of an error just before (HTML Living Standard, "Report an exception"). An error that
    /// the page has handled has no entry.
    private mutating func handleLog(_ message: WireMessage) -> [Action] {
        let text = message.text(2)
        if let attempt = EngineLogEntry.attempt(text) {
            // The stage has decided on that navigation already.
            defer { self.isUsersNavigation = false }
            if attempt.kind == .navigation, self.isUsersNavigation { return [] }
            return [.event(EngineEvent(.attemptBlocked(attempt), in: nil))]
        }
        if let refused = self.refusedPort(text) { return refused }
        if let url = PageScripts.blockedWindow(text) {
            return [.event(EngineEvent(.windowRequested(url: url, frame: nil, gesture: nil), in: nil))]
        }
        guard message.text(5) == "1", let error = PageScripts.error(message, toldOf: self.failing) else { return [] }
        let target = self.failing?.target ?? self.frames.firstChild ?? self.target
        self.failing = nil
        return [.event(EngineEvent(.scriptError(error), in: target))]
    }
}

/// An error as a frame's script was told of it.
struct FailingScript: Hashable, Sendable {
    let target: EngineTarget
    /// Its place, which is empty in a sandboxed frame.
    let place: AdJSON
}
