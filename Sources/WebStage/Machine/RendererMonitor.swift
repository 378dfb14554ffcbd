import AdCore

/// Checks every two seconds whether each target still answers, and how much memory it uses.
struct RendererMonitor: Hashable, Sendable {
    /// The result of a check.
    enum Health: Hashable, Sendable {
        case healthy([StageOutput])
        /// The target has to be ended; the problem, as in "uses 600 MB of memory".
        case unhealthy(String)
    }

    /// The time between two checks of a target.
    static let interval = Duration.seconds(2)
    /// How long a reply may take.
    static let timeout = Duration.seconds(5)
    /// The maximum memory of a target, in bytes; phones end pages far below it.
    static let memoryLimit = 512 << 20

    private var watched: Set<EngineTarget> = []
    private var ended: Set<EngineTarget> = []

    /// Starts the checks of a target.
    mutating func watch(_ target: EngineTarget) -> [StageOutput] {
        guard !self.ended.contains(target), self.watched.insert(target).inserted else { return [] }
        return [.setAlarm(.monitor(target), after: RendererMonitor.interval)]
    }

    /// Resumes the checks of a target that did not answer, because the process that kept it busy was ended.
    mutating func watchAgain(_ target: EngineTarget) -> [StageOutput] {
        self.ended.remove(target)
        return self.watch(target)
    }

    /// Stops the checks of a target that was removed.
    mutating func forget(_ target: EngineTarget) { self.watched.remove(target) }

    /// Whether the stage has ended no target.
    var hasEndedNone: Bool { self.ended.isEmpty }

    /// Whether the stage has ended a target.
    func hasEnded(_ target: EngineTarget?) -> Bool { target.map(self.ended.contains) ?? false }

    /// Starts a check that is due; the target's main thread replies.
    func query(_ target: EngineTarget) -> [StageOutput] {
        guard self.watched.contains(target) else { return [] }
        return [.query(.measureMemory(target), .monitor(target), within: RendererMonitor.timeout)]
    }

    /// Handles the reply of a target.
    mutating func handle(_ reply: Result<EngineReply, EngineError>, of target: EngineTarget) -> Health {
        guard self.watched.contains(target) else { return .healthy([]) }
        let problem: String?
        switch reply {
        case .success(.memory(let bytes)): problem = RendererMonitor.excess(bytes).map { "uses \($0)" }
        case .failure(.late): problem = "does not answer any more"
        // A failure can mean that the target has changed its process.
        case .success, .failure: problem = nil
        }
        guard let problem else { return .healthy([.setAlarm(.monitor(target), after: RendererMonitor.interval)]) }
        self.watched.remove(target)
        self.ended.insert(target)
        return .unhealthy(problem)
    }

    /// The description of excessive memory; nil within the limit.
    static func excess(_ bytes: Int) -> String? {
        guard bytes > RendererMonitor.memoryLimit else { return nil }
        return "\(bytes >> 20) MB of memory; the limit is \(RendererMonitor.memoryLimit >> 20) MB"
    }

    /// Ends the process of a target.
    static func end(_ target: EngineTarget) -> StageOutput { .send(.terminate(target)) }

    /// Reports that a nested frame has ended, while the page around it continues.
    static func frameEnded(_ reason: String) -> StageOutput {
        .report(.blocked(BlockedAttempt(.other, "a nested frame \(reason)")))
    }
}
