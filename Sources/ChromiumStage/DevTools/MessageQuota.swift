import AdCore
import WebStage

/// How many messages of a kind are parsed of each session, because a page can cause any number of them.
struct MessageQuota {
    private let limit: Int
    private var counts: [DevToolsSession: Int] = [:]
    private static let maxSessions = 4_096

    init(_ limit: Int) { self.limit = limit }

    /// Whether one more is parsed.
    mutating func admits(_ session: DevToolsSession) -> Bool {
        // A browser that runs for long has many sessions; it is not known here which of them are over.
        if self.counts.count >= MessageQuota.maxSessions, self.counts[session] == nil { self.counts = [:] }
        let count = self.counts[session, default: 0] + 1
        self.counts[session] = count
        return count <= self.limit
    }
}

/// The quotas of a connection.
struct MessageQuotas {
    // One more than are listed, so that the rest is noted as omitted.
    private var consoleMessages = MessageQuota(ActivityLimit.perKind + 1)
    private var inlineImages = MessageQuota(20)

    /// Whether a message is parsed.
    mutating func admit(_ preview: DevToolsPreview) -> Bool {
        if preview.isUnread { return false }
        if preview.isConsoleMessage { return self.consoleMessages.admits(preview.session) }
        return preview.isInline ? self.inlineImages.admits(preview.session) : true
    }
}
