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
    /// Something became of the connection.
    case socket(SocketEvent)
    /// Something was repaired or dropped.
    case issue(Issue)
}
