import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayReport
import PlayStages
import PlayText

/// The implementation that show and load share.
struct LoadRun: Sendable {
    static let operand = Operand.one(.file(placeholder: "<source>"), called: "source")
    static let operandSummary = """
        An .html, .xml, .json or .zip file, a folder, the http(s) URL of a tag, or - for standard input. Without it, an \
        ad is requested from the provider.
        """
    static let dryRun = Flag("--dry-run", "Print the ad request with its headers, without sending it.")
    static let repeats = Option(
        "--repeat",
        .other("<count>"),
        "Repeat the run, and print the fill rate and latency.",
        OptionValue.count(1...100_000)
    )
    static let options: [any OptionDeclaration] =
        AdQuery.options + AppOptions.options + [CreativesOption.creatives] + RunOptions.shared
        + RunOptions.requesting + SimulationOptions.options + [dryRun, repeats]

    var query: AdQuery
    /// Follows the run; nil if nothing does.
    var live: (any LiveRun)?
    /// Gets the data of the report at the end; nil if nothing reads it.
    var onReport: (@Sendable (RunDocument) -> Void)?
    var options: RunOptions
    var showing: Showing
    let simulation: SimulationOptions
    let repeats: Int

    init(
        _ arguments: Arguments,
        _ query: AdQuery,
        _ options: RunOptions,
        _ showing: Showing
    ) throws(UsageError) {
        self.query = query
        self.options = options
        self.showing = showing
        self.simulation = try SimulationOptions(arguments)
        self.repeats = try arguments.value(Self.repeats) ?? 1
        if options.report != nil, self.repeats > 1 {
            throw UsageError("--report can't be combined with --repeat; remove one of them")
        }
        if let server = query.server, !server.isLoopback, self.hasLedgerInVirtualTime {
            throw UsageError(LedgerOptions.needsRealTime)
        }
    }

    /// Whether beacons for real servers must be refused.
    private var hasLedgerInVirtualTime: Bool { self.showing.time.isVirtual && self.options.ledger != nil }

    func plan(for command: String) -> RunPlan {
        var plan = RunPlan(command: command, options: self.options, showing: self.showing)
        plan.app = self.query.app
        plan.subject = self.query.subject
        plan.repeats = self.repeats
        plan.simulation = self.simulation
        plan.live = self.live
        plan.onReport = self.onReport
        plan.secrets = self.query.secrets
        return plan
    }

    /// The files that it writes.
    func output() throws(PlayError) -> OutputFiles {
        try OutputFiles(self.options, source: self.query.source, picture: self.showing.stage.browser?.picture)
    }

    /// Loads the ads, and shows them with a script.
    ///
    /// Without a script it only loads them.
    func run(for command: String, on console: any Console, by script: UserScript?) async throws(PlayError) -> ExitCode {
        _ = try self.output()
        let transport: any Transport & SocketTransport
        if let shared = self.live?.transport { transport = shared } else { transport = try CurlTransport.forCommand() }
        let plan = self.plan(for: command)
        let log = try RunLog(plan, console)
        let origin = try await self.origin(transport, plan, log)
        // A tag that was fetched is known already.
        if let document = origin.document { self.live?.documents.add(document) }
        // The trackers of a document may be on any server.
        if origin.namesAnyServer, self.hasLedgerInVirtualTime {
            throw PlayError(.usage, LedgerOptions.needsRealTime)
        }
        return try await NamedLedger.withLedger(self.options.ledger, console, isVirtual: plan.time.isVirtual) {
            ledger async throws(PlayError) in
            let context = try RunContext(
                plan,
                origin,
                console,
                log: log,
                transport: transport,
                ledger: ledger
            )
            return try await context.finishing { () async throws(PlayError) in
                try await self.run(context, script, sockets: transport)
            }
        }
    }

    /// Resolves where the ads come from; a tag is fetched before the run has its services.
    ///
    /// With a log the request for the tag is recorded.
    func origin(_ network: any Transport, _ plan: RunPlan, _ log: RunLog?) async throws(PlayError) -> any AdOrigin {
        try await self.query.origin(
            seed: self.options.seed,
            within: self.options.timeout,
            filling: self.simulation.macros,
            by: self.tagTransport(network, plan, log)
        )
    }

    private func tagTransport(_ network: any Transport, _ plan: RunPlan, _ log: RunLog?) -> any Transport {
        let throttled = ThrottledTransport(next: network, network: self.simulation.network)
        return TagTransport(
            next: log?.observing(throttled) ?? throttled,
            simulation: self.simulation,
            userAgent: plan.userAgent,
            documents: self.live?.documents
        )
    }

    private func run(
        _ context: RunContext,
        _ script: UserScript?,
        sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        let totals: RunTotals
        switch try context.ads(for: self.query) {
        case .request(let request): totals = await self.run(request, context, script)
        case .session(let plan): totals = try await EngagementShow.run(plan, context, script, sockets)
        }
        if self.repeats > 1 {
            let summary = Summary(requested: totals.requested, filled: totals.fills, latencies: totals.loads)
            context.console.out(self.options.isJSON ? summary.json : summary.line)
        }
        if let error = totals.worstError { throw PlayError(totals.worst, error) }
        return totals.worst
    }

    private func run(_ request: AdRequest, _ context: RunContext, _ script: UserScript?) async -> RunTotals {
        var runner = AdRunner(context, script: script ?? UserScript())
        let line = ProgressLine("runs", of: self.repeats)
        let isSilent = self.options.isJSON || self.repeats == 1
        let progress = Progress(line, on: context.console, isSilent: isSilent)
        defer { progress?.end() }
        for _ in 0..<self.repeats where context.console.loss == nil {
            progress?.step()
            await runner.run(request, shows: script != nil)
        }
        return runner.totals
    }
}

extension CurlTransport {
    /// The transport of a command.
    static func forCommand() throws(PlayError) -> CurlTransport {
        do throws(AdSetupError) {
            return try CurlTransport()
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
    }
}
