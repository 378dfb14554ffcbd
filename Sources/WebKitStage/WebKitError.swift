/// Why WebKit can't be used.
public enum WebKitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The helper is not built.
    case missing(String)
    /// The helper does not start.
    case notStarted(String)

    /// The problem and its fix.
    public var description: String {
        switch self {
        case .missing(let message), .notStarted(let message): message
        }
    }
}
