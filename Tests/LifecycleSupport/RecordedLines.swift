package import AdCore
package import AdTrace
import SystemSupport

/// A trace in memory.
package final class RecordedLines: Sendable {
    package let trace: TraceRecorder
    private let kept: Locked<[String]>

    package init(keepsSecrets: Bool = false) {
        let kept = Locked<[String]>([])
        self.kept = kept
        self.trace = TraceRecorder(version: "a test", keepsSecrets: keepsSecrets) { line in
            kept.withLock { $0.append(line) }
        }
    }

    /// The recorded lines.
    package var lines: [String] { self.kept.withLock { $0 } }

    /// Handles an input and records it, as the shell does.
    package func handle(_ input: AdInput, of ad: AdID, _ lifecycle: inout AdLifecycle, at now: Moment) {
        let (result, actions) = lifecycle.handle(input, at: now)
        self.record(input, of: ad, result, actions, at: now)
    }

    /// Records an input and its actions.
    package func record(
        _ input: AdInput,
        of ad: AdID,
        _ result: AdInputResult,
        _ actions: [AdAction],
        at now: Moment
    ) {
        self.trace.record(input, to: ad, at: now, result, actions)
        for action in actions {
            if case .emit(let event) = action { self.trace.record(event, of: ad, "test", at: now, []) }
        }
    }
}
