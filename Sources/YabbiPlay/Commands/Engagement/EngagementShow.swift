import AdCore
import AdRuntime
import YabbiAds

/// Connects, gets one thing to show, and shows it.
enum EngagementShow {
    static func run(
        _ play: Play,
        _ settings: Settings,
        _ sockets: any SocketTransport
    ) async throws(PlayError) -> Rounds {
        let plan = try EngagementPlan(play)
        let calls = try EngagementCalls(plan, play)
        var rounds = Rounds(play, script: settings.script)
        for _ in 0..<settings.repeats where play.console.loss == nil {
            let start = ContinuousClock.now
            let desk = EngagementDesk(plan, play, sockets)
            plan.begin(desk)
            switch await self.first(desk, plan, play) {
            case .success(let ad):
                await rounds.take(ad, after: start.duration(to: .now), shows: settings.command == .show)
            case .failure(let error): rounds.miss(error.code, error.message)
            }
            await desk.close()
            await self.tellRest(of: desk, play)
        }
        if let trouble = await calls.send(play) { rounds.fail(trouble) }
        return rounds
    }

    /// Says that more came than one thing, and forgets it.
    private static func tellRest(of desk: EngagementDesk, _ play: Play) async {
        var others = 0
        for await case .ad(let ad) in desk.happenings {
            others += 1
            play.printer.forget(ad.id)
        }
        guard others > 0, !play.settings.isJSON, play.settings.repeats == 1 else { return }
        play.console.out("  not shown  \(others) more that came; yabbi-play watch shows all")
    }

    /// The first thing that comes.
    static func first(_ desk: EngagementDesk, _ plan: EngagementPlan, _ play: Play) async -> Result<Ad, PlayError> {
        let patience = play.settings.timeout
        var wait = EngagementWait(wishesAgain: true)
        desk.giveUp(after: patience)
        defer { desk.stopWaiting() }
        for await happening in desk.happenings {
            switch happening {
            case .ad(let ad): return .success(ad)
            case .timeUp:
                let (code, message) = wait.timeUp(after: patience)
                return .failure(PlayError(code, message))
            case .news(let news):
                switch wait.take(news) {
                case .goOn: break
                case .wish: plan.fulfil(desk, play.sandbox)
                case .end(let code, let message): return .failure(PlayError(code, message))
                }
            }
        }
        return .failure(PlayError(.loadFailed, "the session is over"))
    }
}
