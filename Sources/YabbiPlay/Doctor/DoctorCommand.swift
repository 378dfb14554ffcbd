import AdCore
import AdMarkup
import ChromiumStage
import CurlTransport
import LoopbackServer
import PlayConsole
import PlayStages
import SQLiteLedger
import SandboxSSP

/// Checks the environment of the command.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary =
        "Check libraries, browser, creatives, built-in server and ledger."
    static let discussion = [about, aboutPrivacy]
    static let exitCodes: [ExitCode] = [.done, .usage, .loadFailed, .showFailed, .beacons]
    static let exitCodeMeanings: [ExitCode: String] = [
        .loadFailed: "libcurl, the built-in server or the creatives failed.",
        .showFailed: "The browser or the temporary folder failed.",
        .beacons: "SQLite or the ledger failed.",
    ]
    static let options: [any OptionDeclaration] =
        [
            CreativesOption.creatives, StageSelection.stage, OutputOptions.json, LedgerOptions.existing,
        ] + PrivacyOptions.options

    /// Nil for the checks of the environment.
    let privacy: PrivacyOptions?
    let creatives: String?
    let stage: StageSelection.Kind?
    let isJSON: Bool
    let ledger: String?

    init(_ arguments: Arguments) throws(UsageError) {
        self.creatives = try arguments.value(CreativesOption.creatives)
        self.stage = try arguments.value(StageSelection.stage)
        self.isJSON = arguments.has(OutputOptions.json)
        self.ledger = try arguments.value(LedgerOptions.existing)
        self.privacy = try PrivacyOptions(arguments)
        guard self.privacy != nil else { return }
        try arguments.refuse(
            [CreativesOption.creatives, StageSelection.stage, LedgerOptions.existing],
            "can't be combined with --privacy, which checks nothing else; remove one of them"
        )
    }

    func run(on console: any Console) async -> ExitCode {
        var all: [Diagnosis] = []
        let style = Style(isColored: console.isColored)
        let width = console.proseWidth ?? Help.defaultWidth
        if let privacy {
            let report = PrivacyReport(privacy.context)
            for line in self.isJSON ? [report.json.text()] : report.lines(style, width: width) { console.out(line) }
            return .done
        }
        // Each result is printed at once, because starting a browser takes time.
        func print(_ diagnosis: Diagnosis) {
            all.append(diagnosis)
            if self.isJSON { return console.out(diagnosis.json.text()) }
            for line in diagnosis.lines(style, width: width) { console.out(line) }
        }
        print(.version)
        print(.curl(.present))
        print(.markup(version: MarkupLibrary.version))
        print(.sqlite(version: LedgerLibrary.version, isNewEnough: LedgerLibrary.isNewEnough))
        print(.microhttpd(version: ServerLibrary.version))
        print(.terminal(isThere: console.isTerminal, width: console.width))
        let before = ChromiumPresenter.leftovers()
        for engine in BrowserEngineKind.allCases {
            let progress = Progress(ProgressLine("starting a browser"), on: console, isSilent: self.isJSON)
            let browser = await Probes.browser(engine)
            progress?.end()
            print(.browser(browser, engine, isRequired: self.stage?.engine == engine))
        }
        print(.window(Probes.window()))
        let folder = CreativesFolder.chosen(self.creatives)
        print(.creatives(folder, Probes.creatives(in: folder)))
        print(.server(await Probes.server()))
        let parent = ChromiumPresenter.profileParent
        print(.temporaryFolder(parent, writeError: Probes.writeError(in: parent)))
        print(.leftovers(in: parent, before: before, after: ChromiumPresenter.leftovers()))
        if let ledger = self.ledger { print(.ledger(ledger, await Probes.ledger(ledger))) }
        return self.conclude(all, console)
    }

    private func conclude(_ all: [Diagnosis], _ console: any Console) -> ExitCode {
        if !self.isJSON { console.out("\n" + Diagnosis.summary(of: all)) }
        let broken = all.filter { $0.state == .broken }.map(\.check)
        if !broken.isEmpty {
            console.err("yabbi-play: failed checks: \(broken.joined(separator: ", ")); see the output above")
        }
        return Diagnosis.code(of: all)
    }

    private static let about = """
        Starts each browser with its sandbox and without network, starts the built-in server, and with --ledger checks the
        ledger file and its beacons. Removes the temporary profiles that killed browsers left. Each result is ok, warning or
        error, with a fix; with --json it is an object with check, state (fine, improvable, broken), found, fix, and its
        former name cure. The check browser is Chromium, and webkit the helper of make webkit; a missing one is an error
        only with its --stage.
        """

    private static let aboutPrivacy = """
        With --privacy it checks nothing, but decodes consent signals and prints which data may leave the device and why
        not; a signal that can't be read is an issue, and counts as a refusal.
        """
}
