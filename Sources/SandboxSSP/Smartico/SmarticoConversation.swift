import AdCore
import WebSocketCodec

/// The server's part of what is said over one socket: takes what arrived, and says what goes back.
///
/// The order is `INIT_SESSION`, `IDENTIFY` once, and then whatever comes. What is out of order or lacks something is
/// refused, and may be said again better.
struct SmarticoConversation: Hashable, Sendable {
    /// What comes of a message.
    struct Outcome: Hashable, Sendable {
        var acts: [SocketAct] = []
        /// Whether it was taken; otherwise it was refused.
        var isTaken = true
        /// What went wrong on purpose.
        var fault: Sandbox.SocketFault?
        /// How it stands on the bill.
        var billed: BilledCall?
    }

    /// So many pings may wait for their pongs: with one more the socket is ended.
    static let mostUnanswered = 2
    /// So long a socket may be open without `INIT_SESSION`.
    static let silenceAtFirst = Duration.seconds(30)

    private enum Stage: Hashable, Sendable {
        case opened
        case initiated(SmarticoLabel)
        case identified(user: String)
        case over
    }

    private var stage = Stage.opened
    /// What is still to go wrong.
    private var fault: Sandbox.SocketFault?
    private var unanswered: [String] = []
    private let begun: WallTime

    /// A conversation that begins.
    init(at time: WallTime, fault: Sandbox.SocketFault? = nil) {
        self.begun = time
        self.fault = fault
    }

    /// The user, where that is said and the conversation goes on.
    var user: String? { if case .identified(let user) = self.stage { user } else { nil } }

    /// Takes a message.
    mutating func take(_ message: WebSocketMessage, _ state: inout SandboxState) -> Outcome {
        guard case .text(let text) = message else {
            self.stage = .over
            return Outcome(acts: [.close(WebSocketClosure(.unacceptable, "messages are texts"))], isTaken: false)
        }
        var outcome: Outcome
        // What has no answer of its own is refused by one of no class.
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
                throw FieldFault("uuid", "is that of no ping which waits for an answer")
            }
            // Whoever answers a ping has answered all before it: the other side is there.
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
        guard self.stage == .opened else { throw .outOfOrder("the session is initiated already") }
        if self.fault == .refuseInit { throw .outOfOrder("the sandbox was told to refuse INIT_SESSION") }
        self.stage = .initiated(label)
        let answer = state.initiated()
        guard self.fault == .wrongOrder else { return Outcome(acts: [answer]) }
        let early = state.identified(Sandbox.TestKeys.smarticoUserID, of: label)
        return Outcome(acts: [early, answer], fault: .wrongOrder)
    }

    private mutating func identify(_ user: String, _ state: inout SandboxState) throws(FieldFault) -> Outcome {
        switch self.stage {
        case .initiated(let label):
            // What the whole socket was told to do comes before what a user asks for.
            let fault = self.fault ?? .asked(by: user)
            self.fault = fault
            if fault == .refuseIdentify { throw .outOfOrder("the sandbox was told to refuse IDENTIFY") }
            self.stage = .identified(user: user)
            var acts = [state.identified(user, of: label)]
            if fault == .wrongOrder { acts.insert(state.engagement(for: user), at: 0) }
            if fault == .flood { acts += (0..<PushWord.floodCount).map { _ in state.engagement(for: user) } }
            acts += PushWord.acts(asked: user, &state)
            return Outcome(acts: acts, fault: [.wrongOrder, .flood].contains(fault) ? fault : nil)
        case .identified:
            throw .outOfOrder("the user is identified already; another one needs another socket")
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

    /// Says something without being asked.
    mutating func push(_ acts: [SocketAct]) -> [SocketAct] { self.damaged(acts) }

    /// Asks whether the other side is still there; nil where it is not asked again.
    ///
    /// Before `INIT_SESSION` nobody is asked; who leaves it out for too long is not waited for.
    mutating func ping(_ state: inout SandboxState) -> [SocketAct]? {
        guard self.fault != .noPing, self.fault != .silence, self.stage != .over else { return nil }
        if self.stage == .opened {
            guard state.now - self.begun >= SmarticoConversation.silenceAtFirst else { return [] }
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

    /// What is said with the fault in it; most faults act once.
    private mutating func damaged(_ acts: [SocketAct]) -> [SocketAct] {
        guard let fault, !acts.isEmpty else { return acts }
        if fault.actsOnce { self.fault = nil }
        if fault == .dropMidFrame { self.stage = .over }
        return fault.damaged(acts)
    }
}

extension SmarticoRequest.Class {
    /// What it is answered with; nil where it is answered with nothing.
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
    /// The class of the answer that says no; nil where none does.
    fileprivate var refused: Int? {
        switch self {
        case .refuseInit: SmarticoRequest.Class.initiated.rawValue
        case .refuseIdentify: SmarticoRequest.Class.identified.rawValue
        default: nil
        }
    }
}

extension FieldFault {
    /// A message is refused for no field of its own.
    fileprivate static func outOfOrder(_ message: String) -> FieldFault { FieldFault(saying: message) }
}
