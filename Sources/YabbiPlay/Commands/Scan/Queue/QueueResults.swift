import AdCore
import PlayConsole
import PlayQueue
import PlayScan
import PostgresClient

/// Prints the verdicts of a queue, and writes them as a scan on this computer does.
struct QueueResults: Command {
    static let name = "results"
    static let summary = "Prints the verdicts, or writes them as a page or a file."
    static let operand = ScanCommand.operand
    static let options: [any OptionDeclaration] = [
        QueueOptions.queue, QueueOptions.label, policy, wait, report, ScanOptions.baseline,
        ScanOptions.output, ScanOptions.verbose, OutputOptions.json,
    ]

    /// For `submit`, the option of this name chooses the policy; here it selects verdicts.
    static let policy = ScanOptions.policy
    static let report = Option(
        "--report",
        .folder,
        "Write index.html, pictures and journal.jsonl to this folder, in place of an earlier page.",
        OptionValue.path("folder")
    )
    static let wait = Flag("--wait", "Wait until no creative is without a verdict.")

    private let address: PostgresAddress
    private let label: String?
    private let policyName: String?
    private let waits: Bool
    private let folder: String?
    private let baseline: String?
    private let outputs: [(format: ScanOutput, path: String)]
    private let isJSON: Bool
    private let isVerbose: Bool

    /// How many results are read at once.
    private static let page = 200
    private static let pollInterval = Duration.seconds(1)

    init(_ arguments: Arguments) throws(UsageError) {
        try QueueOptions.refuseOperands(arguments, for: "scan results")
        self.address = try QueueOptions.address(arguments)
        self.label = try arguments.value(QueueOptions.label)
        self.policyName = arguments.has(Self.policy) ? try arguments.value(Self.policy) : nil
        self.waits = arguments.has(Self.wait)
        self.folder = try arguments.value(Self.report)
        self.baseline = try arguments.value(ScanOptions.baseline)
        self.outputs = try arguments.values(ScanOptions.output)
        self.isJSON = arguments.has(OutputOptions.json)
        self.isVerbose = arguments.has(ScanOptions.verbose)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let baseline = try ScanSession.baseline(self.baseline)
        let folder = try ScanFolder(self.folder, self.outputs)
        return try await QueueOptions.withQueue(self.address, console) { queue throws(PlayError) in
            let used = try await self.usedPolicy(of: queue)
            let policy = try self.policy(used.policy)
            if self.waits { try await self.wait(for: queue, used, console) }
            // Before the results are read: what is judged meanwhile may be missing in them.
            let open = try await self.open(in: queue, used)
            let reporter = ScanReporter(console, isJSON: self.isJSON, isVerbose: self.isVerbose)
            let journal = try self.journal(in: folder)
            try await self.read(queue, used, policy, baseline, folder) { judged in
                journal.append(judged)
                reporter.add(judged)
            }
            if let reason = journal.lostReason { throw PlayError(.usage, reason) }
            try reporter.finish(ScanReporter.Ending(policy, baseline, folder, outputs: self.outputs, used: nil))
            return try self.code(reporter.totals, open: open)
        }
    }

    private func journal(in folder: ScanFolder) throws(PlayError) -> ScanJournal {
        do throws(ScanJournal.Failure) {
            return try ScanJournal(folder.journal, isNew: true)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// How many creatives have no verdict by a policy.
    private func open(in queue: CreativeQueue, _ used: UsedPolicy) async throws(PlayError) -> Int {
        try await QueueOptions.call { () throws(QueueError) in try await queue.open(self.label, by: used.number) }
    }

    private func wait(
        for queue: CreativeQueue,
        _ used: UsedPolicy,
        _ console: any Console
    ) async throws(PlayError) {
        while !Task.isCancelled, console.loss == nil {
            let start = ContinuousClock.now
            let open = try await self.open(in: queue, used)
            guard open > 0 else { break }
            if !self.isJSON, console.showsProgress {
                console.showProgress("\(Quantity.text(open, "creative")) without a verdict")
            }
            // In a large queue counting takes a while: most of the time the server is left alone.
            try? await Task.sleep(for: max(Self.pollInterval, (.now - start) * 10))
        }
        console.showProgress(nil)
    }

    /// The policy whose verdicts are read: the only one, or the one that the option names.
    private func usedPolicy(of queue: CreativeQueue) async throws(PlayError) -> UsedPolicy {
        let all = try await QueueOptions.call { () throws(QueueError) in try await queue.policies(self.label) }
        guard !all.isEmpty else {
            let name = self.label.map { " of \(Style.printable($0))" } ?? ""
            throw PlayError(.usage, "the queue has no creatives\(name); scan submit adds some")
        }
        guard let name = self.policyName else {
            guard all.count > 1 else { return all[0] }
            let known = all.prefix(5).map { used in
                """
                \(Style.printable(used.policy.name)) (version \(Style.printable(used.policy.version)), \
                \(Quantity.text(used.count, "creative")))
                """
            }
            throw PlayError(
                .usage,
                "there are verdicts by several policies; choose one with --policy: \(OptionValue.list(known))"
            )
        }
        // The newest version of a name comes first.
        let version = try? ScanSession.source(name).policy().version
        guard
            let used = all.first(where: { $0.policy.version == version })
                ?? all.first(where: { $0.policy.name == name || $0.policy.version == name })
        else {
            let known = all.prefix(5).map { Style.printable($0.policy.name) }
            throw PlayError(
                .usage,
                "there are no verdicts by the policy \(Style.printable(name)); there are by \(OptionValue.list(known))"
            )
        }
        return used
    }

    private func policy(_ queued: QueuedPolicy) throws(PlayError) -> ScanPolicy {
        do throws(PolicyError) {
            return try PolicySource(stored: queued.files).policy()
        } catch {
            throw PlayError(.usage, "the policy \(Style.printable(queued.name)) can't be used: \(error.message)")
        }
    }

    /// Reads results page by page, and writes their pictures.
    private func read(
        _ queue: CreativeQueue,
        _ used: UsedPolicy,
        _ policy: ScanPolicy,
        _ baseline: ScanBaseline,
        _ folder: ScanFolder,
        _ add: (JudgedRecord) -> Void
    ) async throws(PlayError) {
        var last: Int64 = 0
        while true {
            let start = last
            let page = try await QueueOptions.call { () throws(QueueError) in
                try await queue.results(self.label, by: used.number, after: start, limit: Self.page)
            }
            for creative in page {
                var judged = self.judged(creative, policy, baseline[creative.name])
                if self.folder != nil, creative.hasPicture,
                    let picture = try await QueueOptions.call({ () throws(QueueError) in
                        try await queue.picture(of: creative.id)
                    })
                {
                    judged.record.picture = try folder.write(picture, of: creative.name)
                }
                add(judged)
                last = creative.id
            }
            if page.count < Self.page { return }
        }
    }

    /// The verdict that is stored, or that on a creative that was set aside: it has failed.
    private func judged(
        _ creative: EndedCreative,
        _ policy: ScanPolicy,
        _ baseline: [String: ScanLevel]
    ) -> JudgedRecord {
        let failure: String
        switch creative.outcome {
        case .judged(let text):
            if let json = try? AdJSON.reading(Array(text.utf8)).json, let record = ScanRecord(json),
                let judged = JudgedRecord(record, json, baseline: baseline)
            {
                return judged
            }
            failure = "its verdict in the queue can't be read; scan retry lets it be scanned again"
        case .setAside(let reason): failure = "set aside: \(reason)".excerpt(600)
        }
        let item = ScanItem(creative.name, .invalid(failure), from: creative.source)
        let reason = ScanReason("failure", .fail, failure)
        return JudgedRecord(ScanRecord(item, failure: failure), failing: reason, policy)
    }

    private func code(_ totals: ScanTotals, open: Int) throws(PlayError) -> ExitCode {
        if totals[.fail] > 0 { return .invalidCreative }
        guard open == 0 else {
            throw PlayError(
                .showFailed,
                "\(Quantity.text(open, "creative")) without a verdict; wait for them with --wait, and start scan work"
            )
        }
        return .done
    }
}
