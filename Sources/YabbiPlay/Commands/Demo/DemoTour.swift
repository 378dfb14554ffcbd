import AdCore
import AdProviders
import AdRuntime
import PlayConsole
import PlayReport
import PlayStages
import SandboxSSP
import YabbiAds

/// The way through everything that the demo shows, and what came of it.
struct DemoTour {
    let context: RunContext
    let sandbox: Sandbox
    /// What the visitor does with each ad.
    let visitor: Script
    private(set) var worst = ExitCode.done
    /// How many ads could not be loaded or shown.
    private(set) var failedAds = 0
    private(set) var ads: Set<AdID> = []
    /// What pages reported to their servers by themselves.
    private(set) var pageMessages: [PageServerMessage] = []
    /// Whether the user has left the demo, by q or Ctrl-C at an ad.
    let exit = ExitRequest()
    /// Whether nothing more is shown.
    var isOver: Bool { self.console.loss != nil || self.exit.isRequested }
    /// The line that counts the stops.
    private let progress: Progress?

    /// How many stops there are, each announced once: every creative twice, a chat, two messages, three places of cards,
    /// and three pages.
    static func stops(creatives: Int) -> Int { 2 * creatives + 1 + 2 + 3 + 3 }

    var console: any Console { self.context.console }
    private var style: Style { Style(isColoured: self.console.isColoured) }

    init(_ context: RunContext, _ sandbox: Sandbox, visitor: Script, progress: Progress? = nil) {
        self.context = context
        self.sandbox = sandbox
        self.visitor = visitor
        self.progress = progress
    }

    /// A script of the demo's own.
    static func script(_ text: String) throws(PlayError) -> Script {
        do throws(UsageError) {
            return try Script(parsing: text)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    // MARK: The stops

    /// Every creative, in YABBI's protocol and in OpenRTB's.
    mutating func creatives(_ creatives: [CreativeEntry]) async throws(PlayError) {
        for (provider, language) in [(ProviderChoice.yabbi, PlacementQuery.Language.yabbi), (.openrtb, .openrtb)] {
            for creative in creatives where !self.isOver {
                let query = PlacementQuery(builtIn: creative.name, speaking: language)
                let request = try self.context.request(for: query)
                await self.stop(provider, creative.name, creative.title, request)
            }
        }
    }

    /// Shows what is served for one request.
    mutating func stop(_ provider: ProviderChoice, _ name: String, _ title: String, _ request: AdRequest) async {
        guard !self.isOver else { return }
        self.announce(provider, name, title)
        await self.show(request)
    }

    /// The providers of cards: a chat in which a gate decides, messages in two languages, a feed, a carousel, a popup.
    mutating func cards() async throws(PlayError) {
        try await self.chat()
        for (title, message) in [
            ("a message in English", "I want to learn English before my journey"),
            ("a message in Japanese", "旅行の前に英語を勉強したいです"),
        ] {
            let placement = CeedAdsPlacement(conversationID: title, messageID: "1", contextText: message)
            await self.stop(.ceedads, "card", title, try self.context.request(for: .testing(placement)))
        }
        for (placement, title) in [
            (ActiveAdsPlacement.feed, "three among the entries of a feed"), (.banner, "a carousel"),
            (.popup, "one by itself"),
        ] {
            let request = try self.context.request(for: .activeAds(placement))
            await self.stop(.activeads, placement.rawValue, title, request)
        }
    }

    /// A conversation in which the gate decides where a card may appear.
    private mutating func chat() async throws(PlayError) {
        guard !self.isOver else { return }
        self.announce(.attentionmarket, "chat", "a conversation, and where a card may appear in it")
        let clock = self.context.clock
        var random = SplitMix(seed: self.context.services.random())
        var gate = PlacementGate(startedAt: clock.now)
        var history = ConversationHistory()
        for turn in DemoChat.turns where !self.isOver {
            clock.workBegan()
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

    // MARK: Showing

    private mutating func show(_ request: AdRequest) async {
        var runner = self.runner()
        await runner.run(request, shows: true)
        self.add(runner.totals)
    }

    /// A runner whose user may leave the demo.
    func runner(_ script: Script? = nil) -> AdRunner {
        var runner = AdRunner(self.context, script: script ?? self.visitor)
        runner.exit = self.exit
        return runner
    }

    /// Adds what came of a stop.
    mutating func add(_ totals: RunTotals) {
        self.worst = self.worst.worse(totals.worst)
        self.failedAds += totals.failures
        self.ads.formUnion(totals.ads)
        self.pageMessages += totals.pageMessages
        if let error = totals.worstError { self.console.err("yabbi-play: \(error)") }
    }

    /// Counts an ad that did not come.
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
        let verdict = decision.allows ? "a card may appear" : "no card"
        self.console.out(self.style.dim("  gate       \(verdict): \(decision.words)"))
    }
}
