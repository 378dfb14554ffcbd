import AdCore
import AdHTML
import AdMarkup

/// Collects findings: lists a limited number of them, and counts all.
struct LintLog {
    /// The number of findings that are listed for one rule.
    static let maxPerRule = 100
    /// The number of findings that are listed in all.
    static let maxTotal = 2000

    /// The number of findings of one rule that are composed, including duplicates, which bounds the time.
    private static let maxAttempts = 1000

    /// The numbers of one rule's findings.
    private struct Tally {
        /// All findings, whether they are listed or not.
        var count = 0
        /// The findings that were composed.
        var attempts = 0
        /// The findings that are listed.
        var listed = 0
    }

    /// Whether the document is of a private network, and may name servers of it.
    var isOfPrivateNetwork = false
    /// The markup of a response, whose findings are then not among those of the response; nil if they are.
    var markup: [LintPart]?
    private var findings: [LintFinding] = []
    private var tallies: [LintRule: Tally] = [:]
    private var seen: Set<LintFinding> = []

    /// The kinds of names for which a correct spelling is suggested.
    enum Vocabulary: Hashable {
        case element, event, macro, field, method, hostEvent
        case attribute(of: String)
        case property(String)
    }

    private struct Misspelling: Hashable {
        let word: String
        let vocabulary: Vocabulary
    }

    private var suggestions: [Misspelling: String?] = [:]

    /// The number of words for which a spelling is searched, which bounds the time.
    private static let maxSuggestions = 200

    /// The correct spelling of a word; nil if no known word is similar.
    ///
    /// It is stricter than the suggestions for mistyped commands: another valid word must not be taken for a typo.
    mutating func suggestion(for word: String, as vocabulary: Vocabulary, among words: some Sequence<String>) -> String?
    {
        let misspelling = Misspelling(word: word, vocabulary: vocabulary)
        if let known = self.suggestions[misspelling] { return known }
        guard self.suggestions.count < LintLog.maxSuggestions, (3...64).contains(word.utf8.count) else { return nil }
        let small = word.asciiLowercased
        let most = max(1, small.utf8.count / 5)
        var best: (word: String, distance: Int)?
        for candidate in words.sorted() where abs(candidate.utf8.count - small.utf8.count) <= most {
            let other = candidate.asciiLowercased
            // Two swapped letters count as one edit.
            let distance = LintLog.isTransposed(small, other) ? 1 : Suggestion.distance(small, other)
            if distance <= most, distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        self.suggestions[misspelling] = .some(best?.word)
        return best?.word
    }

    private static func isTransposed(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        guard left.count == right.count, let first = left.indices.first(where: { left[$0] != right[$0] }),
            first + 1 < left.count, left[first] == right[first + 1], left[first + 1] == right[first]
        else { return false }
        return left[(first + 2)...] == right[(first + 2)...]
    }

    /// Adds a finding whose message is the rule's title.
    mutating func add(_ rule: LintRule, _ place: @autoclosure () -> SourcePlace?) { self.record(rule, place(), nil) }

    /// Adds a finding of which only the line is known.
    package mutating func add(_ rule: LintRule, _ line: Int, _ detail: @autoclosure () -> String) {
        self.record(rule, SourcePlace(line: line), detail())
    }

    /// Adds a finding; an equal one at the same place is listed once.
    mutating func add(_ rule: LintRule, _ place: @autoclosure () -> SourcePlace?, _ detail: @autoclosure () -> String) {
        self.record(rule, place(), detail())
    }

    private mutating func record(
        _ rule: LintRule,
        _ place: @autoclosure () -> SourcePlace?,
        _ detail: @autoclosure () -> String?
    ) {
        if rule == .urlPrivateHost, self.isOfPrivateNetwork { return }
        var tally = self.tallies[rule] ?? Tally()
        defer { self.tallies[rule] = tally }
        // Duplicates count as well: otherwise the number would depend on how many findings were composed.
        tally.count += 1
        guard tally.listed < LintLog.maxPerRule, tally.attempts < LintLog.maxAttempts,
            self.findings.count < LintLog.maxTotal
        else { return }
        tally.attempts += 1
        let finding = LintFinding(rule: rule, place: place(), detail: detail())
        guard self.seen.insert(finding).inserted else { return }
        tally.listed += 1
        self.findings.append(finding)
    }

    /// Removes findings that a later check has shown to be wrong.
    mutating func removeAll(where isWrong: (LintFinding) -> Bool) {
        for finding in self.findings where isWrong(finding) {
            self.tallies[finding.rule]?.count -= 1
            self.tallies[finding.rule]?.listed -= 1
        }
        self.findings.removeAll(where: isWrong)
        // If no listed finding of a rule is left, its unlisted ones are wrong, too.
        self.tallies = self.tallies.filter { $0.value.listed > 0 }
    }

    /// Counts findings without listing them.
    mutating func addUnlisted(_ rule: LintRule, count more: Int) {
        if more > 0 { self.tallies[rule, default: Tally()].count += more }
    }

    /// Whether a rule has found anything.
    func has(_ rule: LintRule) -> Bool { self.tallies[rule] != nil }

    /// Adds the findings of markup that begins at a place of this input.
    mutating func add(_ other: LintLog, from start: SourcePlace, without rules: Set<LintRule> = []) {
        for finding in other.findings where !rules.contains(finding.rule) {
            let place = start.inside(SourcePlace(line: finding.line ?? 1, column: finding.column))
            self.record(finding.rule, place, finding.detail)
        }
        self.addUnlisted(other, without: rules)
    }

    /// Adds the findings of a text that was decoded from this input, with their places mapped back.
    mutating func add(_ other: LintLog, at place: (SourcePlace) -> SourcePlace) {
        for finding in other.findings {
            let inner = finding.line.map { SourcePlace(line: $0, column: finding.column) }
            self.record(finding.rule, inner.map(place), finding.detail)
        }
        self.addUnlisted(other, without: [])
    }

    /// Adds the findings of markup in a string of this input; all get the string's place, and name their own line.
    mutating func add(_ other: LintLog, from name: String, at place: SourcePlace?) {
        for finding in other.findings {
            let inner = finding.line.map { line in
                "\(name), line \(line)" + (finding.column.map { ", column \($0)" } ?? "")
            }
            self.record(finding.rule, place, "\(inner ?? name): \(finding.message)")
        }
        self.addUnlisted(other, without: [])
    }

    private mutating func addUnlisted(_ other: LintLog, without rules: Set<LintRule>) {
        for (rule, tally) in other.tallies where !rules.contains(rule) {
            self.addUnlisted(rule, count: tally.count - tally.listed)
        }
    }

    /// The report, with the findings in the order of their places.
    func report(_ kind: LintReport.Kind) -> LintReport {
        let ordered = self.findings.enumerated().sorted {
            ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset)
                < ($1.element.line ?? 0, $1.element.column ?? 0, $1.offset)
        }
        return LintReport(kind: kind, findings: ordered.map(\.element), counts: self.tallies.mapValues(\.count))
    }
}
