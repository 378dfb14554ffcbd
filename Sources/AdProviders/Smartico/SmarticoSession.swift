public import AdCore

/// A live session with Smartico: who is connected, who is logged in, and what is shown.
///
/// Pure: what comes in and the present go in, what is to be done comes out. One socket after the other; on each of them
/// the app is introduced first and the user, once, then; everything else waits for that.
public struct SmarticoSession: EngagementMachine {
    /// `smartico`.
    public var provider: ProviderName { SmarticoSession.provider }
    /// `smartico`.
    package static let provider: ProviderName = "smartico"

    /// What is allowed, and how long things last.
    public struct Rules: Hashable, Sendable {
        /// How long after the user was last active a logical session ends.
        public var inactivity = Duration.seconds(30 * 60)
        /// Whether the session says by itself when a logical session begins; else the host does.
        public var beginsLogicalSessions = true
        /// How long the addresses of pages hold.
        public var pageValidity = Duration.seconds(24 * 60 * 60)
        /// How long the server may take to answer.
        public var patience = Duration.seconds(15)
        /// How long an app may take to show a popup or a game.
        public var lifetime = Duration.seconds(5 * 60)
        /// What deep links to the gamification page begin with, besides `dp:gf`.
        public var gamificationPrefixes: [String] = []

        /// The rules where nothing else is said.
        public init() {}
    }

    let app: SmarticoApp
    let rules: Rules

    var link = Link.down
    var backoff = SmarticoBackoff()
    var watch = SmarticoPingWatch()
    var isOffline = false
    /// When the server was heard last, or the connection opened.
    var heard: Moment?
    /// A session id of this app's, for as long as the same user is there.
    var sessionID: String?
    var settings: SmarticoSettings?

    var user: SmarticoUser?
    var push: SmarticoPush?
    /// What the server knows of push notifications.
    var toldPush: SmarticoPush?
    /// A language that the server does not know yet.
    var language: String?
    var activity = SmarticoActivity()
    /// What pages said to the server while nobody listened.
    var forwards = SmarticoForwards()

    var pages = SmarticoPageRegistry()

    /// How far the connection has come.
    enum Link: Hashable, Sendable {
        /// Nobody wants one.
        case down
        /// The next attempt comes after a pause, or with a network.
        case waiting
        /// It is being opened.
        case connecting
        /// The app is introduced, and the answer awaited.
        case initializing
        /// The server knows the app, and nobody is logged in.
        case ready
        /// The user is introduced, and the answer awaited.
        case identifying
        /// The server knows the user, since then.
        case live(since: Moment)
    }

    /// A session of an app, which connects when it is told to.
    public init(_ app: SmarticoApp, rules: Rules = Rules()) {
        self.app = app
        self.rules = rules
    }

    /// Whether the server knows the user.
    var isLive: Bool {
        if case .live = self.link { true } else { false }
    }

    /// Takes something in, and says what is to be done.
    public mutating func handle(
        _ input: EngagementInput<SmarticoCommand>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<SmarticoEvent>] {
        var step = SmarticoStepper(time: time, random: random)
        switch input {
        case .command(let command): self.take(command, &step)
        case .socket(let event): self.take(event, &step)
        case .timer(let timer): self.fire(timer, &step)
        case .page(let page, let event): self.take(event, of: page, &step)
        case .signal(let signal): self.take(signal, &step)
        }
        random = step.random
        return step.actions
    }
}

/// What one input leads to: the actions so far, the present, and chance.
struct SmarticoStepper<Random: RandomNumberGenerator> {
    let time: EngagementTime
    var random: Random
    private(set) var actions: [EngagementAction<SmarticoEvent>] = []

    init(time: EngagementTime, random: Random) {
        self.time = time
        self.random = random
    }

    var now: Moment { self.time.now }

    mutating func act(_ action: EngagementAction<SmarticoEvent>) { self.actions.append(action) }

    mutating func say(_ message: SmarticoOutgoing) {
        self.act(.send(message.text(at: self.time, uuid: self.uuid())))
    }

    mutating func uuid() -> String { RandomUUID.text(&self.random) }

    mutating func note(_ code: String, _ text: String) { self.act(.issue(AdIssue(code, at: .whole, text))) }
}
