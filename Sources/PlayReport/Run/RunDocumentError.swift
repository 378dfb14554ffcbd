package import AdCore

/// Why a run can't be read from a report page.
package enum RunDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has more bytes than the limit.
    case tooLarge(limit: Int)
    /// The page has no element with the run: it is no report, or one of an earlier version.
    case noRun
    case notJSON(AdJSON.ParseError)
    /// The run has another version of the format; nil if it has none.
    case otherVersion(Int?)
    /// The value of a member has the wrong type, or is too long.
    case invalid(String)

    /// The reason, which continues `the run can't be read: `.
    package var description: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit >> 20) MiB"
        case .noRun: "the page contains no run"
        case .notJSON(let error): "it is not JSON: \(error.message)"
        case .otherVersion(let version?):
            "it has version \(version) of the format, and this command reads version \(RunDocument.version)"
        case .otherVersion(nil): "it has no \"version\""
        case .invalid(let reason): reason
        }
    }
}
