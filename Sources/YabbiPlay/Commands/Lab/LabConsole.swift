import PlayConsole

/// The console of a run in the lab: each line of `--json` is an event of the ad.
///
/// Errors are not printed: they end the run, and its state has them.
final class LabConsole: Console {
    private let onLine: @Sendable (String) -> Void

    init(_ onLine: @escaping @Sendable (String) -> Void) { self.onLine = onLine }

    var isColored: Bool { false }
    var loss: OutputLoss? { nil }
    var width: Int { 120 }

    func out(_ line: String) { self.onLine(line) }

    func err(_ line: String) {}

    func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? { nil }
}
