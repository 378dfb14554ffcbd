import AdCore

/// Whether what is shown still answers, and how much memory it takes: each of its frames with a process is asked.
struct Pulse: Hashable, Sendable {
    /// What an answer means.
    enum Finding: Hashable, Sendable {
        case well([StageOutput])
        /// It can't be left as it is; what is wrong with it, as in "takes 600 MB".
        case ill(String)
    }

    /// How often each is asked.
    static let pause = Duration.seconds(2)
    /// How long it has for the answer.
    static let silence = Duration.seconds(5)
    /// The most memory that one may take, in bytes; phones end pages far below it.
    static let most = 512 << 20

    private var watched: Set<DevToolsSession> = []
    private var ill: Set<DevToolsSession> = []

    /// Asks it from now on, again and again.
    mutating func watch(_ session: DevToolsSession) -> [StageOutput] {
        guard !self.ill.contains(session), self.watched.insert(session).inserted else { return [] }
        return [.setAlarm(.pulse(session), after: Pulse.pause)]
    }

    /// Asks it again although it did not answer: what kept it from answering was ended.
    mutating func watchAgain(_ session: DevToolsSession) -> [StageOutput] {
        self.ill.remove(session)
        return self.watch(session)
    }

    /// It is over.
    mutating func forget(_ session: DevToolsSession) { self.watched.remove(session) }

    /// Whether it was ended by us.
    func hasEnded(_ session: DevToolsSession?) -> Bool { session.map(self.ill.contains) ?? false }

    /// It is time to ask: the page's own thread answers.
    func wake(_ session: DevToolsSession) -> [StageOutput] {
        guard self.watched.contains(session) else { return [] }
        return [.ask(DevToolsCommand("Runtime.getHeapUsage", in: session), .pulse(session), within: Pulse.silence)]
    }

    /// Takes the answer.
    mutating func take(_ answer: Result<JSON, DevToolsFault>, of session: DevToolsSession) -> Finding {
        guard self.watched.contains(session) else { return .well([]) }
        let illness: String?
        switch answer {
        case .success(let usage): illness = Pulse.excess(usage).map { "takes \($0)" }
        case .failure(.late): illness = "does not answer any more"
        // It may have changed its process.
        case .failure: illness = nil
        }
        guard let illness else { return .well([.setAlarm(.pulse(session), after: Pulse.pause)]) }
        self.watched.remove(session)
        self.ill.insert(session)
        return .ill(illness)
    }

    /// How much too much it takes, in words; nil where it does not.
    static func excess(_ usage: JSON) -> String? {
        let parts = ["usedSize", "embedderHeapUsedSize", "backingStorageSize"]
        let bytes = parts.reduce(0.0) { $0 + max(0, usage[$1]?.number ?? 0) }
        guard bytes > Double(Pulse.most) else { return nil }
        return "\(Int(min(bytes, 1e15)) >> 20) MB of memory, and \(Pulse.most >> 20) are the most"
    }

    /// Ends a process that would go on taking all there is.
    static func end(_ session: DevToolsSession) -> StageOutput { .say(DevToolsCommand("Page.crash", in: session)) }

    /// A frame inside of what is shown was ended, or ended by itself: what is around it goes on.
    static func lost(_ reason: String) -> StageOutput {
        .report(.blocked(BlockedAttempt(.other, "a frame within \(reason)")))
    }
}
