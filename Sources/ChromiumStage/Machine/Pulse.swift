import AdCore

/// Whether something that is shown still answers, and how much memory it takes.
enum Pulse {
    /// How often that is asked.
    static let pause = Duration.seconds(2)
    /// How long it has for the answer.
    static let silence = Duration.seconds(5)
    /// The most memory that one may take, in bytes; phones end pages far below it.
    static let most = 512 << 20

    /// The question: it is answered by the page's own thread.
    static func question(_ session: DevToolsSession) -> DevToolsCommand {
        DevToolsCommand("Runtime.getHeapUsage", in: session)
    }

    /// How much too much it takes, in words; nil where it does not.
    static func excess(_ usage: JSON) -> String? {
        let parts = ["usedSize", "embedderHeapUsedSize", "backingStorageSize"]
        let bytes = parts.reduce(0.0) { $0 + max(0, usage[$1]?.number ?? 0) }
        guard bytes > Double(Pulse.most) else { return nil }
        return "\(Int(min(bytes, 1e15)) >> 20) MB of memory, and \(Pulse.most >> 20) are the most"
    }
}
