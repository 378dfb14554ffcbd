/// Why markup was not read at all.
///
/// What could be repaired is an `AdIssue` of the document instead.
public struct MarkupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is bounded, so that markup from outside can't take unbounded time or memory.
    public enum Bound: String, Hashable, Sendable {
        /// The size of the whole markup, in bytes.
        case bytes
        /// How deep elements are nested.
        case depth
        /// How many tags, attributes, references and comments there are in all.
        case parts
        /// How many attributes one tag has.
        case attributes
    }

    /// What stopped the reading.
    public enum Reason: Hashable, Sendable {
        /// The markup goes beyond a bound.
        case exceeds(Bound, limit: Int)
        /// The parser could not get memory.
        case outOfMemory
    }

    /// What stopped the reading.
    public let reason: Reason
    /// The line where it happened, counted from 1, where there is one.
    public let line: Int?

    package init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    /// What happened and what to do, in one sentence.
    public var message: String {
        switch self.reason {
        case .exceeds(.bytes, let limit):
            "the markup is larger than \(limit) bytes; send a smaller creative or raise the limit"
        case .exceeds(.depth, let limit):
            "elements are nested deeper than \(limit); close the elements that stay open"
        case .exceeds(.parts, let limit):
            "there are more than \(limit) tags, attributes, references and comments; send a smaller creative"
        case .exceeds(.attributes, let limit):
            "a tag has more than \(limit) attributes; look for a quotation mark that is missing before it"
        case .outOfMemory:
            "there was no memory left to read the markup"
        }
    }

    /// Message and place in one line.
    public var description: String {
        self.line.map { "\(self.message) (line \($0))" } ?? self.message
    }
}
