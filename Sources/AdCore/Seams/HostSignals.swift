/// What the host knows and an ad must: whether it can be seen at all, and what network there is.
public protocol HostSignals: Sendable {
    /// Reports the present state at once and every change from then on, until the observation is cancelled.
    ///
    /// `observer` may be called from any thread and returns quickly.
    func observe(_ observer: @escaping @Sendable (HostSignal) -> Void) -> HostObservation
}

/// Something that changed around an ad.
public enum HostSignal: Hashable, Sendable {
    /// Something of the host's lies over the ad, or no longer does.
    case covered(Bool)
    /// The app left the foreground, or came back.
    case background(Bool)
    /// The kind of network changed.
    case network(NetworkKind)
}

/// The kind of network there is.
public enum NetworkKind: String, Hashable, Sendable {
    /// Wi-Fi or a cable.
    case wifi
    /// A mobile network, which may cost the user money.
    case cellular
    /// None.
    case offline
}

/// An observation that goes on until it is cancelled.
public struct HostObservation: Sendable {
    private let end: @Sendable () -> Void

    /// An observation that is ended by a closure, which may be called more than once.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation.
    public func cancel() { self.end() }
}
