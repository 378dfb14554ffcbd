import AdCore

/// Something of a page that has a process or a thread of its own: the page, a frame of another site, a worker.
///
/// An engine without such a division has one target, the page.
package struct EngineTarget: Hashable, Sendable {
    /// The engine's name for it.
    package let name: String

    package init(name: String) { self.name = name }
}

/// A target that has just been created, and runs nothing until `EngineCommand.resume`.
package struct AttachedTarget: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case frame, worker, serviceWorker
        /// A window, or another kind that the engine names.
        case other(String)
    }

    package let kind: Kind
    package let target: EngineTarget
    /// The engine's identifier of what the target runs; for a frame, the frame's identifier.
    package let id: String
    package let url: String

    package init(_ kind: Kind, _ target: EngineTarget, id: String, url: String) {
        self.kind = kind
        self.target = target
        self.id = id
        self.url = url
    }

    /// Whether its document exists already, as that of a frame that is part of the page around it (`srcdoc`) does: no new
    /// document will be created in it.
    var hasDocument: Bool { !self.url.isEmpty }

    /// Sets it up and lets it run.
    func start(_ setup: [StageOutput]) -> [StageOutput] { setup + [.send(.resume(self.target))] }

    /// Sets it up as a worker and lets it run.
    var startAsWorker: [StageOutput] { self.start([.send(.observeWorker(self.target))]) }

    /// Ends it before it runs.
    var ending: StageOutput { .send(.close(id: self.id)) }

    /// Ends it before it runs, and reports that.
    var refusal: [StageOutput] {
        let kind =
            switch self.kind {
            case .frame: "frame"
            case .worker: "worker"
            case .serviceWorker: "service worker"
            case .other(let type): type
            }
        let text = "\(kind) \(Redaction.address(self.url.excerpt(500)))"
        return [self.ending, .report(.blocked(BlockedAttempt(.popup, text)))]
    }
}
