import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayReport
import PlayStages
import SandboxSSP
import SystemSupport
import YabbiAds

/// Stays connected and shows what is pushed, each ad on a stage of its own, until it is ended.
struct WatchCommand: Command {
    static let name = "watch"
    static let summary =
        "stay connected to a provider that pushes, and show what comes, until q, Ctrl-C or --for is over"
    static let notes = [watching, ShowNotes.pages]
    static let options: [any OptionDeclaration] =
        ProviderOptions.options
        + [
            AppOptions.bundle, StageSelection.stage, StageSelection.allowedHost, StageSelection.noSandbox,
            ShowCommand.steps,
        ] + RunOptions.shared + [limit]

    static let limit = Option(
        "--for",
        .other("S"),
        "how long to watch; until q, Ctrl-C or a signal by default",
        OptionValue.seconds
    )

    let options: RunOptions
    let engagement: EngagementOptions
    let stage: StageChoice
    let script: Script
    /// How long it stays connected; nil until it is ended.
    let limit: Duration?

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(arguments)
        let provider = try ProviderOptions(arguments, byDefault: .smartico)
        guard provider.provider.isConnected else {
            throw UsageError(
                "nothing comes from \(provider.provider.rawValue) by itself: watch is for smartico"
            )
        }
        let time = try TimeOptions(arguments, ledger: nil).time(byDefault: .real)
        self.engagement = try EngagementOptions(provider, in: time)
        self.stage = try StageSelection(arguments).choice(in: time, report: nil)
        self.script = try arguments.value(ShowCommand.steps) ?? Script()
        self.limit = try arguments.value(Self.limit)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        try OutputFiles(self.options).check()
        let transport = try CurlTransport.forCommand()
        var plan = RunPlan(command: Self.name, options: self.options, time: .real(speed: 1), stage: self.stage)
        plan.namesAds = true
        plan.secrets = self.engagement.secrets
        let origin = try AdOrigin(self.engagement, seed: self.options.seed)
        let context = try RunContext(plan, origin, console, transport: transport)
        return try await context.finishing { () async throws(PlayError) in
            let plan = try EngagementPlan(self.engagement, context)
            return try await self.watch(context, plan, try EngagementCalls(plan, context), transport)
        }
    }

    private static let watching = """
        Stays connected, and connects again by itself, later each time. What comes is shown on a stage of its own, several
        at once where it comes so, and --do acts on each; without it an ad leaves at once, unless somebody is at the
        terminal to end it. There the last line tells of the connection, and keys are for the ad that came last: c clicks,
        x closes, space covers and uncovers. Others are for the session: o logs out and in again, g opens the widget,
        l changes the language (--set language=… several times), p allows and blocks push notifications, q quits. Told to
        end, by q, Ctrl-C, a signal or --for, it exits with 0.
        """

    private func watch(
        _ context: RunContext,
        _ plan: EngagementPlan,
        _ calls: EngagementCalls,
        _ sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        let isLive = !context.plan.isSilent
        let screen = WatchScreen(context.console, clock: context.clock, signals: context.signals)
        let client = EngagementClient(plan, context, sockets) { screen.handle($0) }
        let keys = Locked(SessionKeys(plan))
        let act: @Sendable (SessionAct) -> Void = { act in
            let (commands, said) = keys.withLock { $0.commands(for: act) }
            context.console.out("            \(said)")
            for command in commands { client.send(command) }
        }
        if isLive { screen.start(act: act) { client.giveUp() } }
        // Behind the screen, which puts the terminal right when a signal comes, and then lets it end the process.
        let interruption = Interruption { client.giveUp() }
        if let limit = self.limit { client.giveUp(after: limit) }
        if let sandbox = context.origin.sandbox, !self.options.isJSON {
            context.console.out("the built-in server is \(sandbox.baseURL); POST /sandbox/push there pushes more")
        }
        plan.start(client)
        async let trouble = calls.send(context)
        let there = Locked(0)
        // Days may pass, and of an ad that is over nothing is kept.
        await withDiscardingTaskGroup { group in
            await self.follow(client, plan, context, screen) { ad in
                group.addTask {
                    var runner = AdRunner(context, script: self.script)
                    runner.watcher = isLive ? screen.seat() : nil
                    runner.isAlone = there.withLock { count in
                        count += 1
                        return count == 1
                    }
                    await runner.run(ad, loadedAfter: .zero, shows: true)
                    there.withLock { $0 -= 1 }
                }
            }
            await client.close()
        }
        screen.end()
        interruption?.end()
        if let trouble = await trouble { throw trouble }
        return .done
    }

    /// Handles events until the session is ended, or its output cannot be written.
    private func follow(
        _ client: EngagementClient,
        _ plan: EngagementPlan,
        _ context: RunContext,
        _ screen: WatchScreen,
        show: (Ad) -> Void
    ) async {
        var wait = EngagementWait()
        for await event in client.events {
            guard context.console.loss == nil else { return }
            switch event {
            case .timeUp: return
            // A widget that was opened elsewhere meanwhile is not to be shown any more.
            case .ad(let ad): if ad.isLoaded { show(ad) } else { context.printer.forget(ad.id) }
            case .news(let news):
                screen.handle(news)
                if wait.handle(news) == .push { plan.requestPush(client) }
            }
        }
    }
}
