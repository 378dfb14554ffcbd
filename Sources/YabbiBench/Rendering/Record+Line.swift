extension Record {
    /// The record as a line for the terminal.
    var line: String {
        switch self {
        case .figure(let figure): figure.line
        case .gap(let gap):
            "\(gap.benchmark)  \(gap.isFailure ? "failed" : "skipped")  \(gap.what.map { "\($0): " } ?? "")\(gap.reason)"
        case .environment(let environment):
            "machine  " + environment.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        case .longTest(let test): "\(test.what)  \(test.result)  \(test.seconds) s"
        }
    }
}

extension Figure {
    /// The figure as a line for the terminal.
    var line: String {
        let size = self.amount.map { ", \($0.text)" } ?? ""
        var parts = ["\(self.benchmark)  \(self.what)\(size)", self.value + self.distribution.bracketed]
        if let p99 = self.distribution.p99 { parts.append("p99 \(self.unit.text(p99))") }
        if let baseline {
            parts.append("\(baseline.name) \(self.unit.text(baseline.distribution.median))")
            parts.append(baseline.ratioText + baseline.ratio.bracketed)
        }
        if let targetText { parts.append("target \(targetText)") }
        return parts.joined(separator: "  ")
    }

    /// The median with its unit.
    var value: String { self.unit.text(self.distribution.median) }

    /// The target, and whether it is met.
    var targetText: String? {
        guard let target, let isMet else { return nil }
        let bound =
            switch target {
            case .atMost(let bound): "at most \(bound)×"
            case .atLeast(let bound): "at least \(bound)×"
            case .valueAtMost(let bound): "at most \(self.unit.text(bound))"
            }
        return "\(bound), \(isMet ? "met" : "missed")"
    }
}

extension Figure.Amount {
    var text: String { "\(NumberFormat.text(self.count)) \(self.things)" }
}

extension Figure.Baseline {
    var ratioText: String { "\(NumberFormat.text(self.ratio.median))×" }
}

extension Distribution {
    /// The range between the quartiles; nil for a single value.
    var interquartileRange: String? {
        self.count > 1 ? "\(NumberFormat.text(self.lower)) to \(NumberFormat.text(self.upper))" : nil
    }

    fileprivate var bracketed: String { self.interquartileRange.map { " (\($0))" } ?? "" }
}

extension Unit {
    /// A value with its unit.
    func text(_ value: Double) -> String { "\(NumberFormat.text(value)) \(self.symbol)" }
}

extension RunEnvironment {
    /// The properties with their names.
    var facts: [(name: String, value: String)] {
        let memory = Double(self.memoryBytes) / 1_073_741_824
        var facts = [
            ("cores", "\(self.cores)"), ("memory", "\(NumberFormat.text(memory)) GiB"), ("kernel", self.kernel),
            ("Swift", self.swift), ("build", self.isRelease ? "release" : "debug: figures are meaningless"),
        ]
        if self.isQuick { facts.append(("form", "quick: figures are not representative")) }
        facts.append(("took", "\(NumberFormat.text(self.seconds)) s"))
        if let date { facts.append(("date", date)) }
        if let commit { facts.append(("commit", commit)) }
        return facts
    }
}

extension String {
    /// The text, padded with spaces at the end.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.count)) }
}
