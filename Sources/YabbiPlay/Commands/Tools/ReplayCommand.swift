import AdCore
import AdProviders
import AdReplay
import AdRuntime
import AdTrace
import PlayConsole
import PlayText

/// Replays a trace, and reports where it differs.
struct ReplayCommand: Command {
    static let name = "replay"
    static let usage = "replay <trace>"
    static let summary = "Replay a recorded trace, and report where it differs."
    static let operand = Operand.one(.file(placeholder: "<trace>"), called: "trace")
    static let operandSummary = "A file that --trace recorded, or - for standard input."
    static let exitCodes: [ExitCode] = [.done, .usage, .invalidCreative]
    static let options: [any OptionDeclaration] = [OutputOptions.json]

    /// The file, or `-` for the standard input.
    let trace: String
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let trace = arguments.operands.first else {
            throw UsageError("missing argument <trace>; name a file that --trace recorded, or -")
        }
        self.trace = trace
        self.isJSON = arguments.has(OutputOptions.json)
    }

    private static let byteLimit = 256 << 20
    /// The machines of the live sessions that a trace may contain.
    static let machines: [ProviderName: any TraceableMachine.Type] = [SmarticoSession.provider: SmarticoSession.self]

    func run(on console: any Console) throws(PlayError) -> ExitCode {
        let path = self.trace == "-" ? "/dev/stdin" : self.trace
        let bytes: [UInt8]
        do throws(UsageError) {
            bytes = try FileReading.bytes(path, upTo: Self.byteLimit)
        } catch {
            throw PlayError(.invalidCreative, error.message)
        }
        var replay = TraceReplay(machines: Self.machines)
        do throws(ReplayError) {
            try self.run(&replay, bytes, console)
        } catch {
            if self.isJSON { console.out(Self.json(error, replay)) }
            throw PlayError(.invalidCreative, Self.text(error))
        }
        console.out(self.isJSON ? Self.json(nil, replay) : "\n  replayed  \(Self.text(replay))")
        return .done
    }

    private func run(
        _ replay: inout TraceReplay,
        _ bytes: [UInt8],
        _ console: any Console
    ) throws(ReplayError) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let printer = Printer(console, isJSON: self.isJSON, namesAds: true)
        var hasPrintedRecorder = false
        for line in lines {
            guard console.loss == nil else { return }
            let outputs = try replay.replay(String(decoding: line, as: UTF8.self))
            if !hasPrintedRecorder, let recorder = replay.recorder {
                hasPrintedRecorder = true
                self.print(recorder: recorder, console)
            }
            for output in outputs { Self.print(output, printer) }
        }
        try replay.finish()
    }

    private static func print(_ output: TraceReplay.ReplayedEvent, _ printer: Printer) {
        switch output.kind {
        case .event(let ad, let event, let detail):
            printer.observe(AdRecord(at: output.at, ad: ad, provider: output.provider, event: event, detail: detail))
        case .activity(let ad, let row):
            printer.observe(ActivityRecord(at: output.at, ad: ad, provider: output.provider, replayed: row))
        case .ignored(let ad, let input, let reason):
            printer.observe(
                IgnoredInput(at: output.at, ad: ad, provider: output.provider, input: input, reason: reason)
            )
        case .session(let what):
            let event: SessionEvent? =
                switch what {
                case .connecting(let url): .connecting(url)
                case .socket(let event): SessionEvent(event)
                case .issue(let issue): .issue(issue)
                case .machineEvent(let event): .machineEvent(event)
                }
            if let event {
                printer.observe(SessionRecord(at: output.at, provider: output.provider, event: event))
            }
        }
    }

    /// Prints the version that recorded the trace, if it is another one.
    private func print(recorder: String, _ console: any Console) {
        guard recorder != CommandVersion.userAgent else { return }
        let line: AdJSON = ["event": "trace", "by": .string(recorder), "this": .string(CommandVersion.userAgent)]
        console.out(
            self.isJSON
                ? line.text()
                : "recorded by \(Style.printable(recorder)), replayed by \(CommandVersion.userAgent): differences may be intended changes\n"
        )
    }

    private static func text(_ replay: TraceReplay) -> String {
        let counts = replay.counts
        guard counts.ads + counts.sessions + counts.inputs + counts.events > 0 else {
            return "nothing: the trace contains no ad and no live session"
        }
        let sessions = counts.sessions == 0 ? "" : ", " + Quantity.text(counts.sessions, "live session")
        return Quantity.text(counts.ads, "ad") + sessions
            + ", \(Quantity.text(counts.inputs, "input")), \(Quantity.text(counts.events, "event")), no differences"
            + (replay.unended == 0 ? "" : "; \(Quantity.text(replay.unended, "ad")) not ended at the end of the trace")
    }

    /// Why a trace could not be replayed.
    static func text(_ error: ReplayError) -> String {
        switch error {
        case .unreadable(let line, let reason): return "can't read line \(line) of the trace: \(reason)"
        case .otherFormat(let format, let version):
            return
                "the trace has format \(format) of \(Style.printable(version)), which \(CommandVersion.userAgent) can't read; replay it with the version that recorded it"
        case .differs(let difference):
            guard let time = difference.at else {
                let now = Style.printable(difference.replayed ?? "more output", upTo: 400)
                return
                    "the replay differs after line \(difference.line) (\(difference.subject)): recorded nothing, replayed \(now); the trace may be truncated"
            }
            let after = difference.after.map { " after \(Style.printable($0, upTo: 200))" } ?? ""
            let (then, now) = Self.aroundDifference(difference.recorded ?? "nothing", difference.replayed ?? "nothing")
            return
                "the replay differs at line \(difference.line) (\(difference.subject), at \(time))\(after): recorded \(then), replayed \(now)"
        }
    }

    /// Two texts that differ, printable.
    ///
    /// Long texts are shortened to start shortly before the difference.
    private static func aroundDifference(_ then: String, _ now: String) -> (then: String, now: String) {
        let common = zip(then, now).prefix { $0 == $1 }.count
        let start = common > 200 ? common - 60 : 0
        func shown(_ text: String) -> String {
            (start == 0 ? "" : "…") + Style.printable(String(text.dropFirst(start)), upTo: 400)
        }
        return (shown(then), shown(now))
    }

    private static func json(_ error: ReplayError?, _ replay: TraceReplay) -> String {
        let counts = replay.counts
        var members: [AdJSON.Member] = [
            .init("event", "replayed"), .init("same", .bool(error == nil)), .init("ads", .int(counts.ads)),
            .init("sessions", .int(counts.sessions)), .init("inputs", .int(counts.inputs)),
            .init("events", .int(counts.events)), .init("unended", .int(replay.unended)),
        ]
        switch error {
        case nil: break
        case .otherFormat(let format, let version):
            members += [
                .init("format", .int(format)), .init("by", .string(version)),
                .init("this", .string(CommandVersion.userAgent)),
            ]
        case .unreadable(let line, let reason):
            members += [.init("line", .int(line)), .init("message", .string(reason))]
        case .differs(let difference):
            members += [
                .init("line", .int(difference.line)), .init("at", .text(difference.at)),
                .init("ad", difference.subject.ad.map { .string($0.rawValue) } ?? .null),
                .init("session", difference.subject.session.map { .int($0) } ?? .null),
                .init("after", .text(difference.after)), .init("then", .text(difference.recorded)),
                .init("now", .text(difference.replayed)),
            ]
        }
        return AdJSON.object(members).text()
    }
}
