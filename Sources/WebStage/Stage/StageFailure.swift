package import AdCore

/// Why there is no stage for a creative.
package enum StageFailure: Error, Hashable, Sendable {
    /// The engine has ended; the last error that it wrote.
    case gone(complaint: String?)
    /// It is the creative's fault, or another try would fail as well.
    case creative(StageError)
}
