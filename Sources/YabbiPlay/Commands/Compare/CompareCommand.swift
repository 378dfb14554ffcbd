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
    static let options: [any OptionDeclaration] = [OutputOptions.json, policy]

    private static let kinds = RunDifference.Kind.allCases.map(\.rawValue)

    static let policy = Option(
        "--policy",
        .words(kinds + ["all", "none"], placeholder: "<kind>,<kind>"),
        "The kinds of differences that lead to exit code 6: \(kinds.joined(separator: ", ")), all or none.",
        CompareCommand.policy
    ).default("all")

    /// The paths of the runs.
    let a: String
    let b: String
    /// The kinds of differences that are an error.
    let policy: Kinds
    let isJSON: Bool

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
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        let browser = try? SharedChromium(ChromiumOptions(), screen: Size(width: 100, height: 100), limit: 1)
        let code = try await self.run(on: console, comparing: BrowserPictures(browser: browser))
        await browser?.close()
        return code
    }

    func run(on console: any Console, comparing pictures: (any PictureComparing)?) async throws(PlayError) -> ExitCode {
        let a = try RunReading.run(self.a)
        let b = try RunReading.run(self.b)
        let comparison = await RunComparison.comparing(a, b, pictures: pictures)
        if self.isJSON {
            for difference in comparison.differences where console.loss == nil { console.out(difference.json.text()) }
            console.out(comparison.json(self.policy).text())
        } else {
            let style = Style(isColored: console.isColored)
            console.out(Self.line("A", self.a, a.title, style))
            console.out(Self.line("B", self.b, b.title, style))
            for line in comparison.lines(style) where console.loss == nil { console.out(line) }
            console.out(comparison.summary(self.policy, style))
        }
        return comparison.count(self.policy) > 0 ? .invalidCreative : .done
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
          console   Console messages, script errors and failed requests.
          lint      Findings by rule and message.
        Ads are matched by name and position. Ports of this computer, ids, long numbers, random tokens, timestamps and the
        order of the parameters of a URL do not count. A trace has no pictures and findings, and does not say why a tracker
        did not fire.
        """
}
