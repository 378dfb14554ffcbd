import AdCore
import PlayConsole
import PlayScan
import PlayStages

/// Loads, shows, taps and measures many creatives, and judges each by a policy.
struct ScanCommand: Command {
    static let name = "scan"
    static let usage = "scan <source>…"
    static let summary = "Load, show, tap, measure and judge many creatives or tags by a policy."
    static let discussion = [ScanDiscussion.sources, ScanDiscussion.policies, ScanDiscussion.reports]
    static let operand = Operand.many(.file(placeholder: "<source>"))
    static let operandSummary = """
        Files, folders, zips, http(s) URLs, lists (.txt with a path or URL in each line, .jsonl with JSON objects), or - \
        for standard input.
        """
    static let exitCodes: [ExitCode] = [.done, .usage, .showFailed, .invalidCreative]
    static let exitCodeMeanings: [ExitCode: String] = [
        .showFailed: "The scan was interrupted, or no browser is installed.",
        .invalidCreative: "A creative fails by the policy, for a reason that the baseline does not have.",
    ]
    static let options: [any OptionDeclaration] =
        ScanOptions.own + ScanOptions.shared + [OutputOptions.json]

    enum Action: Sendable {
        case scan(ScanOptions)
        /// Prints the measures.
        case listMeasures(ScanText.MeasureFormat)
        /// Prints the text of a built-in policy.
        case showPolicy(String)
    }

    let action: Action

    init(_ arguments: Arguments) throws(UsageError) {
        let listing = [ScanOptions.measures, ScanOptions.showPolicy] as [any OptionDeclaration]
        if let given = arguments.given(listing).first {
            guard arguments.operands.isEmpty else {
                throw UsageError("\(given) scans nothing; remove it, or the sources")
            }
            let allowed = (listing + [ScanOptions.markdown]).map(\.name)
            let others = ScanOptions.own.filter { !allowed.contains($0.name) } + ScanOptions.shared
            try arguments.refuse(others, "can't be combined with \(given); remove one of them")
            if let name = try arguments.value(ScanOptions.showPolicy) {
                self.action = .showPolicy(name)
            } else {
                let isMarkdown = arguments.has(ScanOptions.markdown)
                self.action = .listMeasures(isMarkdown ? .markdown : arguments.has(OutputOptions.json) ? .json : .text)
            }
            return
        }
        if arguments.has(ScanOptions.markdown) { throw UsageError("--markdown requires --measures") }
        self.action = .scan(try ScanOptions(arguments))
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        switch self.action {
        case .scan(let options): return try await ScanSession(options, on: console).run()
        case .listMeasures(let format):
            for line in ScanText.measures(format, Style(isColored: console.isColored)) { console.out(line) }
        case .showPolicy(let name):
            let text = PolicyLibrary.text(of: name) ?? ""
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                console.out(String(line))
            }
        }
        return .done
    }
}

/// The help about scans.
enum ScanDiscussion {
    static let sources = """
        Each creative runs without the cookies, storage and caches of the others. A folder with an index.html is one creative;
        in other folders, each .html, .xml, .vast, .vmap or .zip file and each folder is. An object of a .jsonl list has
        file, url, markup or tag (a URL or markup), and may have id, format and size.

        Trackers are called as in show, which may count impressions and clicks at real servers; --no-beacons prevents
        that. The click-through URL is followed to the landing page, but never to this computer or its network;
        --no-follow leaves it. Videos and close delays run at --speed; scripts and animations of a creative do not.
        """

    static let policies = """
        A policy is a file with a rule in each line, or one of \(PolicyLibrary.names.joined(separator: ", ")).
          fail bytes.initial > 200 kB      A measure with a limit; --measures lists them.
          html warn tap is nothing         Only for html, video, card or page.
          warn hosts has *.ads.example     A list that has a text; * stands for anything.
          fail lint error                  Findings of lint, by severity or by rule.
          allow fingerprinting             Takes back what extended policies say.
          extends iab-lean                 A built-in policy, or the path of a file.
          except a-* storage               Accepts it of some creatives; also: until 2026-12-31.
        """

    static let reports = """
        With --report, the folder gets index.html with all creatives, their pictures, and journal.jsonl. The same command
        goes on where a scan was ended or killed, scans changed creatives again, and judges the others by the current
        policy. --baseline takes such a journal: reasons that it has do not fail a creative again.
        """
}
