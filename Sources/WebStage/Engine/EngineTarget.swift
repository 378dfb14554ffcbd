import AdCore

/// A part of a page with a process or thread of its own: the page, a cross-site frame, a worker.
///
/// An engine without process isolation has one target, the page.
package struct EngineTarget: Hashable, Sendable {
    /// The engine's identifier.
    package let name: String

    package init(name: String) { self.name = name }
}

/// A target that was just created and is held until `EngineCommand.resume`.
package struct AttachedTarget: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case frame, worker, serviceWorker
        /// A window, or another kind; the engine's name.
        case other(String)
    }

    package let kind: Kind
    package let target: EngineTarget
    /// The engine's identifier of the target's content; for a frame, the frame's identifier.
    package let id: String
    package let url: String

    package init(_ kind: Kind, _ target: EngineTarget, id: String, url: String) {
        self.kind = kind
        self.target = target
        self.id = id
        self.url = url
    }

    /// Whether its document exists already, as with `srcdoc`: scripts for new documents would not run in it.
    var hasDocument: Bool { !self.url.isEmpty }

    /// Sets it up and resumes it.
    func start(_ setup: [StageOutput]) -> [StageOutput] { setup + [.send(.resume(self.target))] }

    /// Sets it up as a worker and resumes it.
    var startAsWorker: [StageOutput] { self.start([.send(.observeWorker(self.target))]) }

    /// Closes it before it runs.
    var ending: StageOutput { .send(.close(id: self.id)) }

    /// Closes it before it runs, and reports that.
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
