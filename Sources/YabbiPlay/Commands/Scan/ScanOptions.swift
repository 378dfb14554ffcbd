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
    static let maxAge = Option(
        "--max-age",
        .other("<hours>"),
        "With --report: scan creatives again whose verdict in the folder is older. 0 scans all again.",
        otherwise: "only creatives that have changed",
        OptionValue.hours
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
        policy, jobs, report, maxAge, baseline, output, verbose, measures, markdown, showPolicy,
    ]

    let sources: [String]
    let policyName: String
    let jobs: Int
    let report: String?
    /// How old verdicts of an earlier scan may be; nil for any age.
    let maxAge: Duration?
    let baseline: String?
    let outputs: [(format: ScanOutput, path: String)]
    let settings: ScanSettings
    let isJSON: Bool
    let isVerbose: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        self.sources = try Self.sources(arguments.operands)
        self.policyName = try arguments.value(Self.policy)
        self.jobs = try arguments.value(Self.jobs) ?? Self.standardJobs
        self.report = try arguments.value(Self.report)
        self.maxAge = try arguments.value(Self.maxAge)
        if self.maxAge != nil, self.report == nil {
            throw UsageError("--max-age is about the verdicts in a folder; name it with --report")
        }
        self.baseline = try arguments.value(Self.baseline)
        self.outputs = try arguments.values(Self.output)
        self.settings = try ScanSettings(arguments)
        self.isJSON = arguments.has(OutputOptions.json)
        self.isVerbose = arguments.has(Self.verbose)
    }

    static var standardJobs: Int { max(1, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    static func sources(_ operands: [String]) throws(UsageError) -> [String] {
        guard !operands.isEmpty else {
            throw UsageError(
                "missing argument <source>; name files, folders, URLs, lists or - (standard input) to scan"
            )
        }
        guard operands.count(where: { $0 == "-" }) < 2 else { throw UsageError("- can be given only once") }
        return operands
    }
}
