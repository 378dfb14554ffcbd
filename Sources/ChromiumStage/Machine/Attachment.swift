import AdCore

/// Something of a creative that has a process of its own now, and waits until it is told to go on.
struct Attachment: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case frame, worker, serviceWorker
        /// A window, or what else there may be.
        case other(String)
    }

    let kind: Kind
    let session: DevToolsSession
    /// What it is called in the browser; a frame's own number, where it is one.
    let target: String
    private let url: String

    init?(_ event: DevToolsEvent) {
        guard let name = event.params["sessionId"]?.string, let info = event.params["targetInfo"],
            let target = info["targetId"]?.string
        else { return nil }
        self.session = DevToolsSession(name: name)
        self.target = target
        self.url = info["url"]?.string ?? ""
        switch info["type"]?.string {
        case "iframe": self.kind = .frame
        case "worker", "shared_worker": self.kind = .worker
        case "service_worker": self.kind = .serviceWorker
        case let type: self.kind = .other(type ?? "window")
        }
    }

    /// Whether its document is there already, as one is that came with the page around it (`srcdoc`): no new one will come.
    var hasDocument: Bool { !self.url.isEmpty }

    /// It goes on when it was told all this.
    func begin(_ arming: [StageOutput]) -> [StageOutput] {
        [.listen(self.session)] + arming + [SessionArming.goOn(self.session)]
    }

    /// It goes on as a worker.
    var asWorker: [StageOutput] { self.begin(SessionArming.worker(self.session)) }

    /// It ends before it begins.
    var ending: StageOutput { .say(DevToolsCommand("Target.closeTarget", ["targetId": .string(self.target)])) }

    /// It ends before it begins, and that is told.
    var refusal: [StageOutput] {
        let kind =
            switch self.kind {
            case .frame: "frame"
            case .worker: "worker"
            case .serviceWorker: "service worker"
            case .other(let type): type
            }
        let words = "\(kind) \(Redaction.address(self.url.excerpt(500)))"
        return [self.ending, .report(.blocked(BlockedAttempt(.popup, words)))]
    }

    /// Whose session has ended; nil where the event says nothing of that.
    static func detached(_ event: DevToolsEvent) -> DevToolsSession? {
        guard event.method == "Target.detachedFromTarget" else { return nil }
        return event.params["sessionId"]?.string.map(DevToolsSession.init(name:))
    }
}
