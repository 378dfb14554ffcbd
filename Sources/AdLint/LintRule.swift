import AdHTML
import AdMarkup

/// One thing that can be wrong with a tag or a creative, why that hurts, and what to do.
///
/// ```swift
/// for rule in LintRule.all where rule.severity == .error { print(rule.id, rule.cure) }
/// ```
public struct LintRule: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, CaseIterable, Hashable, Sendable {
        /// Players refuse the ad, or money is lost.
        case error
        /// It works in some players only, or harms users.
        case warning
        /// Worth knowing.
        case info
    }

    /// The rule's name, which stays as it is: scripts ignore rules by it.
    public let id: String
    /// How bad it is.
    public let severity: Severity
    /// What is wrong, in a few words.
    public let title: String
    /// Why that hurts, in one sentence.
    public let why: String
    /// What to do, in one line.
    public let cure: String

    init(_ id: String, _ severity: Severity, _ title: String, why: String, cure: String) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.cure = cure
    }

    /// A rule is its name.
    public static func == (left: LintRule, right: LintRule) -> Bool { left.id == right.id }

    /// A rule is its name.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}
