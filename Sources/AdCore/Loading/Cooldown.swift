/// A provider's rule that there is no ad for a while.
public struct Cooldown: Error, Hashable, Sendable {
    /// Until when, by the clock of the services.
    public let until: Moment

    /// No ad until then.
    public init(until: Moment) { self.until = until }
}
