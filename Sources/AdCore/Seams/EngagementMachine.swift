/// A provider's live session: what it says to the server, and what becomes of the server's pushes.
///
/// Pure: no network, no clock, no chance of its own. A shell carries out what it decides, in order.
public protocol EngagementMachine: Sendable {
    /// What the host may want.
    associatedtype Command: Sendable
    /// What the host hears besides ads.
    associatedtype Event: Sendable

    /// Whose session it is.
    var provider: ProviderName { get }
    /// Takes something in, and says what is to be done.
    mutating func handle(
        _ input: EngagementInput<Command>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<Event>]
}
