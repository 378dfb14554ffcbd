import AdCore
import AdHTML
import AdMarkup

/// One occurrence of a problem that a rule has found.
public struct LintFinding: Hashable, Sendable {
    /// The rule, with the title and the fix.
    public let rule: LintRule
    /// The line, counted from 1; nil if the finding is about the whole input.
    public let line: Int?
    /// The column, counted from 1 in Unicode scalars; nil if only the line is known.
    public let column: Int?
    /// What was found at this place, with the invalid value; the rule's title if that is enough.
    public let message: String

    init(rule: LintRule, place: SourcePlace?, detail: String?) {
        self.rule = rule
        self.line = place?.line
        self.column = place?.column
        // A detail that only repeats the title is dropped.
        let message = detail.flatMap { LintFinding.repeats(rule.title, $0) ? nil : $0 }
        self.message = message ?? rule.title
    }

    /// Hashes the place, and of the message its length only: it is long, and findings differ in their places.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.line)
        hasher.combine(self.column)
        hasher.combine(self.message.utf8.count)
    }

    /// The words of a sentence in lower case, without articles and auxiliary verbs.
    static func significantWords(of text: String) -> Set<String> {
        var text = text.asciiLowercased
        return text.withUTF8 { bytes in
            var found: Set<String> = []
            var words = Words(bytes)
            while let word = words.next() { found.insert(String(decoding: word, as: UTF8.self)) }
            return found.subtracting(self.fillers)
        }
    }

    /// Whether a detail has no significant word that the title lacks; usually the first one decides.
    private static func repeats(_ title: String, _ detail: String) -> Bool {
        var (title, detail) = (title, detail)
        return title.withUTF8 { title in
            detail.withUTF8 { detail in
                var words = Words(detail)
                while let word = words.next() {
                    var known = Words(title)
                    var isKnown = false
                    while !isKnown, let other = known.next() {
                        isKnown = other.elementsEqual(word) { $0.lowercased == $1.lowercased }
                    }
                    if !isKnown, !self.fillers.contains(String(decoding: word, as: UTF8.self).asciiLowercased) {
                        return false
                    }
                }
                return true
            }
        }
    }

    /// The words of a sentence: letters and digits.
    private struct Words {
        private var rest: Slice<UnsafeBufferPointer<UInt8>>

        init(_ sentence: UnsafeBufferPointer<UInt8>) { self.rest = sentence[...] }

        mutating func next() -> Slice<UnsafeBufferPointer<UInt8>>? {
            let isOfWord = { (byte: UInt8) in byte.isASCIILetter || byte.isDigit }
            guard let start = self.rest.firstIndex(where: isOfWord) else { return nil }
            let word = self.rest[start...].prefix(while: isOfWord)
            self.rest = self.rest[word.endIndex...]
            return word
        }
    }

    private static let fillers: Set<String> = [
        "a", "an", "the", "is", "are", "has", "have", "of", "in", "and", "there",
    ]

    /// The message if it has more than the title, else nil.
    package var detail: String? { self.message == self.rule.title ? nil : self.message }

    /// The title, followed by the message if it has more.
    public var summary: String {
        guard let detail = self.detail else { return self.message }
        let title = LintFinding.significantWords(of: self.rule.title)
        let repeatsTitle = title.isSubset(of: LintFinding.significantWords(of: detail))
        return repeatsTitle ? detail : "\(self.rule.title): \(detail)"
    }
}

/// All findings of one rule, which have the same fix.
public struct LintGroup: Hashable, Sendable {
    /// The rule, with the title and the fix.
    public let rule: LintRule
    /// The listed findings in the order of the input, at least one.
    public let findings: [LintFinding]
    /// The number of all findings, including those beyond the limit of the list.
    public let count: Int

    /// The first finding.
    public var first: LintFinding { self.findings[0] }
}

/// The findings of all rules in one tag or creative.
public struct LintReport: Hashable, Sendable {
    /// The kind of an input.
    public enum Kind: String, Hashable, Sendable {
        /// A VAST response.
        case vast
        /// A VMAP schedule of ad breaks.
        case vmap
        /// The HTML of a banner.
        case html
        /// A JSON ad response, with the markup in it.
        case answer
        /// None of these, or empty input.
        case unknown
    }

    /// The kind of the input.
    public let kind: Kind
    /// The findings by line; those about the whole input come first.
    public internal(set) var findings: [LintFinding]
    /// The number of each rule's findings, including those beyond the limit of the list.
    public internal(set) var counts: [LintRule: Int]

    /// The findings by rule: errors before warnings before infos, and otherwise in the order of the input.
    ///
    /// Terminal, JSON, SARIF and reports all render these groups.
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

    /// The number of findings of a severity.
    public func count(_ severity: LintRule.Severity) -> Int {
        self.counts.reduce(0) { $0 + ($1.key.severity == severity ? $1.value : 0) }
    }

    /// The number of findings that are counted but not listed, because the list is limited.
    public var unlisted: Int { self.counts.values.reduce(0, +) - self.findings.count }

    /// The report without the findings of some rules.
    public func ignoring(_ rules: Set<LintRule>) -> LintReport {
        var report = self
        report.findings.removeAll { rules.contains($0.rule) }
        report.counts = self.counts.filter { !rules.contains($0.key) }
        return report
    }
}
