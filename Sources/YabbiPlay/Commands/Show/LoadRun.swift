import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayStages
import PlayText

/// The implementation that show and load share.
struct LoadRun: Sendable {
    enum Mode: Sendable {
        /// The request is printed and not sent.
        case dryRun
        /// The request is sent this number of times.
        case times(Int)
    }

    static let operand = Operand.one(.file(placeholder: "<source>"), called: "source")
    static let operandSummary = """
        An .html, .xml or .json file, the http(s) URL of a tag, or - for standard input. Without it, an ad is requested \
        from the provider.
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
        + RunOptions.requesting + [dryRun, repeats]

    /// The options that a dry run does not use.
    private static let ofRuns: [any OptionDeclaration] =
        TraceOptions.options + [
            TimeOptions.speed, RunOptions.timeout, OutputOptions.report, RunOptions.resend,
            LedgerOptions.writable, repeats,
        ] + ShowCommand.ofStage

    let query: AdQuery
    let options: RunOptions
    let time: PlayTime
    let mode: Mode

    init(_ arguments: Arguments, _ options: RunOptions, in time: PlayTime) throws(UsageError) {
        self.query = try AdQuery(arguments, in: time)
        self.options = options
        self.time = time
        let repeats = try arguments.value(Self.repeats) ?? 1
        self.mode = arguments.has(Self.dryRun) ? .dryRun : .times(repeats)
        if case .dryRun = self.mode {
            if let source = self.query.source {
                throw UsageError("a source needs no request; remove --dry-run or \u{201C}\(source)\u{201D}")
            }
            if repeats > 1 { throw UsageError("--dry-run sends nothing; remove --repeat") }
            if let given = arguments.given(Self.ofRuns).first {
                throw UsageError("--dry-run sends nothing; remove \(given)")
            }
            if case .engagement = self.query { try ProviderOptions(arguments).parameters.refuseUnsent() }
        }
        if options.report != nil, repeats > 1 {
            throw UsageError("--report can't be combined with --repeat; remove one of them")
        }
        // Beacons for a remote server need real time.
        if time.isVirtual, options.ledger != nil, let server = self.query.server, !server.isLoopback {
            throw UsageError(LedgerOptions.needsRealTime)
        }
    }

    var repeats: Int { if case .times(let count) = self.mode { count } else { 1 } }

    func plan(for command: String, on stage: StageChoice) -> RunPlan {
        var plan = RunPlan(command: command, options: self.options, time: self.time, stage: stage)
        plan.app = self.query.app
        plan.subject = self.query.subject
        plan.repeats = self.repeats
        plan.secrets = self.query.secrets
        return plan
    }

    /// Loads the ads, and shows them with a script.
    ///
    /// Without a script it only loads them.
    func run(_ plan: RunPlan, on console: any Console, showing script: UserScript?) async throws(PlayError) -> ExitCode
    {
        let transport = try CurlTransport.forCommand()
        let origin = try await AdOrigin(
            self.query,
            seed: self.options.seed,
            within: self.options.timeout,
            by: transport
        )
        if case .dryRun = self.mode {
            return try await DryRun(RunContext(plan, origin, console, transport: transport)).run(self.query, transport)
        }
        if self.time.isVirtual, self.options.ledger != nil, origin.namesAnyServer {
            throw PlayError(.usage, LedgerOptions.needsRealTime)
        }
        let isVirtual = self.time.isVirtual
        return try await LedgerFile.withLedger(self.options.ledger, console, isVirtual: isVirtual) {
            ledger,
            lastBeaconNumber async throws(PlayError) in
            let context = try RunContext(
                plan,
                origin,
                console,
                transport: transport,
                ledger: ledger,
                lastBeaconNumber: lastBeaconNumber
            )
            return try await context.finishing { () async throws(PlayError) in
                try await self.run(context, script, sockets: transport)
            }
        }
    }

    private func run(
        _ context: RunContext,
        _ script: UserScript?,
        sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        let totals: RunTotals
        switch self.query {
        case .placement(let query):
            totals = await self.run(try context.request(for: query), context, script)
        case .cards(let query, _, _): totals = await self.run(try context.request(for: query), context, script)
        case .engagement(let options):
            totals = try await EngagementShow.run(EngagementPlan(options, context), context, script, sockets)
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
