/// The reason why markup could not be read at all.
///
/// An error that could be repaired is an `AdIssue` of the document instead.
public struct MarkupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The limits that keep untrusted markup from taking too much time or memory.
    public enum Limit: String, Hashable, Sendable {
        /// The size of the markup in bytes.
        case bytes
        /// The nesting of elements.
        case depth
        /// The number of tags, attributes, references and comments.
        case parts
        /// The number of attributes of one tag.
        case attributes
    }

    /// The reason why reading stopped.
    public enum Reason: Hashable, Sendable {
        /// The markup exceeds a limit.
        case exceeds(Limit, limit: Int)
        /// No memory was available.
        case outOfMemory
    }

    /// The reason why reading stopped.
    public let reason: Reason
    /// The line of the error, counted from 1; nil if there is none.
    public let line: Int?

    package init(_ reason: Reason, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }

    /// What is wrong and how to fix it, in one sentence.
    public var message: String {
        switch self.reason {
        case .exceeds(.bytes, let limit):
            "the markup is larger than \(limit) bytes; send a smaller creative or raise the limit"
        case .exceeds(.depth, let limit):
            "elements are nested deeper than \(limit); close the elements that stay open"
        case .exceeds(.parts, let limit):
            "there are more than \(limit) tags, attributes, references and comments; send a smaller creative"
        case .exceeds(.attributes, let limit):
            "a tag has more than \(limit) attributes; check for a missing quotation mark before it"
        case .outOfMemory:
            "not enough memory to read the markup"
        }
    }

    /// The message with its line.
    public var description: String {
        self.line.map { "\(self.message) (line \($0))" } ?? self.message
    }
}
