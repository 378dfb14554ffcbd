import AdCore
import PlayConsole
import PlayScan
import PlayStages

/// Loads, shows, taps and measures many creatives, and judges each by a policy.
///
/// With a queue, its first operand says what is done with it.
struct ScanCommand: Command {
    static let name = "scan"
    static let usage = "scan <source>… | scan --queue <database> <\(actions)> [<source>…]"
    static let summary = "Load, show, tap, measure and judge many creatives or tags by a policy."
    static let discussion = [
        ScanDiscussion.sources, ScanDiscussion.policies, ScanDiscussion.reports, ScanDiscussion.queue,
    ]
    static let operand = Operand.many(.file(placeholder: "<source>"))
    static let operandSummary = """
        Files, folders, zips, http(s) URLs, lists (.txt with a path or URL in each line, .jsonl with JSON objects), or - \
        for standard input.
        """
    static let exitCodes: [ExitCode] = [.done, .usage, .showFailed, .invalidCreative]
    static let exitCodeMeanings: [ExitCode: String] = [
        .showFailed: "The scan was interrupted, no browser is installed, or results have no verdict yet.",
        .invalidCreative: "A creative fails by the policy, for a reason that the baseline does not have.",
    ]
    private static let own: [any OptionDeclaration] =
        ScanOptions.own + ScanSettings.own + ScanSettings.shared + [OutputOptions.json]

    /// What can be done with a queue.
    static let members: [any Command.Type] = [
        QueueSubmit.self, QueueWork.self, QueueStatus.self, QueueResults.self, QueueRetry.self,
    ]
    private static let actions = members.map { $0.name }.joined(separator: "|")

    /// The options of all, each once.
    static let options: [any OptionDeclaration] = {
        var seen: Set<String> = []
        return (own + members.flatMap { $0.options }).filter { seen.insert($0.name).inserted }
    }()

    static var optionGroups: [(command: String, options: [any OptionDeclaration])] {
        [(self.name, self.own)] + self.members.map { ("\(self.name) \($0.name)", $0.options) }
    }

    static func command(_ arguments: Arguments) throws(UsageError) -> any Command {
        let word = arguments.operands.first
        let member = self.members.first { $0.name == word }
        guard arguments.has(QueueOptions.queue) else {
            if let member, let word, !SourceReader.exists(word) {
                throw UsageError("scan \(member.name) requires --queue postgres://host/database")
            }
            try self.refuse(arguments, beyond: self.own, for: self.name)
            return try Self(arguments)
        }
        guard let member else {
            let words = self.members.map { $0.name }
            guard let word else { throw UsageError("missing argument <\(self.actions)> for --queue") }
            let hint = OptionValue.hint(for: word, among: words)
            let shown = Redaction.address(word).excerpt(60)
            throw UsageError(
                "invalid argument \u{201C}\(shown)\u{201D} for --queue; expected \(OptionValue.list(words))\(hint)"
            )
        }
        try self.refuse(arguments, beyond: member.options, for: "scan \(member.name)")
        return try member.command(arguments.narrowed(to: member, dropping: 1))
    }

    /// Throws if an option was given that only others have.
    private static func refuse(
        _ arguments: Arguments,
        beyond own: [any OptionDeclaration],
        for name: String
    ) throws(UsageError) {
        let names = Set(own.map(\.name))
        guard let given = arguments.given(self.options.filter { !names.contains($0.name) }).first else { return }
        let owners = self.optionGroups.filter { $0.options.contains { $0.name == given } }
        throw UsageError("\(given) is for \(OptionValue.list(owners.map(\.command))); remove it for \(name)")
    }

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
            let others = Self.own.filter { $0.name != OutputOptions.json.name && !allowed.contains($0.name) }
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

    static let queue = """
        With --queue, computers share the work through a PostgreSQL database (docs/FLEET.md): submit stores creatives with
        their bytes and the policy, work scans what waits, on any number of computers, status and results read what became
        of it, and retry lets creatives be scanned again. A creative has one verdict for each version of a policy. One that
        ends three workers is set aside.
        """

    static let reports = """
        With --report, the folder gets index.html with all creatives, their pictures, and journal.jsonl. The same command
        goes on where a scan was ended or killed, scans changed creatives again, and judges the others by the current
        policy. --baseline takes such a journal: reasons that it has do not fail a creative again.
        """
}
