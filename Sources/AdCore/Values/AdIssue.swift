/// A repair of bad input that did not stop the work: what was wrong, where, and what was made of it.
public struct AdIssue: Hashable, Sendable, CustomStringConvertible {
    /// Where in the input something was found.
    public enum Place: Hashable, Sendable, CustomStringConvertible {
        /// A line, counted from 1.
        case line(Int)
        /// A field of a structured answer, as a path: `tracker.view`.
        case field(String)
        /// No narrower place than the whole input.
        case whole

        /// The place in words.
        public var description: String {
            switch self {
            case .line(let line): "line \(line)"
            case .field(let path): path
            case .whole: "the whole input"
            }
        }
    }

    /// A stable name to look for, such as `closeDelay.negative`.
    public let code: String
    /// Where it was found.
    public let place: Place
    /// What was wrong and what was made of it, in one sentence.
    public let message: String

    /// Records a repair.
    public init(_ code: String, at place: Place, _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    /// Code, place and message in one line.
    public var description: String { "\(self.code) (\(self.place)): \(self.message)" }
}
