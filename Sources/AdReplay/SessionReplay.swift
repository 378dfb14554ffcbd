package import AdCore
import AdTrace

/// The replay of a live session.
protocol SessionReplay: Sendable {
    /// The session's provider.
    var provider: ProviderName { get }
    /// Handles a recorded input; nil if it can't be decoded.
    mutating func handle(_ input: AdJSON, at time: EngagementTime) -> SessionStep?
}

/// An input of a live session, its actions, and its events.
struct SessionStep {
    let input: AdJSON
    let actions: [AdJSON]
    let events: [SessionTraceEvent]
}

/// An event of a live session, apart from its ads' events.
package enum SessionTraceEvent: Sendable {
    /// A connection is being opened.
    case connecting(SocketURL)
    /// An event of the connection.
    case socket(SocketEvent)
    /// An input was repaired or dropped.
    case issue(AdIssue)
    /// An event of the session's machine for the host, in the machine's own type.
    case machineEvent(any Sendable)
}

/// The replay of a session with one type of machine.
struct MachineReplay<Machine: TraceableMachine>: SessionReplay {
    private var machine: Machine
    private var random: SplitMix

    init?(_ machine: Machine.Type, _ traced: AdJSON, seed: UInt64) {
        guard let machine = Machine(traced: traced) else { return nil }
        self.machine = machine
        self.random = SplitMix(seed: seed)
    }

    var provider: ProviderName { self.machine.provider }

    mutating func handle(_ json: AdJSON, at time: EngagementTime) -> SessionStep? {
        guard let input = EngagementInput(traced: json, by: Machine.self) else { return nil }
        let actions = self.machine.handle(input, at: time, random: &self.random)
        var events: [SessionTraceEvent] = []
        if case .socket(let event) = input { events.append(.socket(event)) }
        for action in actions {
            switch action {
            case .connect(let request): events.append(.connecting(request.url))
            case .report(let event): events.append(.machineEvent(event))
            case .issue(let issue): events.append(.issue(issue))
            default: break
            }
        }
        return SessionStep(
            input: input.traced(by: Machine.self),
            actions: actions.map { $0.traced(by: Machine.self) },
            events: events
        )
    }
}

extension TraceableMachine {
    /// Starts the replay of a session with this machine; nil if its start can't be decoded.
    static func replay(_ traced: AdJSON, seed: UInt64) -> (any SessionReplay)? {
        MachineReplay(Self.self, traced, seed: seed)
    }
}
