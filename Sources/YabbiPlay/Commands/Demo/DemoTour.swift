import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import PlayStages
import PlayText
import SandboxSSP

/// The ads of the demo, and their results.
struct DemoTour {
    let context: RunContext
    let sandbox: Sandbox
    /// The scripted user for each ad.
    let script: UserScript
    private(set) var worst = ExitCode.done
    /// The number of ads that failed to load or show.
    private(set) var failedAds = 0
    private(set) var ads: Set<AdID> = []
    /// The messages that pages sent to their servers.
    private(set) var pageMessages: [PageServerMessage] = []
    /// Requested by q or Ctrl-C.
    let exit = ExitRequest()
    /// Whether nothing more is shown.
    var isOver: Bool { self.console.loss != nil || self.exit.isRequested }
    private let progress: Progress?

    /// The number of announced steps: every creative with two providers, one auction, one chat, two messages, three card
    /// placements, and three pages.
    static func steps(creatives: Int) -> Int { 2 * creatives + 1 + 1 + 2 + 3 + 3 }

    var console: any Console { self.context.console }
    private var style: Style { Style(isColored: self.console.isColored) }

    init(_ context: RunContext, _ sandbox: Sandbox, script: UserScript, progress: Progress? = nil) {
        self.context = context
        self.sandbox = sandbox
        self.script = script
        self.progress = progress
    }

    /// Parses a script of the demo.
    static func script(_ text: String) throws(PlayError) -> UserScript {
        do throws(UsageError) {
            return try UserScript(parsing: text)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    // MARK: Steps

    /// Shows every creative, by YABBI's protocol and by OpenRTB.
    mutating func creatives(_ creatives: [CreativeEntry]) async throws(PlayError) {
        for (provider, language) in [(ProviderChoice.yabbi, PlacementQuery.Language.yabbi), (.openrtb, .openrtb)] {
            for creative in creatives where !self.isOver {
                let query = PlacementQuery(builtIn: creative.name, speaking: language)
                let request = try self.context.request(for: query)
                await self.step(provider, creative.name, creative.title, request)
            }
        }
    }

    /// Announces a step, and shows the ads of one request.
    mutating func step(_ provider: ProviderChoice, _ name: String, _ title: String, _ request: AdRequest) async {
        guard !self.isOver else { return }
        self.announce(provider, name, title)
        await self.show(request)
    }

    /// Shows the providers of cards: a chat with a placement gate, messages in two languages, a feed, a carousel, a
    /// popup.
    mutating func cards() async throws(PlayError) {
        try await self.chat()
        for (title, message) in [
            ("a message in English", "I want to learn English before my journey"),
            ("a message in Japanese", "旅行の前に英語を勉強したいです"),
        ] {
            let placement = CeedAdsPlacement(conversationID: title, messageID: "1", contextText: message)
            await self.step(.ceedads, "card", title, try self.context.request(for: .testing(placement)))
        }
        for (placement, title) in [
            (ActiveAdsPlacement.feed, "three cards in a feed"), (.banner, "a carousel"),
            (.popup, "a single card"),
        ] {
            let request = try self.context.request(for: .activeAds(placement))
            await self.step(.activeads, placement.rawValue, title, request)
        }
    }

    /// Plays a conversation in which the placement gate decides when a card may appear.
    private mutating func chat() async throws(PlayError) {
        guard !self.isOver else { return }
        self.announce(.attentionmarket, "chat", "cards in a conversation")
        let clock = self.context.clock
        var random = SplitMix(seed: self.context.services.random())
        var gate = PlacementGate(startedAt: clock.now)
        var history = ConversationHistory()
        for turn in DemoChat.turns where !self.isOver {
            clock.workStarted()
            await clock.rest(until: clock.now + DemoChat.pause)
            clock.workEnded()
            history.add(turn.user)
            let decision = gate.decide(
                userMessage: turn.user,
                aiResponse: turn.assistant,
                at: clock.now,
                random: &random
            )
            self.print(turn, decision)
            guard decision.allows else { continue }
            let placement = AttentionMarketPlacement(userMessage: turn.user, conversationHistory: history.messages)
            let failures = self.failedAds
            await self.show(try self.context.request(for: .testing(placement)))
            if self.failedAds == failures { gate.recordAdShown() }
        }
    }

    // MARK: Show

    private mutating func show(_ request: AdRequest) async {
        var runner = self.runner()
        await runner.run(request, shows: true)
        self.add(runner.totals)
    }

    /// A runner whose user may quit the demo.
    func runner(_ script: UserScript? = nil) -> AdRunner {
        var runner = AdRunner(self.context, script: script ?? self.script)
        runner.exit = self.exit
        return runner
    }

    /// Adds the results of a step.
    mutating func add(_ totals: RunTotals) {
        self.worst = self.worst.worse(totals.worst)
        self.failedAds += totals.failures
        self.ads.formUnion(totals.ads)
        self.pageMessages += totals.pageMessages
        if let error = totals.worstError { self.console.err("yabbi-play: \(error)") }
    }

    /// Counts an ad that was not loaded.
    mutating func fail(_ error: PlayError) {
        self.worst = self.worst.worse(error.code)
        self.failedAds += 1
        self.console.err("yabbi-play: \(error.message)")
    }

    func announce(_ provider: ProviderChoice, _ name: String, _ title: String) {
        self.progress?.step("\(provider.rawValue)  \(name)")
        guard !self.context.options.isJSON else { return }
        self.console.out("\n" + self.style.bold("\(provider.rawValue)  \(name)") + "  \(title)")
    }

    private func print(_ turn: DemoChat.Turn, _ decision: PlacementGate.Decision) {
        let now = self.context.clock.now.sinceOrigin
        guard !self.context.options.isJSON else {
            let line: AdJSON = [
                "event": "chat", "t": .int(now.wholeMilliseconds), "user": .string(turn.user),
                "assistant": .string(turn.assistant), "gate": .string("\(decision)"),
                "allows": .bool(decision.allows),
            ]
            return self.console.out(line.text())
        }
        self.console.out("  user       \(turn.user)")
        self.console.out("  assistant  \(turn.assistant)")
        let outcome = decision.allows ? "card allowed" : "no card"
        self.console.out(self.style.dim("  gate       \(outcome): \(decision.text)"))
    }
}
