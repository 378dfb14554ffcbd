/// The signals of the host that ads depend on: whether they are visible, and the network.
public protocol HostSignals: Sendable {
    /// Reports the current state at once and then every change, until the observation is cancelled.
    ///
    /// `observer` may be called from any thread and must return quickly.
    func observe(_ observer: @escaping @Sendable (HostSignal) -> Void) -> HostObservation
}

/// A change around an ad.
public enum HostSignal: Hashable, Sendable {
    /// Whether something of the app covers the ad.
    case covered(Bool)
    /// Whether the app is in the background.
    case background(Bool)
    /// The kind of network changed.
    case network(NetworkKind)
    /// The device's volume, from 0 to 100.
    case volume(Double)
    /// The views of the app that are drawn over a part of the ad; an empty list for none.
    ///
    /// A stage takes what they cover off the visible part, and names them to scripts that measure.
    case obstructed([AdObstruction])
}

/// A view of the app over an ad, as a bar or a dialog.
public struct AdObstruction: Hashable, Sendable {
    /// The distance from the left edge of the stage's screen, in points.
    public let x: Double
    /// The distance from the upper edge of the stage's screen, in points.
    public let y: Double
    /// Its size.
    public let size: Size
    /// What it is, for scripts that measure, as in `menu bar`.
    public let name: String

    /// Creates an obstruction.
    public init(x: Double, y: Double, size: Size, name: String) {
        self.x = x
        self.y = y
        self.size = size
        self.name = name
    }
}

/// The kind of the device's network.
public enum NetworkKind: String, Hashable, Sendable {
    /// Wi-Fi or Ethernet.
    case wifi
    /// A mobile network, which may cost the user money.
    case cellular
    /// No network.
    case offline
}

/// An observation that lasts until it is cancelled.
public struct HostObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation that is ended by a closure, which may be called more than once.
    public init(end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation.
    public func cancel() { self.end() }
}
