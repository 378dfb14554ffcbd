/// Something that a rule has found.
public struct LintFinding: Hashable, Sendable {
    /// What is wrong, why, and what to do.
    public let rule: LintRule
    /// The line, counted from 1; nil where it is about the whole.
    public let line: Int?
    /// What was found here, with the value at fault.
    public let message: String
}

/// What all the rules have found in one tag or creative.
public struct LintReport: Hashable, Sendable {
    /// What was looked at.
    public enum Kind: String, Hashable, Sendable {
        /// An ad response after IAB's VAST.
        case vast
        /// A schedule of breaks after IAB's VMAP.
        case vmap
        /// A banner.
        case html
        /// An answer of YABBI's server, with the markup that it carries.
        case answer
        /// None of these, or nothing at all.
        case unknown
    }

    /// What was looked at.
    public let kind: Kind
    /// What was found, by line; what is about the whole comes first.
    public internal(set) var findings: [LintFinding]
    /// How many findings each rule has, also those beyond the bound of the list.
    public internal(set) var counts: [LintRule: Int]

    /// How many findings there are of a severity.
    public func count(_ severity: LintRule.Severity) -> Int {
        self.counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
    }

    /// How many findings are not listed: a list has bounds, and what comes from outside may have none.
    public var unlisted: Int { self.counts.values.reduce(0, +) - self.findings.count }

    /// The report without what some rules have found.
    public func ignoring(_ rules: Set<LintRule>) -> LintReport {
        var report = self
        report.findings.removeAll { rules.contains($0.rule) }
        report.counts = self.counts.filter { !rules.contains($0.key) }
        return report
    }
}
