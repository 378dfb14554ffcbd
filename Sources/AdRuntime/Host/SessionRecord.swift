public import AdCore

/// One thing that happened to a live session, apart from its ads.
public struct SessionRecord: Sendable {
    /// When, on the runtime's clock.
    public let at: Moment
    /// Whose session it is.
    public let provider: ProviderName
    /// What happened.
    public let event: SessionEvent

    /// A record.
    public init(at moment: Moment, provider: ProviderName, event: SessionEvent) {
        self.at = moment
        self.provider = provider
        self.event = event
    }
}

/// What happens to a live session.
public enum SessionEvent: Sendable {
    /// A connection is being opened.
    case connecting(SocketURL)
    /// Both sides can speak.
    case opened
    /// The server said so many bytes; what it said may be about the user, and stands in no trace.
    case received(bytes: Int)
    /// The connection is over.
    case closed(SocketEnd)
    /// Something was repaired or dropped.
    case issue(AdIssue)
    /// The host was told something, in its provider's own words: those of the session's machine.
    case news(any Sendable)
}

extension SessionEvent {
    /// What is told of a connection's news; nil for a message that is still on its way.
    package init?(_ event: SocketEvent) {
        switch event {
        case .opened: self = .opened
        case .text(let text): self = .received(bytes: text.utf8.count)
        case .binary(let count), .passedOver(let count): self = .received(bytes: count)
        case .passingOver: return nil
        case .closed(let end): self = .closed(end)
        }
    }
}
