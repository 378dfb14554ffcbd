import AdCore
import PlayConsole

/// The decoded consent signals, and what may leave the device with them: text and JSON are made from one list.
struct PrivacyReport: Sendable {
    /// A decoded signal.
    struct Signal: Sendable {
        let name: String
        /// In one line of text.
        let text: String
        let json: AdJSON
    }

    let signals: [Signal]
    let uses: [PrivacyPolicy.DataUse]
    let conditions: [PrivacyCondition]
    let issues: [AdIssue]

    init(_ context: AdContext) {
        let decoded = ConsentSignals(context.consent)
        let policy = PrivacyPolicy(decoded, of: context)
        var signals = decoded.tcf.map(Self.signal)
        if let applies = context.consent.gdprApplies {
            let text = applies ? "applies" : "does not apply: a TCF string is not read"
            signals.insert(Signal(name: "GDPR", text: text, json: ["applies": .bool(applies)]), at: 0)
        }
        if let gpp = decoded.gpp { signals.append(Self.signal(gpp)) }
        signals += decoded.sections.map(Self.signal)
        signals += decoded.usPrivacy.map(Self.signal)
        self.signals = signals
        self.uses = policy.uses
        self.conditions = policy.conditions
        self.issues = decoded.issues
    }

    // MARK: Output

    var json: AdJSON {
        .object([
            .init("signals", .array(self.signals.map { ["name": .string($0.name), "value": $0.json] })),
            .init("conditions", .array(self.conditions.map { .string($0.rawValue) })),
            .init(
                "data",
                .array(
                    self.uses.map { use in
                        [
                            "data": .string(use.data.rawValue), "allowed": .bool(use.isAllowed),
                            "reason": .text(use.reason?.rawValue),
                        ]
                    }
                )
            ),
            .init("issues", .array(self.issues.map { .string($0.description) })),
        ])
    }

    /// The text output in lines of at most `width` columns.
    func lines(_ style: Style, width: Int) -> [String] {
        var lines: [String] = []
        func add(_ term: String, _ text: String, _ color: (String) -> String = { $0 }) {
            let row = HelpBlock.row(indent: 0, term: term, column: Self.column, text: Style.printable(text, upTo: 500))
            var block = row.lines(width: width)
            // Colored after the layout, which counts columns.
            if let first = block.first { block[0] = color(term) + first.dropFirst(term.count) }
            lines += block
        }
        if self.signals.isEmpty, self.issues.isEmpty { add("signals", "none: the app decides by what it provides") }
        for signal in self.signals { add(signal.name, signal.text) }
        for issue in self.issues { add("issue", issue.description, style.yellow) }
        lines.append("")
        for use in self.uses {
            add(use.data.label, use.reason.map { "withheld: \($0.label)" } ?? "may be sent")
        }
        return lines
    }

    /// The column of the text, after the longest term.
    private static let column = 25

    // MARK: Signals

    private static func signal(_ tcf: TCFConsent) -> Signal {
        func list(_ numbers: Set<Int>) -> String {
            numbers.isEmpty ? "none" : numbers.sorted().map(String.init).joined(separator: ", ")
        }
        func json(_ numbers: Set<Int>) -> AdJSON { .array(numbers.sorted().map { .int($0) }) }
        return Signal(
            name: "TCF",
            text: "policy version \(tcf.policyVersion); consent to purposes \(list(tcf.purposes)); legitimate interest "
                + "for \(list(tcf.legitimateInterests)); special features \(list(tcf.specialFeatures))",
            json: [
                "policyVersion": .int(tcf.policyVersion), "purposes": json(tcf.purposes),
                "legitimateInterests": json(tcf.legitimateInterests), "specialFeatures": json(tcf.specialFeatures),
            ]
        )
    }

    private static func signal(_ gpp: GPPConsent) -> Signal {
        let ids = gpp.sections.map(\.id)
        return Signal(
            name: "GPP",
            text: ids.isEmpty ? "no sections" : "sections \(ids.map(String.init).joined(separator: ", "))",
            json: ["sections": .array(ids.map { .int($0) })]
        )
    }

    private static func signal(_ section: USSection) -> Signal {
        let choices = [
            ("sale", section.sale), ("sharing", section.sharing), ("targetedAdvertising", section.targetedAdvertising),
        ].compactMap { name, choice in choice.map { (name: name, choice: $0) } }
        let names = ["sale": "sale", "sharing": "sharing", "targetedAdvertising": "targeted advertising"]
        var texts = choices.map { "\(names[$0.name] ?? $0.name) \($0.choice.label)" }
        if let gpc = section.gpc { texts.append("Global Privacy Control \(gpc ? "on" : "off")") }
        texts.append(section.isChild ? "known child" : "no known child")
        return Signal(
            name: "GPP \(section.name)",
            text: texts.joined(separator: "; "),
            json: .object(
                [.init("section", .int(section.id)), .init("version", .int(section.version))]
                    + choices.map { .init($0.name, .string("\($0.choice)")) }
                    + [.init("gpc", section.gpc.map { .bool($0) } ?? .null), .init("child", .bool(section.isChild))]
            )
        )
    }

    private static func signal(_ usPrivacy: USPrivacy) -> Signal {
        let optOut = usPrivacy.isOptedOut.map { $0 ? "opted out of sale" : "not opted out of sale" }
        let notice = usPrivacy.hasNotice.map { $0 ? "notice given" : "no notice" }
        return Signal(
            name: "US Privacy",
            text: optOut.map { "\($0); \(notice ?? "notice unknown")" } ?? "the CCPA does not apply",
            json: [
                "optedOut": usPrivacy.isOptedOut.map { .bool($0) } ?? .null,
                "notice": usPrivacy.hasNotice.map { .bool($0) } ?? .null,
            ]
        )
    }
}

extension USSection.Choice {
    fileprivate var label: String {
        switch self {
        case .notApplicable: "not applicable"
        case .optedOut: "opted out"
        case .notOptedOut: "not opted out"
        case .undefined: "undefined, counts as opted out"
        }
    }
}
