import AdCore
import AdRuntime
import SandboxSSP
import SystemLock
import YabbiAds

/// Stays connected and shows what comes, each on a stage of its own, until it is told to end.
enum Watch {
    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try Commands.transport()
        let play = try Play(settings, console, source: nil, transport: transport)
        return try await play.windingDown { () async throws(PlayError) in
            let plan = try EngagementPlan(play)
            return try await self.watch(play, plan, try EngagementCalls(plan, play), transport)
        }
    }

    private static func watch(
        _ play: Play,
        _ plan: EngagementPlan,
        _ calls: EngagementCalls,
        _ sockets: any SocketTransport
    ) async throws(PlayError) -> ExitCode {
        let isLive = !play.settings.isJSON && play.settings.stage != .none
        let screen = WatchScreen(play.console, clock: play.clock, board: play.board)
        let desk = EngagementDesk(plan, play, sockets) { screen.take($0) }
        let keys = Locked(SessionKeys(plan))
        let act: @Sendable (SessionAct) -> Void = { act in
            let (commands, said) = keys.withLock { $0.commands(for: act) }
            play.console.out("            \(said)")
            for command in commands { desk.send(command) }
        }
        if isLive { screen.begin(act: act) { desk.giveUp() } }
        // Behind the screen, which puts the terminal right when a signal comes, and then lets it end the process.
        let interruption = Interruption { desk.giveUp() }
        if let limit = play.settings.watchFor { desk.giveUp(after: limit) }
        if let sandbox = play.sandbox, !play.settings.isJSON {
            play.console.out("the built-in server is \(sandbox.baseURL); POST /sandbox/push there pushes more")
        }
        plan.begin(desk)
        async let trouble = calls.send(play)
        let there = Locked(0)
        // Days may pass, and of an ad that is over nothing is kept.
        await withDiscardingTaskGroup { group in
            await self.follow(desk, plan, play, screen) { ad in
                group.addTask {
                    var rounds = Rounds(play, script: play.settings.script)
                    rounds.onlooker = isLive ? screen.seat() : nil
                    rounds.isAlone = there.withLock { count in
                        count += 1
                        return count == 1
                    }
                    await rounds.take(ad, after: .zero, shows: true)
                    there.withLock { $0 -= 1 }
                }
            }
            await desk.close()
        }
        screen.end()
        interruption?.end()
        if let trouble = await trouble { throw trouble }
        return .done
    }

    /// Takes what happens until somebody has had enough, or nobody reads what is printed.
    private static func follow(
        _ desk: EngagementDesk,
        _ plan: EngagementPlan,
        _ play: Play,
        _ screen: WatchScreen,
        show: (Ad) -> Void
    ) async {
        var wait = EngagementWait()
        for await happening in desk.happenings {
            guard play.console.loss == nil else { return }
            switch happening {
            case .timeUp: return
            // A widget that was opened elsewhere meanwhile is not to be shown any more.
            case .ad(let ad): if ad.isLoaded { show(ad) } else { play.printer.forget(ad.id) }
            case .news(let news):
                screen.take(news)
                if wait.take(news) == .wish { plan.fulfil(desk, play.sandbox) }
            }
        }
    }
}
