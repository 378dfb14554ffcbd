package import AdCore

/// Why a creative can't be presented.
package enum StageFailure: Error, Hashable, Sendable {
    /// The engine has ended; the last error in its log.
    case gone(lastError: String?)
    /// The creative failed, or a retry would fail as well.
    case creative(StageError)
}

extension StageFailure {
    /// The error that the ad gets; `explanation` is what a known error of the engine's log means.
    package func error(_ explanation: (String) -> String?) -> StageError {
        switch self {
        case .creative(let error): return error
        case .gone(let lastError):
            if let known = lastError.flatMap(explanation) { return StageError(known) }
            let detail = lastError.map { "; its last error: \($0.excerpt(300))" } ?? ""
            return StageError("the browser ended while the creative was loading\(detail)")
        }
    }
}
