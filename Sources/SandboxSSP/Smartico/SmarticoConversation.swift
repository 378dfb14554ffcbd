import AdCore
import WebSocketCodec

/// The server's machine for one socket: takes a message or a ping interval, and returns what to send.
///
/// A client sends `INIT_SESSION`, then `IDENTIFY` once, then any messages. A message that is out of order or invalid is
/// refused and may be sent again.
struct SmarticoConversation: Hashable, Sendable {
    /// The result of a message.
    struct Outcome: Hashable, Sendable {
        var acts: [SocketAct] = []
        /// Whether the message was accepted.
        var isTaken = true
        /// The fault that acted on it.
        var fault: Sandbox.SocketFault?
        /// The kind of billable call; nil when it is not billable.
        var billed: BilledCall?
    }

    /// The number of unanswered pings after which the socket is closed instead of pinged.
    static let mostUnanswered = 2
    /// How long a socket may be open without `INIT_SESSION`.
    static let initTimeout = Duration.seconds(30)

    private enum Stage: Hashable, Sendable {
        case opened
        case initiated(SmarticoLabel)
        case identified(user: String)
        case over
    }

    private var stage = Stage.opened
    /// The fault that still acts.
    private var fault: Sandbox.SocketFault?
    private var unanswered: [String] = []
    private let openedAt: WallTime

    /// Creates the machine for a socket that was just opened.
    init(at time: WallTime, fault: Sandbox.SocketFault? = nil) {
        self.openedAt = time
        self.fault = fault
    }

    /// The user's id; nil before `IDENTIFY` and after the end.
    var user: String? { if case .identified(let user) = self.stage { user } else { nil } }

    /// Handles a message.
    mutating func take(_ message: WebSocketMessage, _ state: inout SandboxState) -> Outcome {
        guard case .text(let text) = message else {
            self.stage = .over
            return Outcome(acts: [.close(WebSocketClosure(.unacceptable, "messages must be text"))], isTaken: false)
        }
        var outcome: Outcome
        // A message without a response of its own is refused with the class 0.
        var answer = 0
        do throws(FieldFault) {
            let fields = try Fields(parsing: Array(text.utf8))
            let number = try SmarticoRequest.number(of: fields)
            answer = SmarticoRequest.Class(rawValue: number)?.answer?.rawValue ?? 0
            outcome = try self.take(SmarticoRequest(number, fields), &state)
        } catch {
            outcome = Outcome(acts: [state.refusal(error.message, cid: answer)], isTaken: false)
            if self.fault?.refused == answer { outcome.fault = self.fault }
        }
        if let fault, fault.damaged(outcome.acts) != outcome.acts { outcome.fault = fault }
        outcome.acts = self.damaged(outcome.acts)
        return outcome
    }

    private mutating func take(
        _ request: SmarticoRequest,
        _ state: inout SandboxState
    ) throws(FieldFault) -> Outcome {
        switch request {
        case .pong(let uuid):
            guard let place = self.unanswered.firstIndex(of: uuid) else {
                throw FieldFault("uuid", "does not match an unanswered ping")
            }
            // A pong answers all earlier pings, too: it proves that the client is there.
            self.unanswered.removeFirst(place + 1)
            return Outcome()
        case .initiate(let label): return try self.initiate(label, &state)
        case .identify(let user): return try self.identify(user, &state)
        case .language:
            if self.stage == .opened { throw .outOfOrder("INIT_SESSION has to come first") }
            return Outcome()
        case .login:
            _ = try self.knownUser()
            return Outcome()
        case .pushToken:
            _ = try self.knownUser()
            return Outcome(acts: [state.message(.pushTokenTaken, [.init("errCode", 0), .init("errMsg", nil)])])
        case .page(let message): return try self.take(message, of: self.knownUser(), state)
        }
    }

    private mutating func initiate(_ label: SmarticoLabel, _ state: inout SandboxState) throws(FieldFault) -> Outcome {
        guard self.stage == .opened else { throw .outOfOrder("INIT_SESSION was already accepted") }
        if self.fault == .refuseInit { throw .outOfOrder("injected fault: refuseInit") }
        self.stage = .initiated(label)
        let answer = state.initiated()
        guard self.fault == .wrongOrder else { return Outcome(acts: [answer]) }
        let early = state.identified(Sandbox.TestKeys.smarticoUserID, of: label)
        return Outcome(acts: [early, answer], fault: .wrongOrder)
    }

    private mutating func identify(_ user: String, _ state: inout SandboxState) throws(FieldFault) -> Outcome {
        switch self.stage {
        case .initiated(let label):
            // The fault of the socket takes precedence over that of the user's id.
            let fault = self.fault ?? .asked(by: user)
            self.fault = fault
            if fault == .refuseIdentify { throw .outOfOrder("injected fault: refuseIdentify") }
            self.stage = .identified(user: user)
            var acts = [state.identified(user, of: label)]
            if fault == .wrongOrder { acts.insert(state.engagement(for: user), at: 0) }
            if fault == .flood { acts += (0..<PushWord.floodCount).map { _ in state.engagement(for: user) } }
            acts += PushWord.acts(asked: user, &state)
            return Outcome(acts: acts, fault: [.wrongOrder, .flood].contains(fault) ? fault : nil)
        case .identified:
            throw .outOfOrder("a user is already identified; open another socket for another user")
        case .opened, .over: throw .outOfOrder("INIT_SESSION has to come first")
        }
    }

    private func knownUser() throws(FieldFault) -> String {
        guard let user else { throw .outOfOrder("IDENTIFY has to come first") }
        return user
    }

    private func take(
        _ message: SmarticoRequest.PageMessage,
        of user: String,
        _ state: SandboxState
    ) throws(FieldFault) -> Outcome {
        switch message {
        case .other: return Outcome()
        case .impression(let engagement), .action(let engagement):
            guard state.smartico.engagements[engagement] == user else { throw .notHandedOut("engagement_uid") }
            return Outcome(billed: .engagement)
        }
    }

    /// Pushes messages to the client.
    mutating func push(_ acts: [SocketAct]) -> [SocketAct] { self.damaged(acts) }

    /// Pings the client; nil when it is not pinged again.
    ///
    /// There are no pings before `INIT_SESSION`; the socket is closed when that does not come in time.
    mutating func ping(_ state: inout SandboxState) -> [SocketAct]? {
        guard self.fault != .noPing, self.fault != .silence, self.stage != .over else { return nil }
        if self.stage == .opened {
            guard state.now - self.openedAt >= SmarticoConversation.initTimeout else { return [] }
            self.stage = .over
            return [.close(WebSocketClosure(.goingAway, "INIT_SESSION did not come"))]
        }
        guard self.unanswered.count < SmarticoConversation.mostUnanswered else {
            self.stage = .over
            let reason = "\(SmarticoConversation.mostUnanswered) pings were not answered"
            return [.close(WebSocketClosure(.goingAway, reason))]
        }
        let uuid = state.uuid()
        self.unanswered.append(uuid)
        return self.damaged([state.message(.ping, uuid: uuid)])
    }

    /// The actions with the fault applied; most faults act once.
    private mutating func damaged(_ acts: [SocketAct]) -> [SocketAct] {
        guard let fault, !acts.isEmpty else { return acts }
        if fault.actsOnce { self.fault = nil }
        if fault == .dropMidFrame { self.stage = .over }
        return fault.damaged(acts)
    }
}

extension SmarticoRequest.Class {
    /// The class of the response; nil when there is none.
    fileprivate var answer: SmarticoRequest.Class? {
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
    fileprivate var refused: Int? {
        switch self {
        case .refuseInit: SmarticoRequest.Class.initiated.rawValue
        case .refuseIdentify: SmarticoRequest.Class.identified.rawValue
        default: nil
        }
    }
}

extension FieldFault {
    /// The error for a message in the wrong order, which is not about one member.
    fileprivate static func outOfOrder(_ message: String) -> FieldFault { FieldFault(message: message) }
}
