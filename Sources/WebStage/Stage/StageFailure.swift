package import AdCore

/// Why a creative can't be presented.
package enum StageFailure: Error, Hashable, Sendable {
    /// The engine has ended; the last error in its log.
    case gone(lastError: String?)
    /// The creative failed, or a retry would fail as well.
    case creative(StageError)
}
