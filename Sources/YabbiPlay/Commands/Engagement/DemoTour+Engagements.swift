import AdCore
import AdRuntime
import SandboxSSP
import YabbiAds

/// Smartico over one connection: a popup, another one from which the widget opens, and a mini-game.
extension DemoTour {
    /// What is pushed, and what becomes of it.
    ///
    /// The socket lives in real time: virtual time is held throughout, but for what happens on stages.
    mutating func engagements(_ sockets: any SocketTransport) async throws(PlayError) {
        guard !self.isOver, let sandbox = self.play.sandbox else { return }
        self.announce(.smartico, "popup", "a deep link that is for the app")
        let clock = self.play.clock
        clock.workBegan()
        defer { clock.workEnded() }
        let plan = try EngagementPlan(self.play)
        let desk = EngagementDesk(plan, self.play, sockets)
        plan.begin(desk)
        do throws(PlayError) {
            try await self.show(desk, plan, sandbox)
        } catch {
            self.fail(error)
        }
        await desk.close()
    }

    private mutating func show(
        _ desk: EngagementDesk,
        _ plan: EngagementPlan,
        _ sandbox: Sandbox
    ) async throws(PlayError) {
        try await self.known(desk)
        sandbox.push(.raw(DemoPopup.cashier.message(at: self.play.clock.wallTime)), to: plan.user.id)
        let popup = try await self.next(desk)
        var rounds = self.rounds()
        await rounds.take(popup, after: .zero, shows: true)
        self.add(rounds)

        guard !self.isOver else { return }
        self.announce(.smartico, "popup and widget", "a deep link opens the widget while the popup is still there")
        sandbox.push(.raw(DemoPopup.levels.message(at: self.play.clock.wallTime)), to: plan.user.id)
        try await self.showTogether(try await self.next(desk), desk)

        guard !self.isOver else { return }
        self.announce(.smartico, "game", "a mini-game")
        sandbox.push(.game, to: plan.user.id)
        let game = try await self.next(desk)
        rounds = self.rounds()
        await rounds.take(game, after: .zero, shows: true)
        self.add(rounds)
    }

    /// Shows a popup, and what opens when it is clicked, each on a stage of its own.
    private mutating func showTogether(_ popup: Ad, _ desk: EngagementDesk) async throws(PlayError) {
        let (tour, play, clock) = (self, self.play, self.play.clock)
        let (first, second) = (try self.script("click@1s,close@4s"), try self.script("close@2s"))
        // Whoever waits for the widget lets time go on, and holds it again from when it is loaded.
        let arrival = ClockRest(clock)
        play.printer.onNextLoaded { arrival.end() }
        clock.workBegan()
        async let widget = { () async -> Result<Rounds, PlayError> in
            await arrival.wait()
            defer { clock.workEnded() }
            do throws(PlayError) {
                let ad = try await DemoTour.next(desk, clock)
                var rounds = tour.rounds(second)
                await rounds.take(ad, after: .zero, shows: true)
                return .success(rounds)
            } catch {
                return .failure(error)
            }
        }()
        var rounds = self.rounds(first)
        await rounds.take(popup, after: .zero, shows: true)
        // Where none has come, nobody waits for ever.
        arrival.end()
        self.add(rounds)
        self.add(try await widget.get())
    }

    private func script(_ text: String) throws(PlayError) -> Script {
        do throws(UsageError) {
            return try Script(parsing: text)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// How long the built-in server may take, in real time.
    private static let patience = Duration.seconds(10)

    /// Waits until the server knows the user.
    private func known(_ desk: EngagementDesk) async throws(PlayError) {
        var wait = EngagementWait()
        desk.giveUp(after: DemoTour.patience)
        defer { desk.stopWaiting() }
        for await happening in desk.happenings {
            switch happening {
            case .ad: break
            case .timeUp:
                let (code, message) = wait.timeUp(after: DemoTour.patience)
                throw PlayError(code, message)
            case .news(let news):
                switch wait.take(news) {
                case .goOn: break
                case .wish: return
                case .end(let code, let message): throw PlayError(code, message)
                }
            }
        }
    }

    private func next(_ desk: EngagementDesk) async throws(PlayError) -> Ad {
        try await DemoTour.next(desk, self.play.clock)
    }

    /// Waits for what comes next, and until whoever brought it is done with it.
    ///
    /// Else another thread would answer the page, and what is printed of that might come before or behind the reveal.
    private static func next(_ desk: EngagementDesk, _ clock: any AdClock) async throws(PlayError) -> Ad {
        desk.giveUp(after: self.patience)
        defer { desk.stopWaiting() }
        for await happening in desk.happenings {
            switch happening {
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
    func message(at time: WallTime) -> JSON {
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
