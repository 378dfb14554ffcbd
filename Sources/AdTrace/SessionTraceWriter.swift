package import AdCore
import SystemSupport

/// Writes down what happens to a live session, and what it makes of that.
///
/// Where secrets are left out it is the life of another session that is written down: one that begins with other names and
/// hears veiled texts, and does whatever the same machine does then. Where that is of another kind than what really was
/// done, the line says so.
package struct SessionTraceWriter<Machine: EngagementMachine>: Sendable {
    private let take:
        @Sendable (EngagementInput<Machine.Command>, EngagementTime, [EngagementAction<Machine.Event>]) -> Void
    private let tell: @Sendable (AdIssue, Moment) -> Void

    init(_ machine: Machine, _ number: Int, seed: UInt64, hides: Bool, _ recorder: TraceRecorder)
    where Machine: TraceableMachine {
        var twin = hides ? RedactedReplica(of: machine, seed: seed) : nil
        for secret in twin?.takeSecrets() ?? [] { recorder.hide(secret) }
        recorder.put(
            TraceLine.session(number, of: machine.provider, seed: seed, (twin?.machine ?? machine).written)
        )
        let state = Locked(twin)
        self.tell = { issue, now in recorder.put(TraceLine.session(number, issue, at: now)) }
        self.take = { input, time, actions in
            let (input, out, secrets) = state.withLock { twin in
                twin?.live(input, at: time) ?? (input, actions, [])
            }
            for secret in secrets { recorder.hide(secret) }
            let kinds = actions.map(\.kind)
            recorder.put(
                TraceLine.session(
                    number,
                    input.traced(by: Machine.self),
                    at: time,
                    out.map { $0.traced(by: Machine.self) },
                    really: kinds == out.map(\.kind) ? nil : kinds
                )
            )
        }
    }

    /// Something happened to the session.
    package func note(
        _ input: EngagementInput<Machine.Command>,
        at time: EngagementTime,
        _ actions: [EngagementAction<Machine.Event>]
    ) {
        self.take(input, time, actions)
    }

    /// The session's shell has found something.
    package func note(_ issue: AdIssue, at now: Moment) { self.tell(issue, now) }
}

/// A session like another one, whose user nobody knows.
private struct RedactedReplica<Machine: TraceableMachine>: Sendable {
    private(set) var machine: Machine
    private var random: SplitMix
    private var names = Redactor()

    init(of machine: Machine, seed: UInt64) {
        self.random = SplitMix(seed: seed)
        self.machine = machine.veiled(by: &self.names)
    }

    /// Lives through what the other one has lived through, and says what that was, what came of it, and what has got
    /// another name by it.
    mutating func live(
        _ input: EngagementInput<Machine.Command>,
        at time: EngagementTime
    ) -> (EngagementInput<Machine.Command>, [EngagementAction<Machine.Event>], secrets: [String]) {
        let input = input.veiled(by: Machine.self, &self.names)
        return (input, self.machine.handle(input, at: time, random: &self.random), self.takeSecrets())
    }

    /// What has got another name since this was asked last.
    mutating func takeSecrets() -> [String] { self.names.takeUnseen() }
}
