import AdCore
import LoopbackServer
import WebSocketCodec

/// The server's machine for one socket: takes a message or a ping interval, and returns what to send.
///
/// A client sends `INIT_SESSION`, then `IDENTIFY` once, then any messages. A message that is out of order or invalid is
/// refused and may be sent again.
struct SmarticoServerSession: Hashable, Sendable {
    /// The result of a message.
    struct Outcome: Hashable, Sendable {
        var actions: [SocketAction] = []
        /// Whether the message was accepted.
        var isAccepted = true
        /// The fault that acted on it.
        var fault: Sandbox.SocketFault?
        /// The kind of billable call; nil when it is not billable.
        var billed: BillableCall?
    }

    /// The number of unanswered pings after which the socket is closed instead of pinged.
    static let maxUnansweredPings = 2
    /// How long a socket may be open without `INIT_SESSION`.
    static let initTimeout = Duration.seconds(30)

    private enum Phase: Hashable, Sendable {
        case opened
        case initiated(SmarticoLabel)
        case identified(user: String)
        case over
    }

    private var phase = Phase.opened
    /// The fault that still acts.
    private var fault: Sandbox.SocketFault?
    private var unansweredPings: [String] = []
    private let openedAt: WallTime

    /// Creates the machine for a socket that was just opened.
    init(at time: WallTime, fault: Sandbox.SocketFault? = nil) {
        self.openedAt = time
        self.fault = fault
    }

    /// The user's id; nil before `IDENTIFY` and after the end.
    var user: String? { if case .identified(let user) = self.phase { user } else { nil } }

    /// Handles a message.
    mutating func handle(_ message: WebSocketMessage, _ state: inout SandboxState) -> Outcome {
        guard case .text(let text) = message else {
            self.phase = .over
            return Outcome(
                actions: [.close(WebSocketClosure(.unacceptable, "messages must be text"))],
                isAccepted: false
            )
        }
        var outcome: Outcome
        // A message without a response of its own is refused with the class 0.
        var response = 0
        do throws(FieldError) {
            let fields = try Fields(parsing: Array(text.utf8))
            let number = try SmarticoRequest.number(of: fields)
            response = SmarticoRequest.Class(rawValue: number)?.response?.rawValue ?? 0
            outcome = try self.handle(SmarticoRequest(number, fields), &state)
        } catch {
            outcome = Outcome(actions: [state.refusal(error.message, cid: response)], isAccepted: false)
            if self.fault?.refusedClass == response { outcome.fault = self.fault }
        }
        if let fault, fault.applied(to: outcome.actions) != outcome.actions { outcome.fault = fault }
        outcome.actions = self.applyFault(to: outcome.actions)
        return outcome
    }

    private mutating func handle(
        _ request: SmarticoRequest,
        _ state: inout SandboxState
    ) throws(FieldError) -> Outcome {
        switch request {
        case .pong(let uuid):
            guard let index = self.unansweredPings.firstIndex(of: uuid) else {
                throw FieldError("uuid", "does not match an unanswered ping")
            }
            // A pong answers all earlier pings, too: it proves that the client is there.
            self.unansweredPings.removeFirst(index + 1)
            return Outcome()
        case .initiate(let label): return try self.initiate(label, &state)
        case .identify(let user): return try self.identify(user, &state)
        case .language:
            if self.phase == .opened { throw .outOfOrder("INIT_SESSION has to come first") }
            return Outcome()
        case .login:
            _ = try self.knownUser()
            return Outcome()
        case .pushToken:
            _ = try self.knownUser()
            return Outcome(actions: [state.message(.pushTokenTaken, [.init("errCode", 0), .init("errMsg", nil)])])
        case .page(let message): return try self.handle(message, of: self.knownUser(), state)
        }
    }

    private mutating func initiate(_ label: SmarticoLabel, _ state: inout SandboxState) throws(FieldError) -> Outcome {
        guard self.phase == .opened else { throw .outOfOrder("INIT_SESSION was already accepted") }
        if self.fault == .refuseInit { throw .outOfOrder("injected fault: refuseInit") }
        self.phase = .initiated(label)
        let response = state.initiated()
        guard self.fault == .wrongOrder else { return Outcome(actions: [response]) }
        let early = state.identified(Sandbox.TestKeys.smarticoUserID, of: label)
        return Outcome(actions: [early, response], fault: .wrongOrder)
    }

    private mutating func identify(_ user: String, _ state: inout SandboxState) throws(FieldError) -> Outcome {
        switch self.phase {
        case .initiated(let label):
            // The fault of the socket takes precedence over that of the user's id.
            let fault = self.fault ?? .selected(by: user)
            self.fault = fault
            if fault == .refuseIdentify { throw .outOfOrder("injected fault: refuseIdentify") }
            self.phase = .identified(user: user)
            var actions = [state.identified(user, of: label)]
            if fault == .wrongOrder { actions.insert(state.engagement(for: user), at: 0) }
            if fault == .flood { actions += (0..<PushScenario.floodCount).map { _ in state.engagement(for: user) } }
            actions += PushScenario.actions(for: user, &state)
            return Outcome(actions: actions, fault: [.wrongOrder, .flood].contains(fault) ? fault : nil)
        case .identified:
            throw .outOfOrder("a user is already identified; open another socket for another user")
        case .opened, .over: throw .outOfOrder("INIT_SESSION has to come first")
        }
    }

    private func knownUser() throws(FieldError) -> String {
        guard let user else { throw .outOfOrder("IDENTIFY has to come first") }
        return user
    }

    private func handle(
        _ message: SmarticoRequest.PageMessage,
        of user: String,
        _ state: SandboxState
    ) throws(FieldError) -> Outcome {
        switch message {
        case .other: return Outcome()
        case .impression(let engagement), .action(let engagement):
            guard state.smartico.engagements[engagement] == user else { throw .unknownID("engagement_uid") }
            return Outcome(billed: .engagement)
        }
    }

    /// Pushes messages to the client.
    mutating func push(_ actions: [SocketAction]) -> [SocketAction] { self.applyFault(to: actions) }

    /// Pings the client; nil when it is not pinged again.
    ///
    /// There are no pings before `INIT_SESSION`; the socket is closed when that does not come in time.
    mutating func ping(_ state: inout SandboxState) -> [SocketAction]? {
        guard self.fault != .noPing, self.fault != .silence, self.phase != .over else { return nil }
        if self.phase == .opened {
            guard state.now - self.openedAt >= SmarticoServerSession.initTimeout else { return [] }
            self.phase = .over
            return [.close(WebSocketClosure(.goingAway, "INIT_SESSION did not come"))]
        }
        guard self.unansweredPings.count < SmarticoServerSession.maxUnansweredPings else {
            self.phase = .over
            let reason = "\(SmarticoServerSession.maxUnansweredPings) pings were not answered"
            return [.close(WebSocketClosure(.goingAway, reason))]
        }
        let uuid = state.uuid()
        self.unansweredPings.append(uuid)
        return self.applyFault(to: [state.message(.ping, uuid: uuid)])
    }

    /// The actions with the fault applied; most faults act once.
    private mutating func applyFault(to actions: [SocketAction]) -> [SocketAction] {
        guard let fault, !actions.isEmpty else { return actions }
        if fault.actsOnce { self.fault = nil }
        if fault == .dropMidFrame { self.phase = .over }
        return fault.applied(to: actions)
    }
}

extension SmarticoRequest.Class {
    /// The class of the response; nil when there is none.
    fileprivate var response: SmarticoRequest.Class? {
        switch self {
        case .initiate: .initiated
        case .identify: .identified
        case .pushToken: .pushTokenTaken
        default: nil
        }
    }
}

extension Sandbox.SocketFault {
    /// The class of the response that this fault turns into a refusal; nil for other faults.
    fileprivate var refusedClass: Int? {
        switch self {
        case .refuseInit: SmarticoRequest.Class.initiated.rawValue
        case .refuseIdentify: SmarticoRequest.Class.identified.rawValue
        default: nil
        }
    }
}

extension FieldError {
    /// The error for a message in the wrong order, which is not about one member.
    fileprivate static func outOfOrder(_ message: String) -> FieldError { FieldError(message: message) }
}
