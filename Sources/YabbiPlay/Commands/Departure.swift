import SystemLock

/// Whether the user has asked to leave the whole run, and not one ad of it.
final class Departure: Sendable {
    private let wish = Locked(false)

    var isWished: Bool { self.wish.withLock { $0 } }

    func ask() { self.wish.withLock { $0 = true } }
}
