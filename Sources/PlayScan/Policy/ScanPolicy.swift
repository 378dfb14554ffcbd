import AdCore

/// What a creative must satisfy: rules by measures and lint rules, and exceptions by creative.
///
/// A policy that extends several others fails what any of them fails, unless it has rules of its own about that.
package struct ScanPolicy: Hashable, Sendable {
    /// What is accepted of some creatives.
    struct Exception: Hashable, Sendable {
        /// The identifiers of the creatives.
        let creatives: TextPattern
        /// The rules of reasons, as in `bytes.initial` or `lint/*`.
        let rules: TextPattern
        /// The last day on which it holds, as in `2026-12-31`; nil for no end.
        let until: String?

        /// Whether it is about a creative: by its whole id, or by the last part of a path.
        func isAbout(_ id: String) -> Bool {
            self.creatives.matches(id) || self.creatives.matches(id.split(separator: "/").last.map(String.init) ?? id)
        }
    }

    package let name: String
    /// What it extends.
    let bases: [ScanPolicy]
    /// Its own rules, which replace those of its bases about the same measure, or the same finding of the linter.
    let rules: [PolicyRule]
    private let ownExceptions: [Exception]
    /// Changes with every change of the policy's text, and of those that it extends.
    package let version: String

    init(
        _ name: String,
        version: String,
        _ rules: [PolicyRule],
        _ exceptions: [Exception],
        extending bases: [ScanPolicy]
    ) {
        self.name = name
        self.version = version
        self.rules = rules
        self.ownExceptions = exceptions
        self.bases = bases
    }

    private var exceptions: [Exception] { self.bases.flatMap(\.exceptions) + self.ownExceptions }

    /// Judges a creative by its measures; `today` ends exceptions, as in `2026-12-31`.
    package func verdict(
        on measures: CreativeMeasures,
        _ findings: [ScannedFinding],
        _ kind: ScanKind?,
        called id: String,
        today: String
    ) -> ScanVerdict {
        let scope = RuleScope(kind: kind, size: measures["size"])
        let ofMeasures = self.measures.flatMap { PolicyRule.reasons(self.rules(about: $0, in: scope), measures) }
        let ofLint = findings.compactMap { finding in self.rule(about: finding, in: scope)?.reason(finding) }
        let accepted = self.exceptions.filter { exception in
            exception.isAbout(id) && (exception.until.map { today <= $0 } ?? true)
        }
        let found = ofMeasures + ofLint
        return ScanVerdict(found.filter { reason in !accepted.contains { $0.rules.matches(reason.rule) } })
    }

    /// The measures that have rules, each once: first those of the bases.
    private var measures: [Measure] {
        var known: Set<Measure> = []
        return (self.bases.flatMap(\.measures) + self.rules.compactMap(\.measure)).filter { known.insert($0).inserted }
    }

    /// The rules about a measure of a creative: of one file those about its size, otherwise those about all sizes; the
    /// rules of all bases if the file has none.
    private func rules(about measure: Measure, in scope: RuleScope) -> [PolicyRule] {
        let own = self.rules.filter { $0.measure == measure && scope.contains($0) }
        let sized = own.filter { $0.size != nil }
        guard own.isEmpty else { return sized.isEmpty ? own : sized }
        return self.bases.flatMap { $0.rules(about: measure, in: scope) }
    }

    /// The rule that decides on a finding of the linter: the file's last one about it, otherwise the most severe of those
    /// of the bases.
    private func rule(about finding: ScannedFinding, in scope: RuleScope) -> PolicyRule? {
        self.rules.last { $0.isAbout(finding) && scope.contains($0) }
            ?? self.bases.compactMap { $0.rule(about: finding, in: scope) }
            .max { ($0.level ?? .pass) < ($1.level ?? .pass) }
    }

    /// What fails by every policy that does not allow it: there is nothing to judge.
    static let core = ScanPolicy(
        "core",
        version: "",
        ["failure", "ended"].compactMap(Measure.named).map { measure in
            PolicyRule(
                subject: .measure(measure, .present),
                level: .fail,
                kinds: Set(ScanKind.allCases),
                reason: nil
            )
        },
        [],
        extending: []
    )
}

/// The creatives that rules are chosen for.
private struct RuleScope {
    /// Nil for a creative that could not be read; only rules about all kinds are about it.
    let kind: ScanKind?
    let size: MeasureValue?

    func contains(_ rule: PolicyRule) -> Bool {
        let isOfKind = self.kind.map(rule.kinds.contains) ?? (rule.kinds.count == ScanKind.allCases.count)
        return isOfKind && (rule.size.map { .word($0) == self.size } ?? true)
    }
}
