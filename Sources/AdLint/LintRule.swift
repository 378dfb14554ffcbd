/// A check of the linter: what can be wrong with a tag or a creative, why that matters, and how to fix it.
///
/// ```swift
/// for rule in LintRule.all where rule.severity == .error { print(rule.id, rule.fix) }
/// ```
public struct LintRule: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, CaseIterable, Hashable, Sendable {
        /// Players reject the ad, or money is lost.
        case error
        /// The ad works in some players only, or annoys users.
        case warning
        /// Worth knowing.
        case info
    }

    /// The rule's name, which never changes: scripts ignore rules by it.
    public let id: String
    /// The severity of each of its findings.
    public let severity: Severity
    /// What is wrong, in a few words, without a full stop.
    public let title: String
    /// Why that matters, in one sentence.
    public let why: String
    /// How to fix it, in one line.
    public let fix: String
    /// The section of the specification that decides it, such as `VAST 4.3 §3.4.4`; nil if no specification does, but
    /// what players, servers or users do with it.
    public let specification: String?

    init(_ id: String, _ severity: Severity, _ title: String, why: String, fix: String, specification: String? = nil) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.fix = fix
        self.specification = specification
    }

    /// Two rules are equal if they have the same id.
    public static func == (left: LintRule, right: LintRule) -> Bool { left.id == right.id }

    /// Hashes the id, by which rules are compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}
