import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import PlayText
import SandboxSSP

/// Smartico over one connection: a popup, a popup that opens the widget, and a mini-game.
extension DemoTour {
    /// Shows the pushed ads.
    ///
    /// The socket uses real time. Virtual time stands still except while ads are on a stage.
    mutating func engagements(_ sockets: any SocketTransport) async throws(PlayError) {
        guard !self.isOver else { return }
        self.announce(.smartico, "popup", "a deep link into the app")
        let clock = self.context.clock
        clock.workStarted()
        defer { clock.workEnded() }
        let plan = try EngagementPlan(try DemoTour.options(self.context.plan.app), self.context)
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
        try await self.waitUntilIdentified(client)
        self.sandbox.push(.raw(DemoPopup.cashier.message(at: self.context.clock.wallTime)), to: plan.user.id)
        let popup = try await self.next(client)
        var runner = self.runner()
        await runner.run(popup, loadedAfter: .zero, shows: true)
        self.add(runner.totals)

        guard !self.isOver else { return }
        self.announce(.smartico, "popup and widget", "a deep link opens the widget while the popup is on screen")
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

    /// Shows a popup, and the widget that a click in it opens, each on its own stage.
    private mutating func showTogether(_ popup: Ad, _ client: EngagementClient) async throws(PlayError) {
        let (tour, clock) = (self, self.context.clock)
        let (first, second) = (try DemoTour.script("click@1s,close@4s"), try DemoTour.script("close@2s"))
        // Time runs until the widget is loaded, and is held from then on.
        let arrival = ClockWait(clock)
        self.context.printer.onNextLoaded { arrival.end() }
        clock.workStarted()
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
        // If no widget was loaded, this ends the wait.
        arrival.end()
        self.add(runner.totals)
        self.add(try await widget.get())
    }

    /// The options for the built-in server.
    private static func options(_ app: AppOptions) throws(PlayError) -> EngagementOptions {
        do throws(UsageError) {
            let words = ["\(AppOptions.bundle.name)=\(app.bundle)"]
            let arguments = try Arguments(words, for: WatchCommand.self)
            let provider = try ProviderOptions(pushing: arguments)
            return try EngagementOptions(arguments, provider, in: .real(speed: 1))
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// The time limit for the built-in server, in real time.
    private static let serverTimeout = Duration.seconds(10)

    /// Waits until the user is identified.
    private func waitUntilIdentified(_ client: EngagementClient) async throws(PlayError) {
        var wait = EngagementWait()
        client.stop(after: DemoTour.serverTimeout)
        defer { client.cancelStop() }
        for await event in client.events {
            switch event {
            case .ad: break
            case .timeUp:
                let (code, message) = wait.timeUp(after: DemoTour.serverTimeout)
                throw PlayError(code, message)
            case .session(let event):
                switch wait.handle(event) {
                case .wait: break
                case .push: return
                case .end(let code, let message): throw PlayError(code, message)
                }
            }
        }
    }

    private func next(_ client: EngagementClient) async throws(PlayError) -> Ad {
        try await DemoTour.next(client, self.context.clock)
    }

    /// Waits for the next ad, and until the session has handled the message of the ad.
    ///
    /// Otherwise the order of printed lines would depend on threads.
    private static func next(_ client: EngagementClient, _ clock: any AdClock) async throws(PlayError) -> Ad {
        client.stop(after: self.serverTimeout)
        defer { client.cancelStop() }
        for await event in client.events {
            switch event {
            case .ad(let ad):
                await clock.rest(until: clock.now)
                return ad
            case .timeUp: throw PlayError(.noFill, "no ad was pushed within \(self.serverTimeout.seconds) s")
            case .session: break
            }
        }
        throw PlayError(.loadFailed, "the session ended before an ad was pushed")
    }
}

/// The popups of the demo.
private enum DemoPopup: String {
    /// Opens a screen of the app.
    case cashier
    /// Opens the widget.
    case levels

    private var texts: (title: String, text: String, button: String, link: String) {
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

    /// The message that the server pushes.
    func message(at time: WallTime) -> AdJSON {
        let (title, text, button, link) = self.texts
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
