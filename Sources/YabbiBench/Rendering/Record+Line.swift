extension Record {
    /// The record as the terminal shows it.
    var line: String {
        switch self {
        case .figure(let figure): figure.line
        case .gap(let gap):
            "\(gap.benchmark)  \(gap.isFailure ? "failed" : "left out")  \(gap.what.map { "\($0): " } ?? "")\(gap.reason)"
        case .machine(let machine):
            "machine  " + machine.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        }
    }
}

extension Figure {
    /// The figure as the terminal shows it.
    var line: String {
        let size = self.amount.map { ", \($0.text)" } ?? ""
        var parts = ["\(self.benchmark)  \(self.what)\(size)", self.value + self.spread.bracketed]
        if let p99 = self.spread.p99 { parts.append("p99 \(self.unit.text(p99))") }
        if let floor {
            parts.append("\(floor.name) \(self.unit.text(floor.spread.median))")
            parts.append(floor.ratioText + floor.ratio.bracketed)
        }
        if let aimText { parts.append("aim \(aimText)") }
        return parts.joined(separator: "  ")
    }

    /// The middle value with its unit.
    var value: String { self.unit.text(self.spread.median) }

    /// What the aim is, and whether it was reached.
    var aimText: String? {
        guard let aim, let isMet else { return nil }
        return "\(aim.text), \(isMet ? "met" : "missed")"
    }
}

extension Figure.Amount {
    var text: String { "\(Digits.text(self.count)) \(self.things)" }
}

extension Figure.Floor {
    var ratioText: String { "\(Digits.text(self.ratio.median))×" }
}

extension Figure.Aim {
    var text: String {
        switch self {
        case .atMost(let bound): "at most \(bound)×"
        case .atLeast(let bound): "at least \(bound)×"
        }
    }
}

extension Spread {
    /// Where half of the values lie; nil where there was one.
    var half: String? { self.turns > 1 ? "\(Digits.text(self.lower)) to \(Digits.text(self.upper))" : nil }

    fileprivate var bracketed: String { self.half.map { " (\($0))" } ?? "" }
}

extension Unit {
    /// A value with its unit.
    func text(_ value: Double) -> String { "\(Digits.text(value)) \(self.symbol)" }
}

extension Machine {
    /// What there is to say of it, each under its name.
    var facts: [(name: String, value: String)] {
        let memory = Double(self.memoryBytes) / 1_073_741_824
        var facts = [
            ("cores", "\(self.cores)"), ("memory", "\(Digits.text(memory)) GiB"), ("kernel", self.kernel),
            ("Swift", self.swift), ("build", self.isRelease ? "release" : "debug: its figures mean nothing"),
        ]
        if self.isQuick { facts.append(("form", "quick: its figures mean little")) }
        facts.append(("took", "\(Digits.text(self.seconds)) s"))
        if let date { facts.append(("date", date)) }
        if let commit { facts.append(("commit", commit)) }
        return facts
    }
}

extension String {
    /// With spaces behind it, up to so many characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - self.count)) }
}
