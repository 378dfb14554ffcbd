/// A recorded repair of bad input: what was wrong, where, and how it was repaired.
public struct AdIssue: Hashable, Sendable, CustomStringConvertible {
    /// A place in the input.
    public enum Place: Hashable, Sendable, CustomStringConvertible {
        /// A line, counted from 1.
        case line(Int)
        /// A field of a structured response, as a path: `tracker.view`.
        case field(String)
        /// The whole input.
        case whole

        /// The place as text.
        public var description: String {
            switch self {
            case .line(let line): "line \(line)"
            case .field(let path): path
            case .whole: "the whole input"
            }
        }
    }

    /// A stable name to search for, such as `closeTimeout.huge`.
    public let code: String
    /// The place in the input.
    public let place: Place
    /// What was wrong and how it was repaired, in one sentence.
    public let message: String

    /// Creates an issue.
    public init(_ code: String, at place: Place, _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    /// Code, place and message in one line; the whole input is not named as a place.
    public var description: String {
        self.place == .whole
            ? "\(self.code): \(self.message)" : "\(self.code) (\(self.place)): \(self.message)"
    }
}
