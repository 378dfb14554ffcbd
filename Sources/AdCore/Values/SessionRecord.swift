/// An event of a live session, apart from its ads' events.
public struct SessionRecord: Sendable {
    /// The time on the runtime's clock.
    public let at: Moment
    /// The session's provider.
    public let provider: ProviderName
    /// The event.
    public let event: SessionEvent

    /// Creates a record.
    public init(at moment: Moment, provider: ProviderName, event: SessionEvent) {
        self.at = moment
        self.provider = provider
        self.event = event
    }
}

/// An event of a live session.
public enum SessionEvent: Sendable {
    /// A connection is being opened.
    case connecting(SocketURL)
    /// The connection is open in both directions.
    case opened
    /// The server sent a message of so many bytes; its content may be personal and is in no record.
    case received(bytes: Int)
    /// The connection has ended.
    case closed(SocketEnd)
    /// An input was repaired or dropped.
    case issue(AdIssue)
    /// An event of the session's machine for the host, in the machine's own type.
    case machineEvent(any Sendable)
}

extension SessionEvent {
    /// Creates the event of a socket; nil for a message that has only partly arrived.
    package init?(_ event: SocketEvent) {
        switch event {
        case .opened: self = .opened
        case .text(let text): self = .received(bytes: text.utf8.count)
        case .binary(let count), .skippedMessage(let count): self = .received(bytes: count)
        case .skippingMessage: return nil
        case .closed(let end): self = .closed(end)
        }
    }
}
