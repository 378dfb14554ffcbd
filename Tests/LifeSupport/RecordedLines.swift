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

    /// What was written down.
    package var lines: [String] { self.kept.withLock { $0 } }

    /// Gives a life some news, as the shell does.
    package func take(_ input: AdInput, to ad: AdID, _ life: inout AdLifecycle, at now: Moment) {
        let (verdict, actions) = life.handle(input, at: now)
        self.take(input, to: ad, verdict, actions, at: now)
    }

    package func take(_ input: AdInput, to ad: AdID, _ verdict: AdInputResult, _ actions: [AdAction], at now: Moment) {
        self.trace.record(input, to: ad, at: now, verdict, actions)
        for action in actions {
            if case .emit(let event) = action { self.trace.record(event, of: ad, "test", at: now, []) }
        }
    }
}
