import AdCore
import AdLint

/// A line of a policy that says what does not pass.
struct PolicyRule: Hashable, Sendable {
    /// What it is about.
    enum Subject: Hashable, Sendable {
        case measure(Measure, Condition)
        case lint(LintSelection)
    }

    /// When a measure does not pass; one without a value passes, except for `missing`.
    enum Condition: Hashable, Sendable {
        /// There is something: true, or a number or list that is not empty.
        case present
        case above(Double)
        case below(Double)
        /// A text of the list, or the word, matches this pattern.
        case matches(TextPattern)
        case missing
    }

    /// The findings of the linter that do not pass.
    enum LintSelection: Hashable, Sendable {
        case severity(LintRule.Severity)
        case rules(TextPattern)

        func contains(_ finding: ScannedFinding) -> Bool {
            switch self {
            case .severity(let severity): finding.severity == severity
            case .rules(let pattern): pattern.matches(finding.rule)
            }
        }
    }

    let subject: Subject
    /// Nil allows what the rule is about, whatever lines before say.
    let level: ScanLevel?
    /// The kinds of creatives that it is about.
    let kinds: Set<ScanKind>
    /// The size of the creatives that it is about, as in `320x50`; nil for all.
    var size: String?
    /// The text of the policy's author; nil for none.
    let reason: String?
}

/// The kinds of creatives that policies tell apart.
package enum ScanKind: String, Hashable, Sendable, CaseIterable {
    case html, video, card, page
}

/// A text with `*` for any number of characters.
struct TextPattern: Hashable, Sendable {
    let text: String
    private let parts: [String]

    init(_ text: String) {
        self.text = text
        self.parts = text.asciiLowercased.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether the whole of a text matches, in any case of ASCII letters.
    func matches(_ text: String) -> Bool {
        var rest = text.asciiLowercased.utf8[...]
        guard let first = self.parts.first, rest.starts(with: first.utf8) else { return false }
        rest = rest.dropFirst(first.utf8.count)
        guard self.parts.count > 1 else { return rest.isEmpty }
        for part in self.parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = Self.firstRange(of: part.utf8, in: rest) else { return false }
            rest = rest[found...].dropFirst(part.utf8.count)
        }
        let last = self.parts[self.parts.count - 1].utf8
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    private static func firstRange(of part: String.UTF8View, in text: Substring.UTF8View) -> Substring.UTF8View.Index? {
        var rest = text
        while rest.count >= part.count {
            if rest.starts(with: part) { return rest.startIndex }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension PolicyRule {
    /// The measure that it is about; nil for lint rules.
    var measure: Measure? { if case .measure(let measure, _) = self.subject { measure } else { nil } }

    /// The reasons of the rules about one measure: of several limits the most severe that is exceeded counts, and of several
    /// of one level the strictest.
    static func reasons(_ rules: [PolicyRule], _ measures: CreativeMeasures) -> [ScanReason] {
        let found = rules.compactMap { rule in rule.reason(measures).map { (rule.condition, $0) } }
        let worst = found.map(\.1.level).max()
        let ofWorst = found.filter { $0.1.level == worst }
        let conditions = ofWorst.compactMap(\.0)
        let highest = conditions.compactMap { if case .above(let limit) = $0 { limit } else { nil } }.min()
        let lowest = conditions.compactMap { if case .below(let limit) = $0 { limit } else { nil } }.max()
        var known: Set<Condition> = []
        return ofWorst.compactMap { condition, reason in
            guard let condition, known.insert(condition).inserted else { return nil }
            return switch condition {
            case .above(let limit): limit == highest ? reason : nil
            case .below(let limit): limit == lowest ? reason : nil
            case .present, .matches, .missing: reason
            }
        }
    }

    private var condition: Condition? {
        if case .measure(_, let condition) = self.subject { condition } else { nil }
    }

    /// The reason of a rule about a measure; nil if it passes.
    private func reason(_ measures: CreativeMeasures) -> ScanReason? {
        guard let level, case .measure(let measure, let condition) = self.subject,
            let message = condition.message(measure, measures[measure])
        else { return nil }
        var reason = ""
        if let name = measure.explanation, case .word(let text)? = measures[name] { reason = ": \(text)" }
        return ScanReason(measure.name, level, self.completed(message + reason))
    }

    /// Whether it is about a finding of the linter.
    func isAbout(_ finding: ScannedFinding) -> Bool {
        if case .lint(let selection) = self.subject { selection.contains(finding) } else { false }
    }

    /// The reason of a rule about lint rules; nil if it allows the finding.
    func reason(_ finding: ScannedFinding) -> ScanReason? {
        guard let level else { return nil }
        let count = finding.count > 1 ? " (\(finding.count) times)" : ""
        return ScanReason("lint/\(finding.rule)", level, self.completed(finding.message + count), line: finding.line)
    }

    private func completed(_ message: String) -> String { self.reason.map { "\(message); \($0)" } ?? message }
}

extension PolicyRule.Condition {
    /// What is wrong with a value; nil if it passes.
    func message(_ measure: Measure, _ value: MeasureValue?) -> String? {
        guard let value else { return self == .missing ? "\(measure.title): not known" : nil }
        let shown = Self.text(value, of: measure)
        switch self {
        case .present: return value.isPresent ? self.text(measure, shown, "") : nil
        case .above(let limit):
            guard let number = value.number, number > limit else { return nil }
            return self.text(measure, shown, "at most \(measure.text(limit))")
        case .below(let limit):
            guard let number = value.number, number < limit else { return nil }
            return self.text(measure, shown, "at least \(measure.text(limit))")
        case .matches(let pattern):
            switch value {
            case .word(let word): return pattern.matches(word) ? self.text(measure, word, "") : nil
            case .list(let texts):
                let found = texts.filter(pattern.matches)
                return found.isEmpty ? nil : self.text(measure, Self.text(.list(found), of: measure), "")
            case .number, .flag: return nil
            }
        case .missing: return nil
        }
    }

    private func text(_ measure: Measure, _ value: String, _ limit: String) -> String {
        "\(measure.title)\(value.isEmpty ? "" : ": \(value)")\(limit.isEmpty ? "" : "; \(limit)")"
    }

    private static func text(_ value: MeasureValue, of measure: Measure) -> String {
        switch value {
        case .number(let number): measure.text(number)
        case .flag: ""
        case .word(let word): word
        case .list(let texts):
            texts.isEmpty
                ? "none" : texts.count == 1 ? texts[0] : "\(texts.count), the first is \(texts[0].excerpt(200))"
        }
    }
}
