/// Receives every event of every ad of a runtime, in order: for logs, traces and tests.
public protocol AdObserver: Sendable {
    /// Receives an event of an ad; may be called from any thread and must return quickly.
    func observe(_ record: AdRecord)
    /// Receives an input that came too late, twice or out of order, and therefore changed nothing.
    func observe(_ input: IgnoredInput)
    /// Receives an event of a live session.
    func observe(_ record: SessionRecord)
}

extension AdObserver {
    /// Does nothing.
    public func observe(_ input: IgnoredInput) {}
    /// Does nothing.
    public func observe(_ record: SessionRecord) {}
}
