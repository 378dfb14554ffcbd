import AdCore
import AdRuntime
import ChromiumStage
import CurlTransport
import PlayConsole
import PlayStages
import SandboxSSP

/// Shows every bundled creative with every provider, and reconciles the beacons with the built-in server's hits.
struct DemoCommand: Command {
    /// The stage and time of the demo.
    enum Showing: Equatable, Sendable {
        case on(StageChoice, PlayTime)
        /// For a report: a browser if one is installed, otherwise the terminal in this time.
        case browserIfFound(speed: Double, otherwise: PlayTime)
    }

    static let name = "demo"
    static let summary = "Show every bundled creative with every provider, and reconcile the beacons."
    static let exitCodes: [ExitCode] = [.done, .usage, .noFill, .loadFailed, .showFailed, .beacons]
    static let options: [any OptionDeclaration] =
        AppOptions.options + [CreativesOption.creatives, StageSelection.stage, TimeOptions.speed] + RunOptions.shared
        + RunOptions.requesting

    /// The default speed of a demo in a browser.
    private static let browserSpeed = 8.0

    let options: RunOptions
    let app: AppOptions
    let creatives: String?
    let showing: Showing

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(arguments)
        self.app = try AppOptions(arguments)
        self.creatives = try arguments.value(CreativesOption.creatives)
        let times = try TimeOptions(arguments, ledger: self.options.ledger)
        let kind = try arguments.value(StageSelection.stage)
        // With a ledger the speed is 1, because the servers of its beacons use the system's time.
        let speed = self.options.ledger == nil ? times.speed ?? Self.browserSpeed : 1
        // A factor is for real time.
        let time = times.time(default: times.speed == nil ? .virtual : .real)
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

    /// The stage and time on this system.
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
        var plan = RunPlan(command: Self.name, options: self.options, time: time, stage: stage)
        plan.app = self.app
        // All beacons are kept until they are reconciled.
        let memory = MemoryLedger(mostSettled: .max)
        return try await LedgerFile.withLedger(self.options.ledger, console, isVirtual: time.isVirtual, else: memory) {
            ledger,
            lastBeaconNumber async throws(PlayError) in
            let transport = try CurlTransport.forCommand()
            let server = try BuiltInServer(creatives: self.creatives, seed: self.options.seed)
            let context = try RunContext(
                plan,
                .builtIn(server),
                console,
                transport: transport,
                ledger: ledger,
                lastBeaconNumber: lastBeaconNumber
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
        // Creatives that fail on purpose are not shown.
        let creatives = server.catalogue.creatives.filter { !$0.tags.contains(.fault) }
        guard !creatives.isEmpty else {
            throw PlayError(
                .usage,
                "no creatives found; run this inside the project, or use --creatives <dir>"
            )
        }
        let line = ProgressLine("steps", of: DemoTour.steps(creatives: creatives.count))
        let progress = Progress(line, on: context.console, isSilent: self.options.isJSON)
        defer { progress?.end() }
        var tour = DemoTour(context, server.sandbox, script: try DemoTour.script("click@1s"), progress: progress)
        try await tour.creatives(creatives)
        if !tour.isOver { try await tour.cards() }
        try await tour.engagements(sockets)
        progress?.end()
        if tour.exit.isRequested, !self.options.isJSON {
            context.console.out("\nended by the user; the ads shown so far are reconciled")
        }
        let isClean = try await DemoReconciliation(context, server.sandbox, tour).run()
        server.sandbox.stop()
        return isClean ? tour.worst : tour.worst.worse(.beacons)
    }
}
