package import AdCore
import SystemSupport

/// Records the inputs and actions of ads for a replay, so that a bug report is one file.
///
/// Identifiers, locations, keys, tokens and the messages of pages are left out, unless `keepsSecrets` is true.
///
/// ```swift
/// let trace = try TraceRecorder(file: logFolder + "/ads.trace", version: "myapp 1.2")
/// let services = try AdServices.standard(opener: opener, trace: trace)
/// ```
public final class TraceRecorder: Sendable {
    private struct State {
        var hiding = SecretRedaction()
        var hasHead = false
        var sessions = 0
    }

    private let version: String
    private let keepsSecrets: Bool
    private let write: @Sendable (String) -> Void
    private let file: TraceFile?
    private let state = Locked(State())
    private let lines = SerialMailbox<AdJSON>()

    /// Creates a recorder that passes each line to a closure.
    ///
    /// - Parameters:
    ///   - version: The app's name and version, for the first line.
    ///   - keepsSecrets: Whether identifiers, locations, keys and tokens are recorded.
    ///   - write: Called with each line, in order, without a line break; one at a time, on any thread. It must return
    ///     quickly.
    public init(version: String, keepsSecrets: Bool = false, write: @escaping @Sendable (String) -> Void) {
        self.version = version
        self.keepsSecrets = keepsSecrets
        self.write = write
        self.file = nil
    }

    /// Creates a recorder that writes to a file; it replaces an earlier trace, and only the owner can read a new file.
    ///
    /// - Throws: `TraceFileError` when the file can't be written, or exists and is no trace.
    public init(file path: String, version: String, keepsSecrets: Bool = false) throws(TraceFileError) {
        let file = try TraceFile(path)
        self.version = version
        self.keepsSecrets = keepsSecrets
        self.write = { file.write($0) }
        self.file = file
    }

    /// Why the file is incomplete; nil if it is complete.
    public var failure: String? { self.file?.failure }

    /// Adds a value that the trace must not contain from now on.
    public func hide(_ secret: String) {
        guard !self.keepsSecrets else { return }
        self.state.withLock { $0.hiding.add(secret) }
    }

    /// Adds the identifier and the location of a context.
    package func hide(_ context: AdContext) {
        if let ifa = context.ifa { self.hide(ifa) }
        guard let location = context.location, !self.keepsSecrets else { return }
        var texts = ["\(location.latitude)", "\(location.longitude)", "\(location.latitude),\(location.longitude)"]
        // Less precise spellings of the location.
        for places in 1...5 {
            for rule in [FloatingPointRoundingRule.toNearestOrAwayFromZero, .towardZero] {
                let pair = [location.latitude, location.longitude].map { $0.rounded(to: places, rule) }
                texts.append("\(pair[0]),\(pair[1])")
            }
        }
        self.state.withLock { state in
            for text in texts { state.hiding.add(text, isTransient: true) }
        }
    }

    /// Records the start of an ad.
    package func start(_ ad: AdID, of provider: ProviderName, _ timing: AdTiming) {
        self.append(
            .members(["ad": .string(ad.rawValue), "provider": .string(provider.rawValue), "begins": timing.traced])
        )
    }

    /// Records an input of an ad and its actions.
    package func record(
        _ input: AdInput,
        to ad: AdID,
        at now: Moment,
        _ result: AdInputResult,
        _ actions: [AdAction]
    ) {
        let kept = self.keepsSecrets ? input : input.withoutMessage
        self.append(TraceLine.input(kept, of: ad, at: now, result, actions))
    }

    /// Records an event that an ad reported.
    package func record(
        _ event: AdEvent,
        of ad: AdID,
        _ provider: ProviderName,
        at now: Moment,
        _ detail: [AdJSON.Member]
    ) {
        self.append(TraceLine.event(event, of: ad, provider, at: now, detail))
    }

    /// Records an activity of a creative or a request, which a replay prints again.
    package func record(activity row: EventRow, of ad: AdID?, _ provider: ProviderName, at now: Moment) {
        self.append(TraceLine.activity(row, of: ad, provider, at: now))
    }

    /// Records the start of a live session whose random numbers come from a seed.
    ///
    /// - Returns: A writer for the session; nil if its machine is no `TraceableMachine`.
    package func start<Machine: EngagementMachine>(_ machine: Machine, seed: UInt64) -> SessionTraceWriter<Machine>? {
        func writer(_ machine: some TraceableMachine) -> Any {
            let number = self.state.withLock { state in
                state.sessions += 1
                return state.sessions
            }
            return SessionTraceWriter(machine, number, seed: seed, hides: !self.keepsSecrets, self)
        }
        return (machine as? any TraceableMachine).flatMap { writer($0) as? SessionTraceWriter<Machine> }
    }

    func append(_ line: AdJSON) {
        // The mailbox keeps the order, and neither the file nor the app's closure is called within a lock.
        self.lines.post(line) { line in
            let (line, isFirst) = self.state.withLock { state in
                defer { state.hasHead = true }
                return (self.keepsSecrets ? line : state.hiding.hide(line), !state.hasHead)
            }
            if isFirst {
                self.write(TraceHead(version: self.version, hidesSecrets: !self.keepsSecrets).traced.text())
            }
            self.write(line.text())
        }
    }
}

extension Double {
    fileprivate func rounded(to places: Int, _ rule: FloatingPointRoundingRule) -> Double {
        let unit = (0..<places).reduce(1.0) { unit, _ in unit * 10 }
        return (self * unit).rounded(rule) / unit
    }
}

extension AdInput {
    /// The input without a page's message, which may be personal; no decision of the lifecycle depends on it.
    fileprivate var withoutMessage: AdInput {
        if case .stage(.message) = self { .stage(.message(SecretRedaction.mark)) } else { self }
    }
}
