import AdCore
import AdHTML
import AdMarkup

/// Findings up to a bound, and the number of all.
struct LintLog {
    /// How many findings of one rule are listed: the next thousand say nothing new.
    static let mostOfRule = 100
    /// How many findings are listed in all.
    static let most = 2000

    /// How often the words of a finding are made, also of those that are there already.
    private static let mostAttempts = 1000

    /// What there is of a rule.
    private struct Tally {
        /// How many findings, whether they are listed or not.
        var count = 0
        /// How often the words of one were made.
        var attempts = 0
        /// How many are listed.
        var listed = 0
    }

    private var findings: [LintFinding] = []
    private var tallies: [LintRule: Tally] = [:]
    private var seen: Set<LintFinding> = []

    /// The words among which one is sought that is meant.
    enum Vocabulary: Hashable {
        case element, event, macro, field, method, hostEvent
        case attribute(of: String)
        case property(String)
    }

    private struct Slip: Hashable {
        let word: String
        let vocabulary: Vocabulary
    }

    private var suggestions: [Slip: String?] = [:]

    /// How many words something is suggested for: it takes time, and the next thousand are the same.
    private static let mostSuggestions = 200

    /// The intended word; nil if none is similar.
    ///
    /// It is stricter than what a command asks its user: a word of another kind must not pass for a slip.
    mutating func meant(by word: String, as vocabulary: Vocabulary, among words: some Sequence<String>) -> String? {
        let slip = Slip(word: word, vocabulary: vocabulary)
        if let known = self.suggestions[slip] { return known }
        guard self.suggestions.count < LintLog.mostSuggestions, (3...64).contains(word.utf8.count) else { return nil }
        let small = word.asciiLowercased
        let most = max(1, small.utf8.count / 5)
        var best: (word: String, distance: Int)?
        for candidate in words.sorted() where abs(candidate.utf8.count - small.utf8.count) <= most {
            let other = candidate.asciiLowercased
            // Two letters that changed places are one slip.
            let distance = LintLog.isTransposed(small, other) ? 1 : Suggestion.distance(small, other)
            if distance <= most, distance < (best?.distance ?? .max) { best = (candidate, distance) }
        }
        self.suggestions[slip] = .some(best?.word)
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

    /// Records a finding without a detail: the rule's title is enough.
    mutating func add(_ rule: LintRule, _ place: @autoclosure () -> SourcePlace?) { self.record(rule, place(), nil) }

    /// Records a finding of which only the line is known.
    package mutating func add(_ rule: LintRule, _ line: Int, _ detail: @autoclosure () -> String) {
        self.record(rule, SourcePlace(line: line), detail())
    }

    /// Records a finding; the same one at the same place is listed once.
    mutating func add(_ rule: LintRule, _ place: @autoclosure () -> SourcePlace?, _ detail: @autoclosure () -> String) {
        self.record(rule, place(), detail())
    }

    private mutating func record(
        _ rule: LintRule,
        _ place: @autoclosure () -> SourcePlace?,
        _ detail: @autoclosure () -> String?
    ) {
        var tally = self.tallies[rule] ?? Tally()
        defer { self.tallies[rule] = tally }
        // All of them count, whether they are listed or not: else the number would depend on what was compared.
        tally.count += 1
        guard tally.listed < LintLog.mostOfRule, tally.attempts < LintLog.mostAttempts,
            self.findings.count < LintLog.most
        else { return }
        tally.attempts += 1
        let finding = LintFinding(rule: rule, place: place(), detail: detail())
        guard self.seen.insert(finding).inserted else { return }
        tally.listed += 1
        self.findings.append(finding)
    }

    /// Takes back what has turned out to say nothing.
    mutating func drop(_ isIdle: (LintFinding) -> Bool) {
        for finding in self.findings where isIdle(finding) {
            self.tallies[finding.rule]?.count -= 1
            self.tallies[finding.rule]?.listed -= 1
        }
        self.findings.removeAll(where: isIdle)
        // Where nothing of a rule is left, what was not listed of it says nothing either.
        self.tallies = self.tallies.filter { $0.value.listed > 0 }
    }

    /// Counts what need not be listed.
    mutating func count(_ rule: LintRule, _ more: Int) {
        if more > 0 { self.tallies[rule, default: Tally()].count += more }
    }

    /// Whether a rule has found anything.
    func has(_ rule: LintRule) -> Bool { self.tallies[rule] != nil }

    /// Adds what another log has found in markup that begins at a place of this input.
    mutating func add(_ other: LintLog, from start: SourcePlace, without rules: Set<LintRule> = []) {
        for finding in other.findings where !rules.contains(finding.rule) {
            let place = start.inside(SourcePlace(line: finding.line ?? 1, column: finding.column))
            self.record(finding.rule, place, finding.detail)
        }
        self.count(other, without: rules)
    }

    /// Adds what another log has found in a text that was made of this input, the places of which are told.
    mutating func add(_ other: LintLog, at place: (SourcePlace) -> SourcePlace) {
        for finding in other.findings {
            let inner = finding.line.map { SourcePlace(line: $0, column: finding.column) }
            self.record(finding.rule, inner.map(place), finding.detail)
        }
        self.count(other, without: [])
    }

    /// Adds what another log has found in markup that is a text at one place of this input.
    mutating func add(_ other: LintLog, from name: String, at place: SourcePlace?) {
        for finding in other.findings {
            let inner = finding.line.map { line in
                "\(name), line \(line)" + (finding.column.map { ", column \($0)" } ?? "")
            }
            self.record(finding.rule, place, "\(inner ?? name): \(finding.message)")
        }
        self.count(other, without: [])
    }

    private mutating func count(_ other: LintLog, without rules: Set<LintRule>) {
        for (rule, tally) in other.tallies where !rules.contains(rule) {
            self.count(rule, tally.count - tally.listed)
        }
    }

    /// The findings in the order of their places.
    func report(_ kind: LintReport.Kind) -> LintReport {
        let ordered = self.findings.enumerated().sorted {
            ($0.element.line ?? 0, $0.element.column ?? 0, $0.offset)
                < ($1.element.line ?? 0, $1.element.column ?? 0, $1.offset)
        }
        return LintReport(kind: kind, findings: ordered.map(\.element), counts: self.tallies.mapValues(\.count))
    }
}
