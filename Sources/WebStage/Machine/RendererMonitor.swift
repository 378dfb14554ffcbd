import AdCore

/// Whether what is shown still answers, and how much memory it takes: each target is asked every two seconds.
struct RendererMonitor: Hashable, Sendable {
    /// What a reply means.
    enum Finding: Hashable, Sendable {
        case well([StageOutput])
        /// It can't be left as it is; what is wrong, as in "takes 600 MB".
        case ill(String)
    }

    /// How often each target is asked.
    static let interval = Duration.seconds(2)
    /// How long it has for the reply.
    static let timeout = Duration.seconds(5)
    /// The most memory that a target may take, in bytes; phones end pages far below it.
    static let memoryLimit = 512 << 20

    private var watched: Set<EngineTarget> = []
    private var ill: Set<EngineTarget> = []

    /// Asks a target from now on.
    mutating func watch(_ target: EngineTarget) -> [StageOutput] {
        guard !self.ill.contains(target), self.watched.insert(target).inserted else { return [] }
        return [.setAlarm(.monitor(target), after: RendererMonitor.interval)]
    }

    /// Asks a target again although it did not answer: what kept it from answering was ended.
    mutating func watchAgain(_ target: EngineTarget) -> [StageOutput] {
        self.ill.remove(target)
        return self.watch(target)
    }

    /// A target is gone.
    mutating func forget(_ target: EngineTarget) { self.watched.remove(target) }

    /// Whether a target was ended by us.
    func hasEnded(_ target: EngineTarget?) -> Bool { target.map(self.ill.contains) ?? false }

    /// It is time to ask: the target's main thread replies.
    func query(_ target: EngineTarget) -> [StageOutput] {
        guard self.watched.contains(target) else { return [] }
        return [.query(.measureMemory(target), .monitor(target), within: RendererMonitor.timeout)]
    }

    /// Handles the reply.
    mutating func handle(_ reply: Result<EngineReply, EngineFault>, of target: EngineTarget) -> Finding {
        guard self.watched.contains(target) else { return .well([]) }
        let illness: String?
        switch reply {
        case .success(.memory(let bytes)): illness = RendererMonitor.excess(bytes).map { "takes \($0)" }
        case .failure(.late): illness = "does not answer any more"
        // It may have changed its process.
        case .success, .failure: illness = nil
        }
        guard let illness else { return .well([.setAlarm(.monitor(target), after: RendererMonitor.interval)]) }
        self.watched.remove(target)
        self.ill.insert(target)
        return .ill(illness)
    }

    /// How much too much memory that is; nil where it is not too much.
    static func excess(_ bytes: Int) -> String? {
        guard bytes > RendererMonitor.memoryLimit else { return nil }
        return "\(bytes >> 20) MB of memory, and \(RendererMonitor.memoryLimit >> 20) are the most"
    }

    /// Ends the process of a target that would take everything there is.
    static func end(_ target: EngineTarget) -> StageOutput { .send(.terminate(target)) }

    /// A frame inside of what is shown was ended, or has ended: what is around it goes on.
    static func frameEnded(_ reason: String) -> StageOutput {
        .report(.blocked(BlockedAttempt(.other, "a frame within \(reason)")))
    }
}
