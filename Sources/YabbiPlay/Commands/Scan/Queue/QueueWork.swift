import AdCore
import LibC
import PlayConsole
import PlayQueue
import PlayScan
import PostgresClient

/// Scans what waits in a queue.
struct QueueWork: Command {
    static let name = "work"
    static let summary = "Scans what waits in a queue, until it is ended."
    static let operand = ScanCommand.operand
    static let options: [any OptionDeclaration] =
        [QueueOptions.queue, ScanOptions.jobs, lease, untilEmpty, metrics] + ScanSettings.local
        + [ScanOptions.verbose, OutputOptions.json]

    static let lease = Option(
        "--lease",
        .other("<seconds>"),
        "After how long without a sign of a worker others scan what it has claimed.",
        OptionValue.count(2...3600)
    ).default("60")
    static let untilEmpty = Flag("--until-empty", "End when nothing waits and no other worker scans.")
    static let metrics = Option(
        "--metrics",
        .other("<port>"),
        """
        Serve metrics for Prometheus at http://127.0.0.1:<port>/metrics; 0 chooses a port, 0.0.0.0:<port> serves other \
        computers too.
        """
    ) { (text, name) throws(UsageError) in
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let address = parts.count == 2 ? parts[0] : "127.0.0.1"
        guard let port = Int(parts[parts.count - 1]), (0...65_535).contains(port),
            ["127.0.0.1", "0.0.0.0"].contains(address)
        else {
            throw OptionValue.invalid(text, for: name, expected: "a port, as in 9464, or 0.0.0.0:9464")
        }
        return MetricsServer.Place(port: port, isEverywhere: address == "0.0.0.0")
    }

    let address: PostgresAddress
    let lanes: Int
    let lease: Duration
    let endsWhenEmpty: Bool
    let metrics: MetricsServer.Place?
    let isJSON: Bool
    let isVerbose: Bool
    /// Its options for each creative, as words of `scan`.
    let words: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        try QueueOptions.refuseOperands(arguments, for: "scan work")
        self.address = try QueueOptions.address(arguments)
        self.lanes = try arguments.value(ScanOptions.jobs) ?? ScanOptions.standardJobs
        self.lease = .seconds(try arguments.value(Self.lease))
        self.endsWhenEmpty = arguments.has(Self.untilEmpty)
        self.metrics = try arguments.value(Self.metrics)
        self.isJSON = arguments.has(OutputOptions.json)
        self.isVerbose = arguments.has(ScanOptions.verbose)
        self.words = arguments.words(of: ScanSettings.local)
        // What is wrong with a combination is told before anything is claimed.
        _ = try ScanSettings(stored: "[]", self.words)
    }

    /// Changes when the version or options of the worker change that measures depend on.
    var signature: String {
        String(Checksum.of(([CommandVersion.number] + self.words).joined(separator: "\n")), radix: 16)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await QueueOptions.withQueue(self.address, createsTables: true, console) { queue throws(PlayError) in
            let store = try await QueueOptions.call { () throws(QueueError) in
                try CreativeQueue(self.address, createsTables: false)
            }
            return try await QueueWorkerRun(self, queue, store, console).run()
        }
    }
}
