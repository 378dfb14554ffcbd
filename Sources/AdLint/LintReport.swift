import AdCore
import AdHTML
import AdMarkup

/// Something that a rule has found.
public struct LintFinding: Hashable, Sendable {
    /// What is wrong, why, and what to do.
    public let rule: LintRule
    /// The line, counted from 1; nil if it is about the whole.
    public let line: Int?
    /// The column, counted from 1 in Unicode scalars; nil if only the line is known.
    public let column: Int?
    /// What was found here, with the value at fault; the rule's title if that is enough.
    public let message: String

    init(rule: LintRule, place: SourcePlace?, detail: String?) {
        self.rule = rule
        self.line = place?.line
        self.column = place?.column
        // What only repeats the title is no detail.
        let said = detail.flatMap { LintFinding.words($0).isSubset(of: LintFinding.words(rule.title)) ? nil : $0 }
        self.message = said ?? rule.title
    }

    /// The words of a sentence that carry its meaning, in lower case.
    static func words(_ text: String) -> Set<String> {
        let small = text.asciiLowercased.utf8.split { !$0.isASCIILetter && !$0.isDigit }
        return Set(small.map { String(Substring($0)) }).subtracting(self.fillers)
    }

    private static let fillers: Set<String> = [
        "a", "an", "the", "is", "are", "has", "have", "of", "in", "and", "there",
    ]

    /// What was found here beyond the title; nil if there is nothing more.
    package var detail: String? { self.message == self.rule.title ? nil : self.message }

    /// The title, and behind it what was found here where that is more.
    public var summary: String {
        guard let detail = self.detail else { return self.message }
        let isSaid = LintFinding.words(self.rule.title).isSubset(of: LintFinding.words(detail))
        return isSaid ? detail : "\(self.rule.title): \(detail)"
    }
}

/// Everything that one rule has found: one fix is for all of it.
public struct LintGroup: Hashable, Sendable {
    /// What is wrong, why, and what to do.
    public let rule: LintRule
    /// The findings that are listed, in the order of the input; there is at least one.
    public let findings: [LintFinding]
    /// How many there are, also those beyond the bound of the list.
    public let count: Int

    /// The first finding.
    public var first: LintFinding { self.findings[0] }
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

    /// The findings by rule: errors before warnings before infos, and otherwise in the order of the input.
    ///
    /// Every list of findings that people or scripts read is made of these.
    public var groups: [LintGroup] {
        var rules: [LintRule] = []
        var byRule: [LintRule: [LintFinding]] = [:]
        for finding in self.findings {
            if byRule[finding.rule] == nil { rules.append(finding.rule) }
            byRule[finding.rule, default: []].append(finding)
        }
        let groups = rules.compactMap { rule -> LintGroup? in
            guard let findings = byRule[rule], !findings.isEmpty else { return nil }
            return LintGroup(rule: rule, findings: findings, count: max(findings.count, self.counts[rule] ?? 0))
        }
        return LintRule.Severity.allCases.flatMap { severity in groups.filter { $0.rule.severity == severity } }
    }

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
