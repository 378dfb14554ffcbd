public import AdCore

/// A live session with Smartico: the connection, the user, and the pages that are shown.
///
/// A machine without I/O: it takes an input and the time, and returns actions. There is one socket at a time. INIT is
/// the first message on each, then IDENTIFY follows once; every other message waits for the response to that.
public struct SmarticoSession: EngagementMachine {
    /// `smartico`.
    public var provider: ProviderName { SmarticoSession.provider }
    /// `smartico`.
    package static let provider: ProviderName = "smartico"

    /// The limits and timeouts of a session.
    public struct Rules: Hashable, Sendable {
        /// How long the app must be in the background for a new logical session to begin.
        public var inactivity = Duration.seconds(30 * 60)
        /// Whether the session starts logical sessions by itself; otherwise the host does.
        public var startsLogicalSessions = true
        /// How long the URLs of pages are valid.
        public var pageValidity = Duration.seconds(24 * 60 * 60)
        /// How long the server may take to respond to INIT and IDENTIFY.
        public var timeout = Duration.seconds(15)
        /// How long a popup or a game can wait to be shown.
        public var lifetime = Duration.seconds(5 * 60)
        /// Prefixes of deep links that open the gamification page, besides `dp:gf`.
        public var gamificationPrefixes: [String] = []

        /// The default rules.
        public init() {}
    }

    let app: SmarticoApp
    let rules: Rules

    var connection = ConnectionState.down
    var backoff = SmarticoBackoff()
    var pingMonitor = SmarticoPingMonitor()
    var isOffline = false
    /// When the last message arrived, or the connection was opened.
    var lastHeard: Moment?
    /// The session id in INIT; kept as long as the user is the same.
    var sessionID: String?
    var settings: SmarticoSettings?

    var user: SmarticoUser?
    var push: SmarticoPush?
    /// The last registration for push notifications that the server received.
    var sentPush: SmarticoPush?
    /// A language that is not sent yet.
    var language: String?
    var activity = SmarticoActivity()
    /// Messages of pages that are not sent yet.
    var outbox = SmarticoOutbox()

    var pages = SmarticoPageRegistry()

    /// The state of the connection.
    enum ConnectionState: Hashable, Sendable {
        /// No connection is wanted.
        case down
        /// Waits for the reconnect timer or for a network.
        case waiting
        /// The socket is being opened.
        case connecting
        /// INIT is sent; waits for the response.
        case initializing
        /// The server accepted the app; there is no user.
        case ready
        /// IDENTIFY is sent; waits for the response.
        case identifying
        /// The server accepted the user at this time.
        case live(since: Moment)
    }

    /// Creates a session that connects when it gets the command.
    public init(_ app: SmarticoApp, rules: Rules = Rules()) {
        self.app = app
        self.rules = rules
    }

    /// Whether the server has accepted the user.
    var isLive: Bool {
        if case .live = self.connection { true } else { false }
    }

    /// Handles an input, and returns the actions to execute.
    public mutating func handle(
        _ input: EngagementInput<SmarticoCommand>,
        at time: EngagementTime,
        random: inout some RandomNumberGenerator
    ) -> [EngagementAction<SmarticoEvent>] {
        var step = SmarticoTransition(time: time, random: random)
        switch input {
        case .command(let command): self.handle(command, &step)
        case .socket(let event): self.handle(event, &step)
        case .timer(let timer): self.handle(timer, &step)
        case .page(let page, let event): self.handle(event, of: page, &step)
        case .signal(let signal): self.handle(signal, &step)
        }
        random = step.random
        return step.actions
    }
}

/// Collects the actions of one input, with the time and the random numbers for them.
struct SmarticoTransition<Random: RandomNumberGenerator> {
    let time: EngagementTime
    var random: Random
    private(set) var actions: [EngagementAction<SmarticoEvent>] = []

    init(time: EngagementTime, random: Random) {
        self.time = time
        self.random = random
    }

    var now: Moment { self.time.now }

    mutating func append(_ action: EngagementAction<SmarticoEvent>) { self.actions.append(action) }

    mutating func send(_ message: SmarticoOutgoing) {
        self.append(.send(message.text(at: self.time, uuid: self.uuid())))
    }

    mutating func uuid() -> String { RandomUUID.text(&self.random) }

    mutating func recordIssue(_ code: String, _ text: String) { self.append(.issue(AdIssue(code, at: .whole, text))) }
}
