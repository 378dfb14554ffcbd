import AdCore
import AdRuntime
import PlayConsole
import PlayScan
import SystemSupport

/// What a scan tells: a line for each creative, and at the end the sums and the outputs.
final class ScanReporter: Sendable {
    private struct State {
        var totals = ScanTotals()
        /// The checksums of the ids of the creatives that were judged.
        var ids: Set<UInt64> = []
    }

    /// What the outputs at the end are made of.
    struct Ending: Sendable {
        let policy: ScanPolicy
        let baseline: ScanBaseline
        let folder: ScanFolder
        let outputs: [(format: ScanOutput, path: String)]
        /// The time and the processor time; nil if creatives were scanned elsewhere.
        let used: (time: Duration, processor: Duration)?

        init(
            _ policy: ScanPolicy,
            _ baseline: ScanBaseline,
            _ folder: ScanFolder,
            outputs: [(format: ScanOutput, path: String)],
            used: (time: Duration, processor: Duration)?
        ) {
            self.policy = policy
            self.baseline = baseline
            self.folder = folder
            self.outputs = outputs
            self.used = used
        }
    }

    private let console: any Console
    private let isJSON: Bool
    private let isVerbose: Bool
    /// Whether outputs are written at the end, for which the ids are kept.
    private let keepsIDs: Bool
    private let state = Locked(State())

    init(_ console: any Console, isJSON: Bool, isVerbose: Bool, keepsIDs: Bool = true) {
        self.console = console
        self.isJSON = isJSON
        self.isVerbose = isVerbose
        self.keepsIDs = keepsIDs
    }

    var totals: ScanTotals { self.state.withLock(\.totals) }

    /// Prints a verdict, and counts it.
    func add(_ judged: JudgedRecord, isResumed: Bool = false) {
        self.state.withLock { state in
            if self.keepsIDs { state.ids.insert(Checksum.of(judged.record.id)) }
            state.totals.add(judged.verdict, isResumed: isResumed)
            // Under the lock, so that the lines of lanes do not mix.
            if self.isJSON { return self.console.out(judged.json.text()) }
            let style = Style(isColored: self.console.isColored)
            for line in ScanText.lines(judged, style, isVerbose: self.isVerbose) { self.console.out(line) }
        }
    }

    /// Writes the outputs, and prints the sums.
    func finish(_ ending: Ending) throws(PlayError) {
        if let failure = self.write(ending) { throw PlayError(.usage, failure) }
        let totals = self.totals
        guard !self.isJSON else {
            if let page = ending.folder.page {
                let line: AdJSON = ["event": "report", "path": .string(page)]
                self.console.out(line.text())
            }
            return self.console.out(totals.json(processorTime: ending.used?.processor ?? .zero).text())
        }
        self.summarize(ending.policy, used: ending.used)
        if let page = ending.folder.page { self.console.out("\n  report  \(page)") }
    }

    /// Prints the sums.
    func summarize(_ policy: ScanPolicy, used: (time: Duration, processor: Duration)?) {
        let style = Style(isColored: self.console.isColored)
        for line in ScanText.summary(self.totals, policy, used: used, style) { self.console.out(line) }
    }

    /// Writes the outputs; returns why one can't be written.
    private func write(_ ending: Ending) -> String? {
        let (totals, ids) = self.state.withLock { ($0.totals, $0.ids) }
        let outputs = ending.outputs + ending.folder.outputs
        guard !outputs.isEmpty else { return nil }
        do throws(ScanJournal.Failure) {
            let results = try ScanResults(
                ending.folder.journal,
                ending.policy,
                totals,
                baseline: ending.baseline,
                madeAt: SystemClock().wallTime
            ) { ids.contains($0) }
            var failure: String?
            for (format, path) in outputs { failure = failure ?? format.write(results, to: path) }
            return failure
        } catch {
            return error.message
        }
    }
}
