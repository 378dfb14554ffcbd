package import AdCore
import AdTrace

/// A live session that runs again: what it is given, line by line, and what comes of it now.
protocol SessionReplay: Sendable {
    /// Whose session it is.
    var provider: ProviderName { get }
    /// Takes what happened then; nil where nothing like that happens to a session.
    mutating func take(_ input: AdJSON, at time: EngagementTime) -> SessionStep?
}

/// What came of one thing that happened to a live session.
struct SessionStep {
    let input: AdJSON
    let out: [AdJSON]
    let told: [SessionTraceEvent]
}

/// Something that is told of a live session, apart from its ads.
package enum SessionTraceEvent: Sendable {
    /// A connection is being opened.
    case connecting(SocketURL)
    /// Something became of it.
    case socket(SocketEvent)
    /// Something was repaired or dropped.
    case issue(AdIssue)
    /// The host was told something, in the provider's own words.
    case news(any Sendable)
}

/// The session of one kind of machine.
struct MachineReplay<Machine: TraceableMachine>: SessionReplay {
    private var machine: Machine
    private var random: SplitMix

    init?(_ machine: Machine.Type, _ written: AdJSON, seed: UInt64) {
        guard let machine = Machine(written: written) else { return nil }
        self.machine = machine
        self.random = SplitMix(seed: seed)
    }

    var provider: ProviderName { self.machine.provider }

    mutating func take(_ json: AdJSON, at time: EngagementTime) -> SessionStep? {
        guard let input = EngagementInput(traced: json, by: Machine.self) else { return nil }
        let actions = self.machine.handle(input, at: time, random: &self.random)
        var told: [SessionTraceEvent] = []
        if case .socket(let event) = input { told.append(.socket(event)) }
        for action in actions {
            switch action {
            case .connect(let request): told.append(.connecting(request.url))
            case .news(let news): told.append(.news(news))
            case .issue(let issue): told.append(.issue(issue))
            default: break
            }
        }
        return SessionStep(
            input: input.traced(by: Machine.self),
            out: actions.map { $0.traced(by: Machine.self) },
            told: told
        )
    }
}

extension TraceableMachine {
    /// Begins a session of this kind again; nil where it can't be read how it began.
    static func replay(_ written: AdJSON, seed: UInt64) -> (any SessionReplay)? {
        MachineReplay(Self.self, written, seed: seed)
    }
}
