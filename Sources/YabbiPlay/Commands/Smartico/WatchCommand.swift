import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayStages
import PlayText
import SandboxSSP
import SystemSupport

/// Stays connected and shows every pushed ad on its own stage.
struct WatchCommand: Command {
    static let name = "watch"
    static let summary =
        "Stay connected to smartico, and show every pushed ad."
    static let discussion = [watching, ShowDiscussion.pages]
    static let exitCodes: [ExitCode] = [.done, .usage, .loadFailed, .showFailed, .beacons]
    static let options: [any OptionDeclaration] =
        [
            ProviderOptions.pushing, ProviderOptions.set, ProviderOptions.endpoint, AppOptions.bundle,
        ] + StageSelection.watching + [ShowCommand.steps] + RunOptions.shared + [limit]

    static let limit = Option(
        "--for",
        .other("<seconds>"),
        "The time to watch.",
        otherwise: "until q, Ctrl-C or a signal",
        OptionValue.seconds
    )

    let options: RunOptions
    let engagement: EngagementOptions
    let showing: Showing
    let script: UserScript
    /// How long it stays connected; nil until the user or a signal ends it.
    let limit: Duration?

    init(_ arguments: Arguments) throws(UsageError) {
        self.options = try RunOptions(arguments)
        let time = try TimeOptions(arguments).time(default: .real)
        self.engagement = try EngagementOptions(arguments, try ProviderOptions(pushing: arguments), in: time)
        self.showing = try StageSelection(watching: arguments).showing(in: time, report: nil)
        self.script = try arguments.value(ShowCommand.steps) ?? UserScript()
        self.limit = try arguments.value(Self.limit)
    }

    func run(on console: any Console) async throws(PlayError) -> ExitCode {
        _ = try OutputFiles(self.options)
        let transport = try CurlTransport.forCommand()
        var plan = RunPlan(command: Self.name, options: self.options, showing: self.showing)
        plan.namesAds = true
        plan.secrets = self.engagement.secrets
        let origin = try self.engagement.origin(seed: self.options.seed)
        let context = try RunContext(plan, origin, console, transport: transport)
        return try await context.finishing { () async throws(PlayError) in
            let plan = try EngagementPlan(self.engagement, context)
            return try await self.watch(context, plan, try EngagementCalls(plan, context), transport)
        }
    }

    private static let watching = """
        Reconnects with growing delays. Several ads can be shown at once, and --do applies to each; without --do an ad
        closes at once, except on a terminal. There the last line shows the connection, and keys control the newest ad:
        c click, x close, space cover or uncover. Other keys control the session: o log out or in, g open the widget,
        l change the language (with several --set language=…), p allow or block push notifications, q quit. The exit code is
        0 when q, Ctrl-C, a signal or --for ends it.
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
        let perform: @Sendable (SessionAction) -> Void = { action in
            let (commands, line) = keys.withLock { $0.commands(for: action) }
            context.console.out("            \(line)")
            for command in commands { client.send(command) }
        }
        if isLive { screen.start(onAction: perform) { client.stop() } }
        // Installed after the screen, whose signal handler restores the terminal and ends the process.
        let interruption = Interruption { client.stop() }
        if let limit = self.limit { client.stop(after: limit) }
        if let notice = context.origin.pushServer?.pushNotice, !self.options.isJSON { context.console.out(notice) }
        plan.start(client)
        async let callFailure = calls.send(context)
        let onScreen = Locked(0)
        // The group keeps no results: a session may last for days.
        await withDiscardingTaskGroup { group in
            await self.follow(client, plan, context, screen) { ad in
                group.addTask {
                    var runner = AdRunner(context, script: self.script)
                    runner.watcher = isLive ? screen.watcher() : nil
                    runner.isAlone = onScreen.withLock { count in
                        count += 1
                        return count == 1
                    }
                    await runner.run(ad, loadedAfter: .zero, shows: true)
                    onScreen.withLock { $0 -= 1 }
                }
            }
            await client.close()
        }
        screen.end()
        interruption?.end()
        if let failure = await callFailure { throw failure }
        return .done
    }

    /// Handles events until the session ends, or the output can't be written.
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
            // A widget that was opened again meanwhile is no longer loaded, and is not shown.
            case .ad(let ad): if ad.isLoaded { show(ad) } else { context.printer.forget(ad.id) }
            case .session(let event):
                screen.handle(event)
                if wait.handle(event) == .push { plan.requestPush(client) }
            }
        }
    }
}
