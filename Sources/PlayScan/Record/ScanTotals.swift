package import AdCore

/// What a scan has done so far.
package struct ScanTotals: Hashable, Sendable {
    package private(set) var counts: [ScanLevel: Int] = [:]
    /// Creatives that fail only for reasons that the baseline has.
    package private(set) var known = 0
    /// How many verdicts were there before, because the scan was continued.
    package private(set) var resumed = 0
    /// The number of creatives by the rule of a reason, without known ones.
    package private(set) var rules: [String: Int] = [:]

    package init() {}

    package var total: Int { self.counts.values.reduce(0, +) }
    /// Creatives that were scanned in this run.
    package var scanned: Int { self.total - self.resumed }
    package var worst: ScanLevel { ScanLevel.allCases.last { self.counts[$0, default: 0] > 0 } ?? .pass }

    package subscript(level: ScanLevel) -> Int { self.counts[level] ?? 0 }

    package mutating func add(_ verdict: ScanVerdict, isResumed: Bool = false) {
        self.counts[verdict.newLevel, default: 0] += 1
        if verdict.newLevel < verdict.level { self.known += 1 }
        if isResumed { self.resumed += 1 }
        for rule in Set(verdict.reasons.filter { !$0.isKnown }.map(\.rule)) { self.rules[rule, default: 0] += 1 }
    }

    /// The verdicts in words, as in `97 pass, 2 warn, 1 fail`.
    package var text: String { ScanLevel.allCases.map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ") }

    /// The rules with the most creatives.
    package var commonRules: [(rule: String, count: Int)] {
        self.rules.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(10).map { ($0.key, $0.value) }
    }

    /// The last line of `--json`; the rate is of this process and its browsers.
    package func json(processorTime: Duration) -> AdJSON {
        [
            "event": "scanned", "total": .int(self.total), "pass": .int(self[.pass]), "warn": .int(self[.warn]),
            "fail": .int(self[.fail]), "known": .int(self.known), "resumed": .int(self.resumed),
            "perCoreHour": ScanTotals.rate(self.scanned, in: processorTime).map { .double($0) } ?? .null,
        ]
    }

    /// Creatives for an hour of one processor; nil without a time.
    package static func rate(_ count: Int, in processorTime: Duration) -> Double? {
        let hours = processorTime.inSeconds / 3600
        return hours > 0 && count > 0 ? (Double(count) / hours).rounded() : nil
    }
}

/// The line of progress: how many are done, the rate, and the time left.
package struct ScanProgress: Sendable {
    private let total: Int?
    private let start: ContinuousClock.Instant

    package init(of total: Int?, since start: ContinuousClock.Instant) {
        self.total = total
        self.start = start
    }

    /// The line after some verdicts.
    package func line(_ totals: ScanTotals, at now: ContinuousClock.Instant) -> String {
        let elapsed = (now - self.start).inSeconds
        let count = self.total.map { "\(totals.total) of \($0)" } ?? "\(totals.total)"
        var parts = ["scanned \(count)", totals.text]
        guard totals.scanned > 0, elapsed > 0 else { return parts.joined(separator: " · ") }
        let rate = Double(totals.scanned) / elapsed
        parts.append("\(AdJSON.double((rate * 10).rounded() / 10).text())/s")
        if let total, total > totals.total {
            parts.append("\(Self.text(Double(total - totals.total) / rate)) left")
        }
        return parts.joined(separator: " · ")
    }

    private static func text(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds.rounded(.up), 0), 1e7))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }
}
