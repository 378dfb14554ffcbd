import AdCore
import AdRuntime
import PlayConsole
import PlayStages
import PlayText

/// Connects, waits for one ad, and shows it.
enum EngagementShow {
    static func run(
        _ plan: EngagementPlan,
        _ context: RunContext,
        _ script: UserScript?,
        _ sockets: any SocketTransport
    ) async throws(PlayError) -> RunTotals {
        let calls = try EngagementCalls(plan, context)
        var runner = AdRunner(context, script: script ?? UserScript())
        for _ in 0..<context.plan.repeats where context.console.loss == nil {
            let start = ContinuousClock.now
            let client = EngagementClient(plan, context, sockets)
            plan.start(client)
            switch await self.first(client, plan, context) {
            case .success(let ad):
                await runner.run(ad, loadedAfter: start.duration(to: .now), shows: script != nil)
            case .failure(let error): runner.addMissing(error)
            }
            await client.close()
            await self.printRest(of: client, context)
        }
        if let failure = await calls.send(context) { runner.fail(failure) }
        return runner.totals
    }

    /// Prints how many more ads were pushed, and discards them.
    private static func printRest(of client: EngagementClient, _ context: RunContext) async {
        var others = 0
        for await case .ad(let ad) in client.events {
            others += 1
            context.printer.forget(ad.id)
        }
        guard others > 0, !context.options.isJSON, context.plan.repeats == 1 else { return }
        context.console.out("  not shown  \(others) more; use yabbi-play watch to show all")
    }

    /// The first ad.
    static func first(_ client: EngagementClient, _ plan: EngagementPlan, _ context: RunContext) async -> Result<
        Ad, PlayError
    > {
        let timeout = context.options.timeout
        var wait = EngagementWait(pushesAgain: true)
        client.stop(after: timeout)
        defer { client.cancelStop() }
        for await event in client.events {
            switch event {
            case .ad(let ad): return .success(ad)
            case .timeUp:
                let (code, message) = wait.timeUp(after: timeout)
                return .failure(PlayError(code, message))
            case .session(let event):
                switch wait.handle(event) {
                case .wait: break
                case .push: plan.requestPush(client)
                case .end(let code, let message): return .failure(PlayError(code, message))
                }
            }
        }
        return .failure(PlayError(.loadFailed, "the session ended before an ad was pushed"))
    }
}
