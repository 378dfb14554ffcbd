import AdCore

/// The player's side of the conversation with one SIMID creative (SIMID 1.2): which message follows which, and what the
/// creative may do.
///
/// It plays nothing: it returns actions, and the video's machine executes them with its own player. Each wait has a time
/// limit, and a creative that does not keep to the rules is removed, while the video goes on.
struct SIMIDSession: Hashable, Sendable {
    enum Action: Hashable, Sendable {
        /// Post a message to the creative.
        case post(SIMIDMessage)
        /// List a message in tools.
        case observe(BridgeMessage)
        /// The ad may be shown: the creative is ready, or will not be.
        case settled
        /// The creative is ready to be seen.
        case show
        /// Remove the creative from the screen.
        case hide
        /// Remove the creative; the video goes on. The code is reported as an error of VAST.
        case remove(code: Int?, String)
        /// End the ad with an error.
        case fail(code: Int, String)
        case pause, play, skip, stop
        case setVolume(Double, isMuted: Bool)
        case click(String?)
        case navigate(String)
        case track([String])
        case resize(media: MRAIDRect, creative: MRAIDRect)
        case expand, collapse
        case fullScreen(Bool)
        /// The ad lasts until this position; nil for until the creative stops it.
        case extend(Duration?)
        case setAlarm(Wait, after: Duration)
    }

    /// What is waited for.
    enum Wait: Hashable, Sendable {
        case session, initialization, start
        /// The reply to the last message: the creative is removed then.
        case farewell
    }

    /// The phase of the conversation.
    enum Phase: Hashable, Sendable {
        /// Its page loads; it has not created a session.
        case loading
        /// `Player:init` is not answered; the number of that message.
        case initializing(Int)
        /// It is ready to start.
        case ready
        /// `Player:startCreative` is not answered.
        case starting(Int)
        case running
        /// `adStopped`, `adSkipped` or `fatalError` is not answered.
        case stopping(Int)
        case over
    }

    /// Why an ad ends, with the code of `adStopped` (SIMID 1.2 §4.3.2).
    enum End: Hashable, Sendable {
        case skipped
        case stopped(Int)
        case failed(Int, String)
    }

    /// How long the ad waits for the session and the initialization before it starts without the creative.
    static let patience = Duration.seconds(3)
    /// How long a creative may take for its last messages, in real time.
    static let farewell = Duration.milliseconds(300)
    /// How much longer than its video an ad may become.
    static let maxExtension = Duration.seconds(60)
    /// The maximum number of messages per second, of navigations, and of tracking URLs.
    static let maxRate = 200
    static let maxNavigations = 10
    static let maxTracking = 200

    let setup: SIMIDSetup
    var phase = Phase.loading
    private var id: String?
    private var nextMessage = 0
    /// Whether the ad was told that it may be shown.
    private var isSettled = false
    /// Whether the video has started.
    var hasStarted = false
    /// How many of the user's interactions were used up by requests for the full screen.
    var usedGestures = 0
    var navigations = 0
    var tracking = 0
    /// The messages in the current second.
    private var second = Duration.zero
    private var rate = 0

    init(_ setup: SIMIDSetup) { self.setup = setup }

    var isOver: Bool { self.phase == .over }
    /// Whether the creative hears of the video (SIMID 1.2 §6.5).
    private var isListening: Bool {
        switch self.phase {
        case .ready, .starting, .running: true
        case .loading, .initializing, .stopping, .over: false
        }
    }

    // MARK: The player

    /// Starts to wait for the creative.
    func start() -> [Action] { [.setAlarm(.session, after: SIMIDSession.patience)] }

    /// The creative's page could not be loaded or was ended.
    mutating func lost(_ reason: String) -> [Action] {
        guard !self.isOver else { return [] }
        let isLoaded = self.phase != .loading
        self.phase = .over
        return self.settle() + [.remove(code: isLoaded ? 1200 : 1101, "the interactive creative is gone: \(reason)")]
    }

    /// Tells it of an event of the video (SIMID 1.2 §4.2).
    mutating func media(_ event: String, _ arguments: AdJSON = [:]) -> [Action] {
        self.isListening ? [self.post("SIMID:Media:\(event)", arguments)] : []
    }

    /// The video has started.
    mutating func videoStarted() -> [Action] {
        self.hasStarted = true
        guard self.phase == .ready else { return [] }
        return self.startCreative()
    }

    /// Tells it of a change besides the video.
    mutating func player(_ event: String, _ arguments: AdJSON = [:]) -> [Action] {
        self.isListening ? [self.post("SIMID:Player:\(event)", arguments)] : []
    }

    /// The ad is over: says why, and removes the creative when it has answered.
    mutating func end(_ end: End) -> [Action] {
        if case .failed = end, !self.isListening, !self.isOver {
            // Not the creative's fault.
            self.phase = .over
            return [.remove(code: nil, "")]
        }
        switch self.phase {
        case .stopping, .over: return []
        case .loading: return self.leave(1223, "it created no session")
        case .initializing: return self.leave(1212, "it did not answer Player:init")
        case .starting where end == .stopped(2): return self.leave(1213, "it did not answer Player:startCreative")
        case .ready, .starting, .running: break
        }
        let number = self.nextMessage
        let message: Action =
            switch end {
            case .skipped: self.post("SIMID:Player:adSkipped")
            case .stopped(let code): self.post("SIMID:Player:adStopped", ["code": .int(code)])
            case .failed(let code, let text):
                self.post("SIMID:Player:fatalError", ["errorCode": .int(code), "errorMessage": .string(text)])
            }
        self.phase = .stopping(number)
        return [.hide, message, .setAlarm(.farewell, after: SIMIDSession.farewell)]
    }

    private mutating func leave(_ code: Int, _ text: String) -> [Action] {
        self.phase = .over
        return self.settle() + [.remove(code: code, "the interactive creative is not shown: \(text)")]
    }

    // MARK: Time limits

    mutating func handle(_ wait: Wait) -> [Action] {
        switch (wait, self.phase) {
        // The creative may still come while the video plays (SIMID 1.2 §8.4.2).
        case (.session, .loading), (.initialization, .initializing): return self.settle()
        // A nonlinear ad is nothing without it (SIMID 1.2 §6.7).
        case (.start, .starting) where self.setup.isNonlinear:
            return self.leave(1213, "it did not answer Player:startCreative")
        case (.farewell, .stopping):
            self.phase = .over
            return [.remove(code: nil, "")]
        default: return []
        }
    }

    mutating func settle() -> [Action] {
        guard !self.isSettled else { return [] }
        self.isSettled = true
        return [.settled]
    }

    // MARK: Messages of the creative

    /// Handles what the creative's page has posted.
    mutating func handle(_ text: String, _ context: SIMIDContext, at now: Duration) -> [Action] {
        guard !self.isOver else { return [] }
        if now - self.second >= .seconds(1) { (self.second, self.rate) = (now, 0) }
        self.rate += 1
        guard self.rate <= SIMIDSession.maxRate else { return self.overload() }
        // Other messages are the page's own.
        guard let message = SIMIDMessage(text) else { return [] }
        guard let id else {
            guard message.type == "createSession" else { return [self.observed(message, "no session")] }
            self.id = message.session
            let reply = self.reply("resolve", to: message, .null)
            let number = self.nextMessage
            let initialization = self.post("SIMID:Player:init", self.setup.arguments(context))
            self.phase = .initializing(number)
            return [
                self.observed(message), reply, initialization,
                .setAlarm(.initialization, after: SIMIDSession.patience),
            ]
        }
        guard message.session == id else { return [self.observed(message, "another session")] }
        switch message.type {
        case "createSession": return [self.observed(message, "the session exists")]
        case "resolve", "reject": return self.handleReply(message, context)
        default: return self.handleRequest(message, context)
        }
    }

    /// Removes a creative that posts too many messages.
    mutating func overload() -> [Action] {
        guard !self.isOver else { return [] }
        self.phase = .over
        let text = "the interactive creative posts more than \(SIMIDSession.maxRate) messages a second"
        return self.settle() + [.remove(code: 1205, text)]
    }

    private mutating func handleReply(_ message: SIMIDMessage, _ context: SIMIDContext) -> [Action] {
        let number = message.arguments["messageId"]?.number.flatMap(Int.init(exactly:))
        let isResolved = message.type == "resolve"
        switch self.phase {
        case .initializing(number):
            guard isResolved else { return [self.observed(message)] + self.rejected(message, "Player:init", 1212) }
            self.phase = .ready
            return [self.observed(message)] + self.settle() + (self.hasStarted ? self.startCreative() : [])
        case .starting(number):
            guard isResolved else {
                return [self.observed(message)] + self.rejected(message, "Player:startCreative", 1213)
            }
            self.phase = .running
            return [self.observed(message), .show]
        case .stopping(number):
            self.phase = .over
            return [self.observed(message), .remove(code: nil, "")]
        // Some messages need no reply, and a creative may answer twice, or what was never asked.
        default: return [self.observed(message)]
        }
    }

    /// The creative does not want to run, with a code of its own (SIMID 1.2 §6.6).
    private mutating func rejected(_ message: SIMIDMessage, _ call: String, _ fallback: Int) -> [Action] {
        let value = message.arguments["value"]
        let code = SIMIDSession.creativeCode(value?["errorCode"]?.number.flatMap(Int.init(exactly:)), or: fallback)
        let reason = value?["reason"]?.string ?? value?["message"]?.string ?? ""
        self.phase = .over
        let text = "the interactive creative has rejected \(call)" + (reason.isEmpty ? "" : ": \(reason.excerpt(200))")
        return self.settle() + [.remove(code: code, text)]
    }

    /// A code that a creative may report (SIMID 1.2 §9).
    static func creativeCode(_ code: Int?, or fallback: Int) -> Int {
        code.map { (1100...1199).contains($0) || $0 == 902 ? $0 : fallback } ?? fallback
    }

    private mutating func startCreative() -> [Action] {
        let number = self.nextMessage
        let message = self.post("SIMID:Player:startCreative")
        self.phase = .starting(number)
        return [message, .setAlarm(.start, after: SIMIDSession.patience)]
    }

    // MARK: Messages of the player

    mutating func post(_ type: String, _ arguments: AdJSON = [:]) -> Action {
        defer { self.nextMessage += 1 }
        return .post(SIMIDMessage(session: self.id ?? "", id: self.nextMessage, type: type, arguments: arguments))
    }

    mutating func reply(_ type: String, to message: SIMIDMessage, _ value: AdJSON) -> Action {
        self.post(type, ["messageId": .int(message.id), "value": value == .null ? [:] : value])
    }

    mutating func reject(_ message: SIMIDMessage, _ code: Int, _ text: String) -> [Action] {
        guard SIMIDRequest(message)?.hasReply != false else { return [] }
        return [self.reply("reject", to: message, ["errorCode": .int(code), "message": .string(text)])]
    }

    /// A message of the creative as tools list it; `refusal` is why it has no effect.
    func observed(_ message: SIMIDMessage, _ refusal: String? = nil) -> Action {
        var arguments: [AdJSON.Member] = [.init("id", .int(message.id)), .init("args", message.arguments)]
        if let refusal { arguments += [.init("outcome", "refused"), .init("reason", .string(refusal))] }
        return .observe(
            BridgeMessage(.simid, .fromCreative, SIMIDSession.name(message.type), .object(arguments))
        )
    }

    /// A message of the player as tools list it.
    static func listed(_ message: SIMIDMessage) -> BridgeMessage {
        var arguments: [AdJSON.Member] = [.init("id", .int(message.id)), .init("args", message.arguments)]
        if message.type == "reject" {
            arguments += [
                .init("outcome", "refused"), .init("reason", message.arguments["value"]?["message"] ?? .null),
            ]
        }
        return BridgeMessage(.simid, .toCreative, self.name(message.type), .object(arguments))
    }

    /// A type without the prefix that all have.
    private static func name(_ type: String) -> String {
        (type.hasPrefix("SIMID:") ? String(type.dropFirst("SIMID:".count)) : type).excerpt(60)
    }
}
