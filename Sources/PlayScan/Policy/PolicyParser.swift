import AdCore
import AdLint
import PlayConsole

/// Reads policies: one statement a line, `#` begins a comment (`docs/SCAN.md` has the format).
///
/// ```
/// extends iab-lean
/// fail bytes.initial > 200 kB : our slots are small
/// warn hosts has *.tracker.example
/// video fail video.played < 100 %
/// allow lint html-*
/// except banner-17* bytes.initial until 2026-12-31
/// ```
struct PolicyParser {
    /// Reads the policy that another one extends, by its name.
    typealias Base = (_ name: String) throws(PolicyError) -> ScanPolicy

    private let file: String
    private let base: Base
    private var rules: [PolicyRule] = []
    private var exceptions: [ScanPolicy.Exception] = []
    private var bases: [ScanPolicy] = []
    private var line = 0

    /// The greatest size of a policy, in bytes.
    static let maxBytes = 1 << 20

    static func policy(
        _ text: String,
        called name: String,
        in file: String,
        base: Base
    ) throws(PolicyError) -> ScanPolicy {
        guard text.utf8.count <= PolicyParser.maxBytes else {
            throw PolicyError("\(file) is larger than \(Quantity.bytes(PolicyParser.maxBytes)), and hardly a policy")
        }
        return try withoutActuallyEscaping(base) { (base) throws(PolicyError) in
            var parser = PolicyParser(file: file, base: base)
            // CRLF is one character, and one line end.
            for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                try parser.read(line)
            }
            guard !parser.rules.isEmpty || !parser.bases.isEmpty else {
                throw PolicyError("\(file) has no rules; add some, or extends and the name of a policy")
            }
            let versions = parser.bases.map(\.version)
            return ScanPolicy(
                name,
                version: String(Checksum.of(([text] + versions).joined(separator: "\n")), radix: 16),
                parser.rules,
                parser.exceptions,
                extending: [.core] + parser.bases
            )
        }
    }

    private init(file: String, base: @escaping Base) {
        self.file = file
        self.base = base
    }

    private func error(_ text: String) -> PolicyError { PolicyError(self.file, line: self.line, text) }

    private static let statements = ["fail", "warn", "allow", "except", "extends"]

    private mutating func read(_ line: Substring) throws(PolicyError) {
        self.line += 1
        // A comment begins at the line's start or after a space: URLs and ids may contain the sign.
        var text = line.trimmed
        if text.hasPrefix("#") { return }
        if let mark = text.firstRange(of: " #") { text = text[..<mark.lowerBound].trimmed }
        guard !text.isEmpty else { return }
        // The author's reason follows a colon with spaces.
        var reason: String?
        if let mark = text.firstRange(of: " : ") {
            reason = text[mark.upperBound...].trimmed
            text = text[..<mark.lowerBound].trimmed
        }
        var words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        let scope = Scope(&words)
        guard let statement = words.first else { throw self.error("add fail, warn or allow after \(text)") }
        words.removeFirst()
        switch statement {
        case "fail": try self.addRule(.fail, words, scope, reason)
        case "warn": try self.addRule(.warn, words, scope, reason)
        case "allow": try self.addRule(nil, words, scope, reason)
        case "except" where scope.isOfAll: try self.addException(words)
        case "extends" where scope.isOfAll:
            guard words.count == 1 else { throw self.error("extends needs the name or file of one policy") }
            do throws(PolicyError) {
                self.bases.append(try self.base(words[0]))
            } catch {
                throw self.error(error.message)
            }
        default:
            let hint = Suggestion.nearest(to: statement, among: Self.statements).map { "; did you mean \($0)?" } ?? ""
            let known = "a line begins with fail, warn, allow, except or extends"
            throw self.error("unknown statement \u{201C}\(statement.excerpt(40))\u{201D}; \(known)\(hint)")
        }
    }

    /// The creatives that a line is about: a kind, a size, both, or all.
    private struct Scope {
        private(set) var kind: ScanKind?
        private(set) var size: String?

        /// Removes the words from a line's beginning.
        init(_ words: inout [String]) {
            self.kind = words.first.flatMap(ScanKind.init(rawValue:))
            if self.kind != nil { words.removeFirst() }
            let sides = words.first?.split(separator: "x", omittingEmptySubsequences: false) ?? []
            guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else { return }
            self.size = words.removeFirst()
        }

        var isOfAll: Bool { self.kind == nil && self.size == nil }
        var kinds: Set<ScanKind> { self.kind.map { [$0] } ?? Set(ScanKind.allCases) }
    }

    // MARK: Rules

    private mutating func addRule(
        _ level: ScanLevel?,
        _ words: [String],
        _ scope: Scope,
        _ reason: String?
    ) throws(PolicyError) {
        guard let name = words.first else { throw self.error("name a measure, or lint and a rule") }
        let rest = Array(words.dropFirst())
        let subject: PolicyRule.Subject =
            name == "lint" ? .lint(try self.selection(rest)) : try self.measure(name, rest, isAllowed: level == nil)
        self.rules.append(
            PolicyRule(subject: subject, level: level, kinds: scope.kinds, size: scope.size, reason: reason)
        )
    }

    private func selection(_ words: [String]) throws(PolicyError) -> PolicyRule.LintSelection {
        guard words.count == 1 else {
            throw self.error("lint needs error, warning, info or the id of a rule, as in: fail lint error")
        }
        if let severity = LintRule.Severity(rawValue: words[0]) { return .severity(severity) }
        let pattern = TextPattern(words[0])
        guard LintRule.all.contains(where: { pattern.matches($0.id) }) else {
            let nearest = Suggestion.nearest(to: words[0], among: LintRule.all.map(\.id))
            let hint = nearest.map { "did you mean \($0)?" } ?? "yabbi-play lint --rules lists them"
            throw self.error("unknown lint rule \u{201C}\(words[0].excerpt(60))\u{201D}; \(hint)")
        }
        return .rules(pattern)
    }

    private func measure(
        _ name: String,
        _ words: [String],
        isAllowed: Bool
    ) throws(PolicyError) -> PolicyRule.Subject {
        guard let measure = Measure.named(name) else {
            let nearest = Suggestion.nearest(to: name, among: Measure.all.map(\.name))
            let hint = nearest.map { "did you mean \($0)?" } ?? "yabbi-play scan --measures lists them"
            throw self.error("unknown measure \u{201C}\(name.excerpt(60))\u{201D}; \(hint)")
        }
        guard let sign = words.first else {
            return .measure(measure, try self.presence(of: measure, isAllowed: isAllowed))
        }
        let rest = words.dropFirst().joined(separator: " ")
        if isAllowed { throw self.error("allow takes only the name of the measure; remove \(sign)") }
        switch sign {
        case ">": return .measure(measure, .above(try self.number(rest, of: measure)))
        case "<": return .measure(measure, .below(try self.number(rest, of: measure)))
        case "has" where measure.unit == .list, "is" where measure.unit == .word:
            guard !rest.isEmpty else { throw self.error("\(sign) needs a text, which may have * for anything") }
            return .measure(measure, .matches(TextPattern(rest)))
        case "missing" where rest.isEmpty: return .measure(measure, .missing)
        default:
            let forms =
                switch measure.unit {
                case .list: "> <number>, has <text>, missing, or nothing for any"
                case .word: "is <text> or missing"
                case .flag: "missing, or nothing for true"
                default: "> <number>, < <number> or missing"
                }
            throw self.error("\u{201C}\(sign.excerpt(40))\u{201D} can't follow \(name); write \(forms)")
        }
    }

    private func presence(of measure: Measure, isAllowed: Bool) throws(PolicyError) -> PolicyRule.Condition {
        switch measure.unit {
        case .flag, .list, .count: return .present
        case .bytes, .milliseconds, .seconds, .percent:
            if isAllowed { return .present }
            throw self.error(
                "\(measure.name) needs a limit, as in: \(measure.name) > \(Self.example(of: measure.unit))"
            )
        case .word:
            if isAllowed { return .present }
            throw self.error("\(measure.name) needs a text, as in: \(measure.name) is nothing")
        }
    }

    private static func example(of unit: Measure.Unit) -> String {
        switch unit {
        case .bytes: "150 kB"
        case .milliseconds: "500 ms"
        case .seconds: "15 s"
        case .percent: "50 %"
        case .count, .flag, .list, .word: "10"
        }
    }

    /// A number with a unit of the measure.
    private func number(_ text: String, of measure: Measure) throws(PolicyError) -> Double {
        let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(digits.count).trimmed
        let factors: [String: Double] =
            switch measure.unit {
            case .bytes: ["B": 1, "kB": 1e3, "MB": 1e6, "KiB": 1024, "MiB": 1_048_576]
            case .milliseconds: ["ms": 1, "s": 1e3]
            case .seconds: ["ms": 1e-3, "s": 1]
            case .percent: ["%": 1, "": 1]
            case .count, .list: ["": 1]
            case .flag, .word: [:]
            }
        guard !factors.isEmpty else {
            throw self.error("\(measure.name) is \(measure.unit.rawValue), and has no limit")
        }
        guard let number = Double(digits), number.isFinite, let factor = factors[unit] else {
            let units = factors.keys.filter { !$0.isEmpty }.sorted()
            let needed = units.isEmpty ? "a number" : "a number with \(OptionWords.list(units))"
            let example = "\(measure.name) > \(Self.example(of: measure.unit))"
            throw self.error("\u{201C}\(text.excerpt(40))\u{201D} is no limit; write \(needed), as in: \(example)")
        }
        return number * factor
    }

    // MARK: Exceptions

    private mutating func addException(_ words: [String]) throws(PolicyError) {
        let form = "except <creative> <measure or lint/rule> [until 2026-12-31]"
        guard words.count == 2 || words.count == 4 && words[2] == "until" else {
            throw self.error("write: \(form); a space in an id is written *")
        }
        let until = words.count == 4 ? words[3] : nil
        if let until, !Self.isDate(until) {
            throw self.error("\u{201C}\(until.excerpt(40))\u{201D} is no date; write it as in 2026-12-31")
        }
        let rules = TextPattern(words[1])
        let known = Measure.all.map(\.name) + LintRule.all.map { "lint/\($0.id)" }
        guard known.contains(where: rules.matches) else {
            let hint = Suggestion.nearest(to: words[1], among: known).map { "; did you mean \($0)?" } ?? ""
            throw self.error("\u{201C}\(words[1].excerpt(60))\u{201D} is no measure and no lint rule\(hint)")
        }
        self.exceptions.append(.init(creatives: TextPattern(words[0]), rules: rules, until: until))
    }

    private static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2] else { return false }
        guard let month = Int(parts[1]), let day = Int(parts[2]), Int(parts[0]) != nil else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }
}

/// Words as a list in a sentence.
enum OptionWords {
    static func list(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }
}
