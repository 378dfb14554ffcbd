package import AdCore
import SystemSupport

/// Writes down what happens to ads, and what they made of it, so that it can be run again: a bug report is one file.
///
/// Identifiers, places, keys and tokens are left out, and what a page says to the app, unless `keepsSecrets` asks for them.
///
/// ```swift
/// let trace = try TraceRecorder(file: logFolder + "/ads.trace", version: "myapp 1.2")
/// let services = try AdServices.standard(trace: trace)
/// ```
public final class TraceRecorder: Sendable {
    private struct State {
        var hiding = SecretRedaction()
        var hasBegun = false
        var sessions = 0
    }

    private let version: String
    private let keepsSecrets: Bool
    private let write: @Sendable (String) -> Void
    private let file: TraceFile?
    private let state = Locked(State())

    /// A recorder.
    ///
    /// - Parameters:
    ///   - version: Who records, for whoever reads.
    ///   - keepsSecrets: Whether identifiers, places, keys and tokens are written down as well.
    ///   - write: Takes each line, in order, without its end; one at a time, from any thread. It returns quickly.
    public init(version: String, keepsSecrets: Bool = false, write: @escaping @Sendable (String) -> Void) {
        self.version = version
        self.keepsSecrets = keepsSecrets
        self.write = write
        self.file = nil
    }

    /// A recorder that writes to a file, in the place of a trace that is there; a new one is for its owner alone.
    ///
    /// - Throws: Why nothing can be written there, as where the file holds something else.
    public init(file path: String, version: String, keepsSecrets: Bool = false) throws(TraceFileError) {
        let file = try TraceFile(path)
        self.version = version
        self.keepsSecrets = keepsSecrets
        self.write = { file.write($0) }
        self.file = file
    }

    /// Why not all that happened is in the file; nil where it is.
    public var trouble: String? { self.file?.trouble }

    /// Names a value that is to stand nowhere in the trace from now on.
    public func hide(_ secret: String) {
        guard !self.keepsSecrets else { return }
        self.state.withLock { $0.hiding.add(secret) }
    }

    /// Names what is known of a device and its user.
    package func hide(_ context: AdContext) {
        if let ifa = context.ifa { self.hide(ifa) }
        guard let location = context.location, !self.keepsSecrets else { return }
        var texts = ["\(location.latitude)", "\(location.longitude)", "\(location.latitude),\(location.longitude)"]
        // Whoever asks for a place less exactly writes it so.
        for places in 1...5 {
            for rule in [FloatingPointRoundingRule.toNearestOrAwayFromZero, .towardZero] {
                let pair = [location.latitude, location.longitude].map { $0.rounded(to: places, rule) }
                texts.append("\(pair[0]),\(pair[1])")
            }
        }
        self.state.withLock { state in
            for text in texts { state.hiding.add(text, passes: true) }
        }
    }

    /// An ad begins its life.
    package func begin(_ ad: AdID, of provider: ProviderName, _ timing: AdTiming) {
        self.put(
            .members(["ad": .string(ad.rawValue), "provider": .string(provider.rawValue), "begins": timing.traced])
        )
    }

    /// Something happened to an ad.
    package func note(_ input: AdInput, to ad: AdID, at now: Moment, _ verdict: AdInputResult, _ actions: [AdAction]) {
        let kept = self.keepsSecrets ? input : input.withoutMessage
        self.put(TraceLine.life(kept, of: ad, at: now, verdict, actions))
    }

    /// An ad tells of something.
    package func tell(
        _ event: AdEvent,
        of ad: AdID,
        _ provider: ProviderName,
        at now: Moment,
        _ detail: [AdJSON.Member]
    ) {
        self.put(TraceLine.event(event, of: ad, provider, at: now, detail))
    }

    /// A live session begins, with numbers by chance from a seed.
    ///
    /// - Returns: What writes it down; nil where its provider does not say how.
    package func begin<Machine: EngagementMachine>(_ machine: Machine, seed: UInt64) -> SessionTraceWriter<Machine>? {
        func tape(_ machine: some TraceableMachine) -> Any {
            let number = self.state.withLock { state in
                state.sessions += 1
                return state.sessions
            }
            return SessionTraceWriter(machine, number, seed: seed, hides: !self.keepsSecrets, self)
        }
        return (machine as? any TraceableMachine).flatMap { tape($0) as? SessionTraceWriter<Machine> }
    }

    func put(_ line: AdJSON) {
        self.state.withLock { state in
            if !state.hasBegun {
                state.hasBegun = true
                self.write(TraceHead(version: self.version, hidesSecrets: !self.keepsSecrets).traced.text())
            }
            // Under the lock: lines stand in the order in which things happened.
            self.write((self.keepsSecrets ? line : state.hiding.hide(line)).text())
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
    /// The same, without what a page said: that may be about the user, and no decision of an ad depends on it.
    fileprivate var withoutMessage: AdInput {
        if case .stage(.message) = self { .stage(.message(SecretRedaction.mark)) } else { self }
    }
}
