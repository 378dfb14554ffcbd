package import AdCore

/// The verdicts of a scan, which outputs read one after the other.
package struct ScanResults: Sendable {
    package let policy: ScanPolicy
    package let totals: ScanTotals
    /// When the outputs are made.
    package let madeAt: WallTime
    private let journal: String
    private let baseline: ScanBaseline
    /// The number of the last line of each creative: one that has changed has several.
    private let lastLines: [UInt64: Int]

    /// Reads which creatives a journal has, of those that `includes` names by the checksums of their ids.
    package init(
        _ journal: String,
        _ policy: ScanPolicy,
        _ totals: ScanTotals,
        baseline: ScanBaseline,
        madeAt: WallTime,
        includes: (_ id: UInt64) -> Bool = { _ in true }
    ) throws(ScanJournal.Failure) {
        self.journal = journal
        self.policy = policy
        self.totals = totals
        self.baseline = baseline
        self.madeAt = madeAt
        var (lines, number) = ([UInt64: Int](), 0)
        try ScanJournal.read(journal) { record, _ in
            number += 1
            let id = Checksum.of(record.id)
            if includes(id) { lines[id] = number }
        }
        self.lastLines = lines
    }

    /// Whether the creatives are compared with those of an earlier scan.
    package var hasBaseline: Bool { !self.baseline.isEmpty }

    /// Calls a closure with each creative, in the order in which they were judged.
    package func forEach(_ body: (JudgedRecord) -> Void) throws(ScanJournal.Failure) {
        var number = 0
        try ScanJournal.read(self.journal) { record, json in
            number += 1
            guard self.lastLines[Checksum.of(record.id)] == number else { return }
            let known = self.baseline[record.id]
            if let judged = JudgedRecord(record, json, baseline: known) { body(judged) }
        }
    }
}

/// A file format of the verdicts.
package enum ScanOutput: Hashable, Sendable {
    case junit, sarif, csv
    /// One page with all creatives.
    case wall

    /// The format of a file by the ending of its name; nil for others.
    package init?(ofFile path: String) {
        switch path.split(separator: ".").last.map({ String($0).asciiLowercased }) {
        case "xml": self = .junit
        case "sarif": self = .sarif
        case "csv": self = .csv
        default: return nil
        }
    }

    /// Writes a file; returns an error message on failure.
    package func write(_ results: ScanResults, to path: String) -> String? {
        switch self {
        case .junit: ScanJUnit.write(results, to: path)
        case .sarif: ScanSARIF.write(results, to: path)
        case .csv: ScanCSV.write(results, to: path)
        case .wall: ScanWall.write(results, to: path)
        }
    }

    /// Writes a beginning, a text for each creative, and an end.
    static func write(
        _ results: ScanResults,
        to path: String,
        beginning: String,
        end: String,
        _ text: (JudgedRecord) -> String
    ) -> String? {
        let draft = FileDraft(path)
        draft.write(beginning)
        do throws(ScanJournal.Failure) {
            try results.forEach { draft.write(text($0)) }
        } catch {
            return error.message
        }
        draft.write(end)
        return draft.commit()
    }
}
