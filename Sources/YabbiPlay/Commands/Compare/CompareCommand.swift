import AdCore
import ChromiumStage
import PlayCompare
import PlayConsole
import PlayText

/// Compares two runs: yesterday's tag and today's, or one tag on two devices.
struct CompareCommand: Command {
    typealias Kinds = Set<RunDifference.Kind>

    static let name = "compare"
    static let usage = "compare <run> <run>"
    static let summary = "Compare two runs, and report what differs."
    static let operand = Operand.many(.file(placeholder: "<run>"))
    static let operandSummary =
        "Two runs, A and B: the folder of a report, its report.html, or a trace recorded with --trace."
    static let discussion = [whatIsCompared]
    static let exitCodes: [ExitCode] = [.done, .usage, .loadFailed, .invalidCreative]
    static let exitCodeMeanings: [ExitCode: String] = [
        .loadFailed: "A run can't be read.", .invalidCreative: "The runs differ in a kind that --policy names.",
    ]
    static let options: [any OptionDeclaration] = [OutputOptions.json, policy, report]

    private static let kinds = RunDifference.Kind.allCases.map(\.rawValue)

    static let policy = Option(
        "--policy",
        .words(kinds + ["all", "none"], placeholder: "<kind>,<kind>"),
        "The kinds of differences that lead to exit code 6: \(kinds.joined(separator: ", ")), all or none.",
        CompareCommand.policy
    ).default("all")

    static let report = Option(
        "--report",
        .folder,
        "Write report.html with both runs side by side to this folder.",
        OptionValue.path("folder")
    )

    /// The paths of the runs.
    let a: String
    let b: String
    /// The kinds of differences that are an error.
    let policy: Kinds
    let isJSON: Bool
    /// The folder of the page; nil for none.
    let report: String?

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.operands.count == 2 else {
            let given = arguments.operands.count
            throw UsageError(
                given < 2
                    ? "missing argument <run>; name two report folders, report.html files or traces"
                    : "compare takes two runs, not \(given); remove the others"
            )
        }
        self.a = arguments.operands[0]
        self.b = arguments.operands[1]
        self.policy = try arguments.value(Self.policy)
        self.isJSON = arguments.has(OutputOptions.json)
        self.report = try arguments.value(Self.report)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try await self.run(on: console, comparing: BrowserPictures.comparing)
    }

    func run(
        on console: any Console,
        comparing compare: (ComparedRun, ComparedRun) async -> RunComparison
    ) async throws(PlayError) -> ExitCode {
        let page = try self.report.map { (folder) throws(PlayError) in try ComparisonFile(in: folder) }
        let a = try RunReading.run(self.a)
        let b = try RunReading.run(self.b)
        let comparison = await compare(a, b)
        if !self.isJSON {
            let style = Style(isColored: console.isColored)
            console.out(Self.line("A", self.a, a.title, style))
            console.out(Self.line("B", self.b, b.title, style))
        }
        ComparisonOutput(comparison, "A", "B", failing: self.policy, isJSON: self.isJSON).print(on: console)
        let sides = (ComparisonPage.Side("A", a), ComparisonPage.Side("B", b))
        try page?.write(self.title, sides.0, sides.1, comparison, isJSON: self.isJSON, on: console)
        return comparison.count(self.policy) > 0 ? .invalidCreative : .done
    }

    private var title: String {
        "compare " + [self.a, self.b].map { Style.printable($0, upTo: 400) }.joined(separator: " ")
    }

    private static func line(_ side: String, _ path: String, _ title: String, _ style: Style) -> String {
        let about = title.isEmpty ? "" : "  " + style.dim(Style.printable(title))
        return "\(style.bold(side))  \(Style.printable(path, upTo: 400))\(about)"
    }

    private static func policy(_ text: String, _ name: String) throws(UsageError) -> Kinds {
        let words = text.split(separator: ",").map(\.trimmed)
        switch words {
        case ["all"]: return Set(RunDifference.Kind.allCases)
        case ["none"]: return []
        default: break
        }
        let known = self.kinds.joined(separator: ", ")
        guard !words.isEmpty else {
            throw UsageError("the value of \(name) is empty; expected all, none or some of \(known)")
        }
        var kinds: Kinds = []
        for word in words {
            guard let kind = RunDifference.Kind(rawValue: word) else {
                guard !["all", "none"].contains(word) else {
                    throw UsageError("\(name) takes \(word) alone; remove the other kinds, or \(word)")
                }
                let hint = OptionValue.hint(for: word, among: self.kinds + ["all", "none"])
                throw OptionValue.invalid(word, for: name, expected: "all, none or some of \(known)\(hint)")
            }
            kinds.insert(kind)
        }
        return kinds
    }

    private static let whatIsCompared = """
        Differences are listed by kind, the worst first.
          tracker   What became of the tracker of an event and a URL: delivered, unconfirmed, dead, not fired, or absent.
          event     What happened to the ad, in which order and by which rule; times do not count.
          request   Number, status, type, size and failure of the requests of a URL. A size differs by 20 % and 10 kB.
          picture   Screenshots with the same caption: more than 0.1 % of their pixels. That needs Chromium.
          layout    Where the creative was on the screen, to a point; not in containers of different sizes.
          console   Console messages, script errors and failed requests.
          lint      Findings by rule and message.
        Ads are matched by name and position. Ports of this computer, ids, long numbers, random tokens, timestamps and the
        order of the parameters of a URL do not count. A trace has no pictures and findings, and does not say why a tracker
        did not fire.
        """
}
