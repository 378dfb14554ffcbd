/// The state machine of a provider's live session: its messages to the server, and the ads that the server pushes.
///
/// It does no I/O and has neither a clock nor random numbers of its own. A shell executes its actions in order.
public protocol EngagementMachine: Sendable {
    /// A command of the host.
    associatedtype Command: Sendable
    /// An event that is reported to the host besides ads.
    associatedtype Event: Sendable

    /// The provider of the session.
    var provider: ProviderName { get }
    /// Handles an input and returns the actions to execute.
    mutating func handle(
        _ input: EngagementInput<Command>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<Event>]
}
