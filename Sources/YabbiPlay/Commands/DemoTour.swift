import AdCore
import AdRuntime
import YabbiAds

/// The way through everything that the demo shows, and what came of it.
struct DemoTour {
    let play: Play
    /// What the visitor does with each ad.
    let visitor: Script
    private(set) var worst = ExitCode.done
    /// How many ads could not be loaded or shown.
    private(set) var failedAds = 0
    private(set) var ads: Set<AdID> = []
    /// What pages have told their servers by themselves.
    private(set) var told: [PageTold] = []
    /// Whether the user has left, by q or Ctrl-C at an ad.
    let departure = Departure()
    /// Whether nothing more is to be shown.
    var isOver: Bool { self.console.loss != nil || self.departure.isWished }
    /// What counts the stops for whoever looks on.
    private let progress: Progress?

    /// How many stops there are, each announced once: every creative twice, a chat, two messages, three places of cards,
    /// and three pages.
    static func stops(creatives: Int) -> Int { 2 * creatives + 1 + 2 + 3 + 3 }

    var console: any Console { self.play.console }
    private var style: Style { Style(isColoured: self.console.isColoured) }

    init(_ play: Play, visitor: Script, progress: Progress? = nil) {
        self.play = play
        self.visitor = visitor
        self.progress = progress
    }

    /// Shows what is served for one wish.
    mutating func stop(
        _ provider: Settings.Provider,
        _ name: String,
        _ title: String,
        _ wish: Wish
    ) async {
        guard !self.isOver else { return }
        self.announce(provider, name, title)
        await self.show(wish)
    }

    /// The providers of cards: a chat in which a gate decides, messages in two languages, a feed, a carousel, a popup.
    mutating func cards() async throws(PlayError) {
        try await self.chat()
        for (title, message) in [
            ("a message in English", "I want to learn English before my journey"),
            ("a message in Japanese", "旅行の前に英語を勉強したいです"),
        ] {
            let placement = CeedAdsPlacement(conversationID: title, messageID: "1", contextText: message)
            await self.stop(.ceedads, "card", title, try self.play.ceedAds(placement))
        }
        for (placement, title) in [
            (ActiveAdsPlacement.feed, "three among the entries of a feed"), (.banner, "a carousel"),
            (.popup, "one by itself"),
        ] { await self.stop(.activeads, placement.rawValue, title, try self.play.activeAds(placement)) }
    }

    /// A conversation of which the gate says where a card may appear.
    private mutating func chat() async throws(PlayError) {
        guard !self.isOver else { return }
        self.announce(.attentionmarket, "chat", "a conversation, and where a card may appear in it")
        let clock = self.play.clock
        var random = SplitMix(seed: self.play.services.random())
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
            self.tell(turn, decision)
            guard decision.allows else { continue }
            let placement = AttentionMarketPlacement(userMessage: turn.user, conversationHistory: history.messages)
            let failures = self.failedAds
            await self.show(try self.play.attentionMarket(placement))
            if self.failedAds == failures { gate.recordAdShown() }
        }
    }

    private mutating func show(_ wish: Wish) async {
        var rounds = self.rounds()
        await rounds.round(wish, shows: true)
        self.add(rounds)
    }

    /// Rounds whose user may leave the demo.
    func rounds(_ script: Script? = nil) -> Rounds {
        var rounds = Rounds(self.play, script: script ?? self.visitor)
        rounds.departure = self.departure
        return rounds
    }

    /// Takes what came of rounds to the rest.
    mutating func add(_ rounds: Rounds) {
        self.worst = self.worst.worse(rounds.worst)
        self.failedAds += rounds.failures
        self.ads.formUnion(rounds.ads)
        self.told += rounds.told
        if let error = rounds.worstError { self.console.err("yabbi-play: \(error)") }
    }

    /// Something that was to be shown did not come.
    mutating func fail(_ error: PlayError) {
        self.worst = self.worst.worse(error.code)
        self.failedAds += 1
        self.console.err("yabbi-play: \(error.message)")
    }

    func announce(_ provider: Settings.Provider, _ name: String, _ title: String) {
        self.progress?.step("\(provider.rawValue)  \(name)")
        guard !self.play.settings.isJSON else { return }
        self.console.out("\n" + self.style.bold("\(provider.rawValue)  \(name)") + "  \(title)")
    }

    private func tell(_ turn: DemoChat.Turn, _ decision: PlacementGate.Decision) {
        let now = self.play.clock.now.sinceOrigin
        guard !self.play.settings.isJSON else {
            let line: JSON = [
                "event": "chat", "t": .int(now.wholeMilliseconds), "user": .string(turn.user),
                "assistant": .string(turn.assistant), "gate": .string("\(decision)"), "allows": .bool(decision.allows),
            ]
            return self.console.out(line.text())
        }
        self.console.out("  user       \(turn.user)")
        self.console.out("  assistant  \(turn.assistant)")
        self.console.out(
            self.style.dim("  gate       \(decision.allows ? "a card may appear" : "no card"): \(decision.words)")
        )
    }
}

/// The conversation of the demo.
enum DemoChat {
    /// What a user says, and what is answered.
    struct Turn {
        let user: String
        let assistant: String
    }

    /// How long people take between two messages.
    static let pause = Duration.seconds(8)

    static let turns = [
        Turn(user: "hello", assistant: "Hello! What can I do for you?"),
        Turn(user: "my fern looks unhappy", assistant: "How does it look?"),
        Turn(user: "brown at the tips", assistant: "The air may be too dry."),
        Turn(user: "and the soil is hard", assistant: "Then water does not reach its roots."),
        Turn(user: "which pot should I buy?", assistant: "Here is what to look for: holes in the bottom, and clay."),
        Turn(user: "is clay expensive? what does it cost?", assistant: "A small one costs less than the fern."),
        Turn(user: "thanks", assistant: "You are welcome."),
        Turn(user: "how often shall I water it?", assistant: "When the soil feels dry."),
        Turn(user: "good", assistant: "It will be green again in spring."),
        Turn(user: "which is the best fern for a dark room?", assistant: "I found three that like the shade."),
    ]
}

extension PlacementGate.Decision {
    /// The rule in words.
    fileprivate var words: String {
        switch self {
        case .tooEarly: "too few messages yet"
        case .tooSoon: "too few messages since the last card"
        case .onboarding: "the session is too young"
        case .noOccasion: "no occasion"
        case .commercialIntent: "the user wants to buy something"
        case .providedValue: "the answer was of use, and chance was for it"
        case .anyMessage: "the rules ask for no occasion"
        }
    }
}
