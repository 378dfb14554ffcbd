import AdCore
import AdRuntime
import ChromiumStage
import CurlTransport
import PlayConsole
import PlayStages
import SandboxSSP
import YabbiAds

/// Shows every bundled creative through every provider, and compares the beacons with what the built-in server received.
struct DemoCommand: Command {
    /// What decides where the demo is shown; a browser that a report asks for may not be there.
    enum Showing: Equatable, Sendable {
        case on(StageChoice, PlayTime)
        /// In a browser where one is found, otherwise on the terminal in this time.
        case browserIfFound(speed: Double, otherwise: PlayTime)
    }

    static let name = "demo"
    static let summary = "start the built-in server, show every bundled creative, reconcile the beacons"
    static let options: [any OptionDeclaration] =
        AppOptions.options + [CreativesOption.creatives, StageSelection.stage, TimeOptions.speed] + RunOptions.shared
        + RunOptions.requesting

    /// How many times as fast as real time a demo goes in a browser by default.
    private static let browserSpeed = 8.0

    let options: RunOptions
    let creatives: String?
    let showing: Showing

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(arguments)
        self.creatives = try arguments.value(CreativesOption.creatives)
        let times = try TimeOptions(arguments, ledger: self.options.ledger)
        let kind = try arguments.value(StageSelection.stage)
        // The servers of a ledger live by real time.
        let speed = self.options.ledger == nil ? times.speed ?? Self.browserSpeed : 1
        let time = times.time(default: .virtual)
        switch kind {
        case .chromium:
            if times.clock == .virtual { throw UsageError(StageSelection.browserNeedsRealTime) }
            self.showing = .on(.browser(BrowserSettings()), .real(speed: speed))
        case .terminal: self.showing = .on(.terminal, time)
        case StageSelection.Kind.none?: self.showing = .on(.none, time)
        case nil:
            let isPictured = self.options.report != nil && times.clock != .virtual
            self.showing = isPictured ? .browserIfFound(speed: speed, otherwise: time) : .on(.terminal, time)
        }
    }

    /// Where the demo is shown on this machine.
    func stage(hasBrowser: Bool) -> (stage: StageChoice, time: PlayTime) {
        switch self.showing {
        case .on(let stage, let time): (stage, time)
        case .browserIfFound(let speed, let time):
            hasBrowser ? (.browser(BrowserSettings()), .real(speed: speed)) : (.terminal, time)
        }
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try OutputFiles(self.options).check()
        let (stage, time) = self.stage(hasBrowser: ChromiumBinary.isInstalled)
        let plan = RunPlan(command: Self.name, options: self.options, time: time, stage: stage)
        // Every beacon is kept until all are compared.
        let memory = MemoryLedger(mostSettled: .max)
        return try await LedgerFile.keeping(self.options.ledger, console, isVirtual: time.isVirtual, else: memory) {
            ledger,
            mark async throws(PlayError) in
            let transport = try CurlTransport.forCommand()
            let server = try BuiltInServer(creatives: self.creatives, seed: self.options.seed)
            let context = try RunContext(
                plan,
                .builtIn(server),
                console,
                transport: transport,
                ledger: ledger,
                mark: mark
            )
            return try await context.finishing { () async throws(PlayError) in
                try await self.run(context, server, sockets: transport)
            }
        }
    }

    private func run(
        _ context: RunContext,
        _ server: BuiltInServer,
        sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        // Creatives that are made to fail are not shown.
        let creatives = server.catalogue.creatives.filter { !$0.tags.contains(.fault) }
        guard !creatives.isEmpty else {
            throw PlayError(
                .usage,
                "there are no creatives to show; run this inside the project, or give --creatives DIR"
            )
        }
        let line = ProgressLine("stops", of: DemoTour.stops(creatives: creatives.count))
        let progress = Progress(line, on: context.console, isSilent: self.options.isJSON)
        defer { progress?.end() }
        var tour = DemoTour(context, server.sandbox, visitor: try DemoTour.script("click@1s"), progress: progress)
        try await tour.creatives(creatives)
        if !tour.isOver { try await tour.cards() }
        try await tour.engagements(sockets)
        progress?.end()
        if tour.exit.isRequested, !self.options.isJSON {
            context.console.out("\nended by the user; what was shown until then is reconciled")
        }
        let isClean = try await DemoReconciliation(context, server.sandbox, tour).run()
        server.sandbox.stop()
        return isClean ? tour.worst : tour.worst.worse(.beacons)
    }
}
