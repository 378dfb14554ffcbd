package import AdCore
import SystemSupport

/// Records the inputs and actions of a live session.
///
/// When secrets are hidden, a replica of the session is recorded: the same machine with redacted names and texts as
/// inputs. Where the kinds of its actions differ from those of the real session, the line has the real kinds too.
package struct SessionTraceWriter<Machine: EngagementMachine>: Sendable {
    private let recordInput:
        @Sendable (EngagementInput<Machine.Command>, EngagementTime, [EngagementAction<Machine.Event>]) -> Void
    private let recordIssue: @Sendable (AdIssue, Moment) -> Void

    init(_ machine: Machine, _ number: Int, seed: UInt64, hides: Bool, _ recorder: TraceRecorder)
    where Machine: TraceableMachine {
        var replica = hides ? RedactedReplica(of: machine, seed: seed) : nil
        for secret in replica?.drainSecrets() ?? [] { recorder.hide(secret) }
        recorder.append(
            TraceLine.session(number, of: machine.provider, seed: seed, (replica?.machine ?? machine).traced)
        )
        let state = Locked(replica)
        self.recordIssue = { issue, now in recorder.append(TraceLine.session(number, issue, at: now)) }
        self.recordInput = { input, time, actions in
            let (input, out, secrets) = state.withLock { replica in
                replica?.handle(input, at: time) ?? (input, actions, [])
            }
            for secret in secrets { recorder.hide(secret) }
            let kinds = actions.map(\.kind)
            recorder.append(
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

    /// Records an input of the session and its actions.
    package func record(
        _ input: EngagementInput<Machine.Command>,
        at time: EngagementTime,
        _ actions: [EngagementAction<Machine.Event>]
    ) {
        self.recordInput(input, time, actions)
    }

    /// Records an issue of the session's shell.
    package func record(_ issue: AdIssue, at now: Moment) { self.recordIssue(issue, now) }
}

/// A copy of a session machine with redacted names and inputs.
private struct RedactedReplica<Machine: TraceableMachine>: Sendable {
    private(set) var machine: Machine
    private var random: SplitMix
    private var pseudonyms = Pseudonyms()

    init(of machine: Machine, seed: UInt64) {
        self.random = SplitMix(seed: seed)
        self.machine = machine.redacted(by: &self.pseudonyms)
    }

    /// Redacts and handles an input of the session; returns the redacted input, its actions, and the texts that were
    /// redacted for the first time.
    mutating func handle(
        _ input: EngagementInput<Machine.Command>,
        at time: EngagementTime
    ) -> (EngagementInput<Machine.Command>, [EngagementAction<Machine.Event>], secrets: [String]) {
        let input = input.redacted(by: Machine.self, &self.pseudonyms)
        return (input, self.machine.handle(input, at: time, random: &self.random), self.drainSecrets())
    }

    /// The texts that were redacted since the last call.
    mutating func drainSecrets() -> [String] { self.pseudonyms.drainNew() }
}
