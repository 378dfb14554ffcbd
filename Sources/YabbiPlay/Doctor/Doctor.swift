import AdCore
import AdMarkup
import ChromiumStage
import CurlTransport
import SQLiteLedger
import SandboxSSP

/// Looks at everything that may be missing or broken, and says what to do about it.
enum Doctor {
    static func run(_ settings: Settings, _ console: any Console) async -> ExitCode {
        var all: [Diagnosis] = []
        let style = Style(isColoured: console.isColoured)
        let width = console.proseWidth ?? Help.usualWidth
        // Each is told when it is known: a browser takes a while.
        func tell(_ diagnosis: Diagnosis) {
            all.append(diagnosis)
            if settings.isJSON { return console.out(diagnosis.json.text()) }
            for line in diagnosis.lines(style, width: width) { console.out(line) }
        }
        tell(.version)
        tell(.curl(.present))
        tell(.markup(version: MarkupLibrary.version))
        tell(.sqlite(version: LedgerLibrary.version, isNewEnough: LedgerLibrary.isNewEnough))
        tell(.microhttpd(version: ServerLibrary.version))
        tell(.terminal(isThere: console.isTerminal, width: console.width))
        let before = ChromiumPresenter.leftovers()
        let progress = Progress(ProgressLine("starting a browser"), on: console, isSilent: settings.isJSON)
        let trial = await Trials.browser()
        progress?.end()
        tell(.browser(trial, isAskedFor: settings.chosenStage == .chromium))
        tell(.window(Trials.window()))
        let folder = CreativesFolder.chosen(settings.creatives)
        tell(.creatives(folder, Trials.creatives(in: folder)))
        tell(.server(await Trials.server()))
        let parent = ChromiumPresenter.profileParent
        tell(.temporaryFolder(parent, refusal: Trials.refusal(of: parent)))
        tell(.leftovers(in: parent, before: before, after: ChromiumPresenter.leftovers()))
        if let ledger = settings.ledger { tell(.ledger(ledger, await Trials.ledger(ledger))) }
        return self.conclude(all, settings, console)
    }

    private static func conclude(_ all: [Diagnosis], _ settings: Settings, _ console: any Console) -> ExitCode {
        if !settings.isJSON { console.out("\n" + Diagnosis.summary(of: all)) }
        let broken = all.filter { $0.state == .broken }.map(\.check)
        if !broken.isEmpty {
            console.err("yabbi-play: broken: \(broken.joined(separator: ", ")); what was printed says what to do")
        }
        return Diagnosis.code(of: all)
    }
}
