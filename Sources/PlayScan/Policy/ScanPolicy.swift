import AdCore

/// What a creative must satisfy: rules by measures and lint rules, and exceptions by creative.
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
    var rules: [PolicyRule]
    var exceptions: [Exception]
    /// Changes with every change of the policy's text, and of those that it extends.
    package let version: String

    /// Judges a creative by its measures; `today` ends exceptions, as in `2026-12-31`.
    package func verdict(
        on measures: CreativeMeasures,
        _ findings: [ScannedFinding],
        _ kind: ScanKind?,
        called id: String,
        today: String
    ) -> ScanVerdict {
        let rules = self.rules(for: kind, ofSize: measures["size"])
        let reasons = rules.flatMap { $0.reasons(measures) }
        // Of several limits of a measure, the most severe that is exceeded counts.
        let worst = Dictionary(reasons.map { ($0.rule, $0.level) }, uniquingKeysWith: max)
        let ofMeasures = reasons.filter { $0.level == worst[$0.rule] }
        let ofLint = findings.compactMap { finding in
            // The last line about a lint rule decides.
            rules.last { $0.isAbout(finding) }.flatMap { $0.reason(finding) }
        }
        let accepted = self.exceptions.filter { exception in
            exception.isAbout(id) && (exception.until.map { today <= $0 } ?? true)
        }
        let found = ofMeasures + ofLint
        return ScanVerdict(found.filter { reason in !accepted.contains { $0.rules.matches(reason.rule) } })
    }

    /// The rules about a creative: those about its size replace the others about the same measure.
    private func rules(for kind: ScanKind?, ofSize size: MeasureValue?) -> [PolicyRule] {
        let ofKind = self.rules.filter { rule in kind.map(rule.kinds.contains) ?? true }
        let ofSize = ofKind.filter { $0.size.map { .word($0) == size } ?? true }
        let sized = Set(ofSize.filter { $0.size != nil }.compactMap(\.measure))
        return ofSize.filter { rule in rule.size != nil || rule.measure.map { !sized.contains($0) } ?? true }
    }

    /// What fails by every policy that does not allow it: there is nothing to judge.
    static let core = ScanPolicy(
        name: "core",
        rules: ["failure", "ended"].compactMap(Measure.named).map { measure in
            PolicyRule(
                subject: .measure(measure, .present),
                level: .fail,
                kinds: Set(ScanKind.allCases),
                reason: nil
            )
        },
        exceptions: [],
        version: ""
    )

    /// This policy with the rules of another one before its own: for a measure that it names, only its own count, for the kinds that they are about.
    func extending(_ base: ScanPolicy) -> ScanPolicy {
        var own: [Measure: Set<ScanKind>] = [:]
        for rule in self.rules { if let measure = rule.measure { own[measure, default: []].formUnion(rule.kinds) } }
        let inherited = base.rules.map { rule in
            var rule = rule
            if let kinds = rule.measure.flatMap({ own[$0] }) { rule.kinds.subtract(kinds) }
            return rule
        }
        var policy = self
        policy.rules = inherited.filter { !$0.kinds.isEmpty } + self.rules
        policy.exceptions = base.exceptions + self.exceptions
        return policy
    }
}
