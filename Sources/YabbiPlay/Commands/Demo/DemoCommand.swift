import AdCore
import AdRuntime
import ChromiumStage
import CurlTransport
import PlayConsole
import PlayStages
import SandboxSSP

/// Shows every bundled creative with every provider, and reconciles the beacons with the built-in server's hits.
struct DemoCommand: Command {
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
    /// The speed of a browser for the pictures of a report, if one is installed; nil if none is used.
    let pictureSpeed: Double?

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(requesting: arguments)
        self.app = try AppOptions(arguments)
        self.creatives = try arguments.value(CreativesOption.creatives)
        let times = try TimeOptions(arguments, ledger: self.options.ledger)
        let kind = try arguments.value(StageSelection.stage)
        // With a ledger the speed is 1, because the servers of its beacons use the system's time.
        let speed = self.options.ledger == nil ? times.speed ?? Self.browserSpeed : 1
        // A factor is for real time.
        let time = times.time(default: times.speed == nil ? .virtual : .real)
        switch kind {
        case .chromium, .webkit:
            if times.clock == .virtual { throw UsageError(StageSelection.browserNeedsRealTime) }
            self.showing = Self.browser(kind?.engine ?? .chromium, speed: speed)
        case .terminal, nil: self.showing = Showing(terminalIn: time)
        case StageSelection.Kind.none?:
            switch time {
            case .virtual: self.showing = .virtual(isSilent: true)
            case .real(let speed): self.showing = .real(speed: speed, .none, opensLinks: false)
            }
        }
        let isPictured = kind == nil && self.options.report != nil && times.clock != .virtual
        self.pictureSpeed = isPictured ? speed : nil
    }

    private static func browser(_ engine: BrowserEngineKind, speed: Double) -> Showing {
        .real(speed: speed, .browser(BrowserSettings(engine: engine)), opensLinks: false)
    }

    /// The stage and time on this system.
    func showing(hasBrowser: Bool) -> Showing {
        hasBrowser ? self.pictureSpeed.map { Self.browser(.chromium, speed: $0) } ?? self.showing : self.showing
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        _ = try OutputFiles(self.options)
        let showing = self.showing(hasBrowser: ChromiumBinary.isInstalled)
        var plan = RunPlan(command: Self.name, options: self.options, showing: showing)
        plan.app = self.app
        // Only a browser runs programs.
        plan.simulation.runsVPAID = plan.stage.browser != nil
        // All beacons are kept until they are reconciled.
        let memory = MemoryLedger(maximumSettled: .max)
        return try await NamedLedger.withLedger(
            self.options.ledger,
            console,
            isVirtual: plan.time.isVirtual,
            else: memory
        ) {
            [plan]
            ledger async throws(PlayError) in
            let transport = try CurlTransport.forCommand()
            let server = try BuiltInServer(creatives: self.creatives, seed: self.options.seed)
            let context = try RunContext(
                plan,
                server,
                console,
                transport: transport,
                ledger: ledger
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
        // Creatives that fail on purpose are not shown, nor programs without a browser.
        let left: Set<CreativeEntry.Tag> = context.browser == nil ? [.fault, .interactive] : [.fault]
        let creatives = server.catalogue.creatives.filter { $0.tags.isDisjoint(with: left) }
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
        if !tour.isOver, let banner = creatives.first(where: { $0.format == .banner }) {
            try await tour.auction(direct: banner.name)
        }
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
