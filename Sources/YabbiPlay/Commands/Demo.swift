import AdCore
import AdRuntime
import ChromiumStage
import SandboxSSP
import YabbiAds

/// Every bundled creative through every provider against the built-in server, and the beacons held against its hits.
enum Demo {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let settings = self.staged(settings)
        // Nothing is forgotten before it is held against the hits.
        let memory = MemoryLedger(mostSettled: .max)
        return try await LedgerFile.keeping(settings.ledger, console, isVirtual: settings.isVirtual, else: memory) {
            ledger,
            mark async throws(PlayError) in
            let transport = try Commands.transport()
            let play = try Play(settings, console, source: nil, transport: transport, ledger: ledger, mark: mark)
            return try await play.windingDown { () async throws(PlayError) in
                try await self.run(play, settings, console, sockets: transport)
            }
        }
    }

    private static func run(
        _ play: Play,
        _ settings: Settings,
        _ console: any Console,
        sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        let style = Style(isColoured: console.isColoured)
        guard let sandbox = play.sandbox else { preconditionFailure("The demo runs against a sandbox.") }
        let creatives = play.catalogue.creatives.filter { $0.tags.isDisjoint(with: self.leftOut) }
        guard !creatives.isEmpty else {
            throw PlayError(
                .usage,
                "there are no creatives to show; run this inside the project, or give --creatives DIR"
            )
        }
        let line = ProgressLine("stops", of: DemoTour.stops(creatives: creatives.count))
        let progress = Progress(line, on: console, isSilent: settings.isJSON)
        defer { progress?.end() }
        var tour = DemoTour(play, visitor: try self.visitor(), progress: progress)
        for provider in [Settings.Provider.yabbi, .openrtb] {
            for creative in creatives where !tour.isOver {
                let wish = try play.wish(unit: creative.name, provider: provider)
                await tour.stop(provider, creative.name, creative.title, wish)
            }
        }
        if !tour.isOver { try await tour.cards() }
        try await tour.engagements(sockets)
        progress?.end()
        if tour.departure.isWished, !settings.isJSON {
            console.out("\nended by the user; what was shown until then is reconciled")
        }
        let books = PageBooks(tour.told, against: sandbox.bill().lines)
        let (worst, failedAds, ads) = (tour.worst, tour.failedAds, tour.ads)
        let entries: [LedgerEntry]
        do throws(LedgerError) {
            // What others have in the ledger is theirs: another server had counted it.
            entries = try await play.services.beacons.entries(after: play.mark).filter {
                ads.contains($0.beacon.key.ad)
            }
        } catch {
            throw PlayError(.beacons, error.message)
        }
        let reconciliation = Reconciliation(
            entries.map(LedgerLine.init),
            against: ArrivalList(sandbox, askedByCreatives: play.creativeCalls.paths(at: sandbox.url("/"))),
            // Virtual time has a calendar of its own, and the server lives by the real one.
            lateAfter: play.isRealTime && settings.speed == 1 ? settings.lateAfter : nil,
            failedAds: failedAds
        )
        if settings.isJSON {
            for line in reconciliation.jsonDetails(all: false) { console.out(line) }
            console.out(books.json)
            console.out(reconciliation.json)
        } else {
            console.out("")
            for line in reconciliation.details(all: false, style) { console.out(line) }
            console.out(books.line(style))
            for line in reconciliation.lines(style) { console.out(line) }
        }
        if let report = play.report {
            let plain = Style(isColoured: false)
            report.conclude(
                with: reconciliation.lines(plain) + [books.line(plain)] + reconciliation.details(all: false, plain)
            )
        }
        sandbox.stop()
        guard reconciliation.isClean, books.isClean else { return worst.worse(.beacons) }
        return worst
    }

    /// How many times as fast as real time a demo goes in a browser, where nobody says otherwise.
    static let speed = 8.0

    /// Where and in which time it goes: in a browser where pictures are wanted and one is there, and then in real time,
    /// only faster; otherwise in the terminal, and time jumps over every wait.
    static func staged(_ settings: Settings, hasBrowser: Bool = ChromiumBinary.isInstalled) -> Settings {
        var settings = settings
        let isWelcome = settings.report != nil && settings.chosenStage == nil && settings.clock != .virtual
        guard settings.chosenStage == .chromium || isWelcome && hasBrowser else { return settings }
        settings.chosenStage = .chromium
        settings.clock = .real
        // A ledger keeps what is owed by the time of its own.
        if settings.ledger != nil { return settings }
        settings.chosenSpeed = settings.chosenSpeed ?? self.speed
        return settings
    }

    /// What is not shown: what is meant to go wrong.
    private static let leftOut: Set<CreativeEntry.Tag> = [.fault]

    /// Looks, clicks after a second, and leaves as soon as there is a way out.
    private static func visitor() throws(PlayError) -> Script {
        do throws(UsageError) {
            return try Script(parsing: "click@1s")
        } catch {
            throw PlayError(.usage, error.message)
        }
    }
}

/// The built-in server by itself.
enum SandboxCommand {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let sandbox: Sandbox
        do throws(SandboxError) {
            var configuration = Sandbox.Configuration()
            configuration.port = Int(settings.port)
            configuration.catalogue = try CreativesFolder.catalogue(settings.creatives)
            sandbox = try Sandbox.start(configuration)
        } catch {
            throw PlayError(.usage, error.message)
        }
        console.out("listening on http://127.0.0.1:\(sandbox.port)")
        // A server whose port nobody learned of serves nobody.
        if console.loss == nil { await Interruption.wait() }
        sandbox.stop()
        return .done
    }
}
