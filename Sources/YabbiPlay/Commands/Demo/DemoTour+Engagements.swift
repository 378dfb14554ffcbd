import AdCore
import AdRuntime
import PlayConsole
import PlayReport
import SandboxSSP
import YabbiAds

/// Smartico over one connection: a popup, another one from which the widget opens, and a mini-game.
extension DemoTour {
    /// What is pushed, and what becomes of it.
    ///
    /// The socket lives in real time: virtual time is held throughout, but for what happens on stages.
    mutating func engagements(_ sockets: any SocketTransport) async throws(PlayError) {
        guard !self.isOver else { return }
        self.announce(.smartico, "popup", "a deep link that is for the app")
        let clock = self.context.clock
        clock.workBegan()
        defer { clock.workEnded() }
        let plan = try EngagementPlan(try DemoTour.options(), self.context)
        let client = EngagementClient(plan, self.context, sockets)
        plan.start(client)
        do throws(PlayError) {
            try await self.show(client, plan)
        } catch {
            self.fail(error)
        }
        await client.close()
    }

    private mutating func show(
        _ client: EngagementClient,
        _ plan: EngagementPlan
    ) async throws(PlayError) {
        try await self.known(client)
        self.sandbox.push(.raw(DemoPopup.cashier.message(at: self.context.clock.wallTime)), to: plan.user.id)
        let popup = try await self.next(client)
        var runner = self.runner()
        await runner.run(popup, loadedAfter: .zero, shows: true)
        self.add(runner.totals)

        guard !self.isOver else { return }
        self.announce(.smartico, "popup and widget", "a deep link opens the widget while the popup is still there")
        self.sandbox.push(.raw(DemoPopup.levels.message(at: self.context.clock.wallTime)), to: plan.user.id)
        try await self.showTogether(try await self.next(client), client)

        guard !self.isOver else { return }
        self.announce(.smartico, "game", "a mini-game")
        self.sandbox.push(.game, to: plan.user.id)
        let game = try await self.next(client)
        runner = self.runner()
        await runner.run(game, loadedAfter: .zero, shows: true)
        self.add(runner.totals)
    }

    /// Shows a popup, and what opens when it is clicked, each on a stage of its own.
    private mutating func showTogether(_ popup: Ad, _ client: EngagementClient) async throws(PlayError) {
        let (tour, clock) = (self, self.context.clock)
        let (first, second) = (try DemoTour.script("click@1s,close@4s"), try DemoTour.script("close@2s"))
        // The wait for the widget lets time go on; from its load on time is held again.
        let arrival = ClockWait(clock)
        self.context.printer.onNextLoaded { arrival.end() }
        clock.workBegan()
        async let widget = { () async -> Result<RunTotals, PlayError> in
            await arrival.wait()
            defer { clock.workEnded() }
            do throws(PlayError) {
                let ad = try await DemoTour.next(client, clock)
                var runner = tour.runner(second)
                await runner.run(ad, loadedAfter: .zero, shows: true)
                return .success(runner.totals)
            } catch {
                return .failure(error)
            }
        }()
        var runner = self.runner(first)
        await runner.run(popup, loadedAfter: .zero, shows: true)
        // Without a widget the wait ends here.
        arrival.end()
        self.add(runner.totals)
        self.add(try await widget.get())
    }

    /// The built-in server with its own keys; it pushes what the demo tells it to.
    private static func options() throws(PlayError) -> EngagementOptions {
        do throws(UsageError) {
            let provider = try ProviderOptions(Arguments([], for: WatchCommand.self), default: .smartico)
            return try EngagementOptions(provider, in: .real(speed: 1))
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// How long the built-in server may take, in real time.
    private static let patience = Duration.seconds(10)

    /// Waits until the server knows the user.
    private func known(_ client: EngagementClient) async throws(PlayError) {
        var wait = EngagementWait()
        client.giveUp(after: DemoTour.patience)
        defer { client.stopWaiting() }
        for await event in client.events {
            switch event {
            case .ad: break
            case .timeUp:
                let (code, message) = wait.timeUp(after: DemoTour.patience)
                throw PlayError(code, message)
            case .news(let news):
                switch wait.handle(news) {
                case .goOn: break
                case .push: return
                case .end(let code, let message): throw PlayError(code, message)
                }
            }
        }
    }

    private func next(_ client: EngagementClient) async throws(PlayError) -> Ad {
        try await DemoTour.next(client, self.context.clock)
    }

    /// Waits for the next ad, and until the session has handled the message that brought it.
    ///
    /// Else another thread would answer the page, and what is printed of that might come before or behind the reveal.
    private static func next(_ client: EngagementClient, _ clock: any AdClock) async throws(PlayError) -> Ad {
        client.giveUp(after: self.patience)
        defer { client.stopWaiting() }
        for await event in client.events {
            switch event {
            case .ad(let ad):
                await clock.rest(until: clock.now)
                return ad
            case .timeUp: throw PlayError(.noFill, "nothing to show came within \(self.patience.seconds) s")
            case .news: break
            }
        }
        throw PlayError(.loadFailed, "the session is over")
    }
}

/// The popups of the demo.
private enum DemoPopup: String {
    /// Leads to a place of the app's own.
    case cashier
    /// Leads into the widget.
    case levels

    private var words: (title: String, text: String, button: String, link: String) {
        switch self {
        case .cashier:
            (
                "Three socks, one left over", "Sokketri would like to know at the till what you make of it.",
                "Go to the till", "dp:cashier"
            )
        case .levels:
            (
                "Your fern has grown a leaf", "Frondolo counted twice. Come and see which level that makes.",
                "Show my levels", "dp:gf_levels"
            )
        }
    }

    /// The message, as the server pushes it.
    func message(at time: WallTime) -> AdJSON {
        let (title, text, button, link) = self.words
        let html = """
            <h1>\(title)</h1><p>\(text)</p>\
            <button data-dp="\(link)">\(button)</button><button data-dp="dp:ok">Fine</button>
            """
        return [
            "cid": 110, "engagement_uid": .string("demo-\(self.rawValue)"), "activityType": 30,
            "template_html": .string(html), "template_engine": 1, "params": [:], "ts": .int(time.milliseconds),
            "uuid": .string("demo-\(self.rawValue)"),
        ]
    }
}
