/// A pause in which a provider allows no ad request.
public struct Cooldown: Error, Hashable, Sendable {
    /// The end of the pause, on the runtime's clock.
    public let until: Moment

    /// Creates a pause with its end.
    public init(until: Moment) { self.until = until }
}
