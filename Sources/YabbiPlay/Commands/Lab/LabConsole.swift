import PlayConsole
import SystemSupport

/// The console of a run in the lab: each line of `--json` is an event of the ad.
final class LabConsole: Console {
    private let onLine: @Sendable (String) -> Void
    private let message = Locked<String?>(nil)

    init(_ onLine: @escaping @Sendable (String) -> Void) { self.onLine = onLine }

    /// The last error; nil for none.
    var error: String? { self.message.withLock { $0 } }

    var isColored: Bool { false }
    var loss: OutputLoss? { nil }
    var width: Int { 120 }

    func out(_ line: String) { self.onLine(line) }

    func err(_ line: String) { self.message.withLock { $0 = line } }

    func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? { nil }
}
