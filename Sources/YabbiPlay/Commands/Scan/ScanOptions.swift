import AdCore
import LibC
import PlayConsole
import PlayScan
import PlayStages

/// The options of a scan.
struct ScanOptions: Sendable {
    static let policy = Option(
        "--policy",
        .words(PolicyLibrary.names, placeholder: "<name or file>"),
        "The policy: \(PolicyLibrary.names.joined(separator: ", ")), or a file.",
        OptionValue.text
    ).default(PolicyLibrary.defaultName)
    static let jobs = Option(
        "--jobs",
        .other("<number>"),
        "How many creatives are shown at the same time.",
        otherwise: "twice the processors",
        OptionValue.count(1...64)
    )
    static let report = Option(
        "--report",
        .folder,
        "Write index.html, pictures and journal.jsonl to this folder; go on with the scan that is in it.",
        OptionValue.path("folder")
    )
    static let baseline = Option(
        "--baseline",
        .file,
        "The journal.jsonl of an earlier scan: what it has fails no creative again.",
        OptionValue.text
    )
    static let output = Option(
        "--output",
        .file,
        "Write the verdicts to a file: JUnit (.xml), SARIF (.sarif) or CSV with measures (.csv). Repeatable.",
        isRepeatable: true
    ) { (text, name) throws(UsageError) -> (format: ScanOutput, path: String) in
        guard let format = ScanOutput(ofFile: text) else {
            throw OptionValue.invalid(text, for: name, expected: "a file that ends in .xml, .sarif or .csv")
        }
        return (format, text)
    }
    static let watch = Option(
        "--watch",
        .other("<seconds>"),
        "How long a creative is watched at least. Videos are watched to their end.",
        OptionValue.seconds
    ).default("1")
    static let noTap = Flag("--no-tap", "Do not tap creatives.")
    static let noFollow = Flag("--no-follow", "Do not follow click-through URLs.")
    static let speed = Option(
        "--speed",
        .other("<factor>"),
        "Run videos and close delays faster, by a factor from 1 to 16.",
        OptionValue.number(1...16)
    ).default("8")
    static let verbose = Flag("--verbose", aliases: ["-v"], "Print all creatives, with all reasons.")
    static let measures = Flag("--measures", "List the measures that policies can name.")
    static let markdown = Flag("--markdown", "With --measures, print the measures as Markdown.")
    static let showPolicy = Option(
        "--show-policy",
        .word(PolicyLibrary.names + ["base"]),
        "Print a built-in policy."
    ) { (text, name) throws(UsageError) in
        guard PolicyLibrary.text(of: text) != nil else {
            let words = PolicyLibrary.names + ["base"]
            let hint = OptionValue.hint(for: text, among: words)
            throw OptionValue.invalid(text, for: name, expected: OptionValue.list(words) + hint)
        }
        return text
    }

    static let own: [any OptionDeclaration] = [
        policy, jobs, report, baseline, output, watch, noTap, noFollow, speed, verbose, measures, markdown,
        showPolicy,
    ]

    /// The options of `show` that a scan passes on for each creative.
    static let shared: [any OptionDeclaration] =
        [PlacementQuery.format, RunOptions.size, RunOptions.timeout]
        + [AppOptions.bundle] + SimulationOptions.options + [StageSelection.allowedHost, StageSelection.noSandbox]

    let sources: [String]
    let policyName: String
    let jobs: Int
    let report: String?
    let baseline: String?
    let outputs: [(format: ScanOutput, path: String)]
    let watch: Duration
    let taps: Bool
    let follows: Bool
    let timeout: Duration
    let isJSON: Bool
    let isVerbose: Bool
    /// The words of `show` for each creative.
    private let words: [String]

    init(_ arguments: Arguments) throws(UsageError) {
        self.sources = arguments.operands
        guard !self.sources.isEmpty else {
            throw UsageError(
                "missing argument <source>; name files, folders, URLs, lists or - (standard input) to scan"
            )
        }
        guard self.sources.count(where: { $0 == "-" }) < 2 else { throw UsageError("- can be given only once") }
        self.policyName = try arguments.value(Self.policy)
        self.jobs = try arguments.value(Self.jobs) ?? max(1, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.report = try arguments.value(Self.report)
        self.baseline = try arguments.value(Self.baseline)
        self.outputs = try arguments.values(Self.output)
        self.watch = try arguments.value(Self.watch)
        self.taps = !arguments.has(Self.noTap)
        self.follows = !arguments.has(Self.noFollow)
        if !self.taps, !self.follows { throw UsageError("--no-tap leaves no click to follow; remove --no-follow") }
        let speed = try arguments.value(Self.speed)
        self.timeout = try arguments.value(RunOptions.timeout)
        self.isJSON = arguments.has(OutputOptions.json)
        self.isVerbose = arguments.has(Self.verbose)
        self.words = arguments.words(of: Self.shared) + ["--stage=chromium", "--speed=\(AdJSON.double(speed).text())"]
        // What is wrong with a combination is told before the scan.
        _ = try self.run(of: ScanItem("", .markup([]), from: ""))
    }

    /// Changes when options change that a creative's measures depend on.
    var signature: String {
        let texts = self.words + ["\(self.watch)", "\(self.taps)", "\(self.follows)", CommandVersion.number]
        return String(Checksum.of(texts.joined(separator: "\n")), radix: 16)
    }

    /// The run of `show` for a creative.
    func run(of item: ScanItem) throws(UsageError) -> LoadRun {
        var words = self.words
        if let format = item.format {
            words.removeAll { $0.hasPrefix("--format=") }
            words.append("--format=\(format.rawValue)")
        }
        if let size = item.size {
            words.removeAll { $0.hasPrefix("--size=") }
            words.append("--size=\(AdJSON.double(size.width).text())x\(AdJSON.double(size.height).text())")
        }
        var bytes: [UInt8]?
        let text: String
        switch item.content {
        case .path(let path), .url(let path): text = path
        case .markup(let markup): (text, bytes) = (item.id.isEmpty ? "markup" : item.id, markup)
        case .invalid(let reason): throw UsageError(reason)
        }
        let command = try ShowCommand(try Arguments(words + ["--", text], for: ShowCommand.self))
        guard case .show(var run, _) = command.action else { throw UsageError("the creative is not shown") }
        run.query = run.query.serving(bytes, isDirect: true)
        return run
    }
}
