import AdCore
import AdMarkup
import ChromiumStage
import CurlTransport
import PlayConsole
import SQLiteLedger
import SandboxSSP

/// Looks at everything that may be missing or broken, and says what to do about it.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary =
        "say what is installed and works, what could be better, what is broken, and what to do"
    static let notes = [about]
    static let options: [any OptionDeclaration] = [
        CreativesOption.creatives, StageSelection.stage, OutputOptions.json, LedgerOptions.existing,
    ]

    let creatives: String?
    let stage: StageSelection.Kind?
    let isJSON: Bool
    let ledger: String?

    init(_ arguments: Arguments) throws(UsageError) {
        self.creatives = try arguments.value(CreativesOption.creatives)
        self.stage = try arguments.value(StageSelection.stage)
        self.isJSON = arguments.has(OutputOptions.json)
        self.ledger = try arguments.value(LedgerOptions.existing)
    }

    func run(on console: any Console) async -> ExitCode {
        var all: [Diagnosis] = []
        let style = Style(isColoured: console.isColoured)
        let width = console.proseWidth ?? Help.defaultWidth
        // Each is printed when it is known: a browser takes a while.
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
        let progress = Progress(ProgressLine("starting a browser"), on: console, isSilent: self.isJSON)
        let trial = await Probes.browser()
        progress?.end()
        print(.browser(trial, isAskedFor: self.stage == .chromium))
        print(.window(Probes.window()))
        let folder = CreativesFolder.chosen(self.creatives)
        print(.creatives(folder, Probes.creatives(in: folder)))
        print(.server(await Probes.server()))
        let parent = ChromiumPresenter.profileParent
        print(.temporaryFolder(parent, refusal: Probes.refusal(of: parent)))
        print(.leftovers(in: parent, before: before, after: ChromiumPresenter.leftovers()))
        if let ledger = self.ledger { print(.ledger(ledger, await Probes.ledger(ledger))) }
        return self.conclude(all, console)
    }

    private func conclude(_ all: [Diagnosis], _ console: any Console) -> ExitCode {
        if !self.isJSON { console.out("\n" + Diagnosis.summary(of: all)) }
        let broken = all.filter { $0.state == .broken }.map(\.check)
        if !broken.isEmpty {
            console.err("yabbi-play: broken: \(broken.joined(separator: ", ")); what was printed says what to do")
        }
        return Diagnosis.code(of: all)
    }

    private static let about = """
        Looks at the libraries, at the stages (a browser is started, with its sandbox and without a network, and shows a
        page), at the creatives, at the built-in server, at the folder for temporary files, and with --ledger at a
        ledger: whether the file is whole, and how its beacons are. What killed browsers left among temporary files is
        removed. Each line says fine, could be better or broken; with --json each is an object with check, state (fine,
        improvable, broken), found and cure. It ends with 0 where nothing is broken, with 5 where the browser is there
        or asked for by --stage chromium and shows nothing, or temporary files can't be written, with 4 where the server
        can't be asked or its creatives can't be read, and with 7 where the ledger is damaged or holds dead or
        unconfirmed beacons.
        """
}
