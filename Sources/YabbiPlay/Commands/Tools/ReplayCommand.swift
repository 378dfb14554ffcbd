import AdCore
import AdProviders
import AdReplay
import AdRuntime
import AdTrace
import PlayConsole
import PlayReport
import YabbiAds

/// Runs a recorded session again, and reports where it differs.
struct ReplayCommand: Command {
    static let name = "replay"
    static let usage = "replay TRACE"
    static let summary = "run a recorded session again, and say where it differs; - for standard input"
    static let operand = Operand.one(.file(placeholder: "TRACE"), called: "trace")
    static let options: [any OptionDeclaration] = [OutputOptions.json]

    /// The file, or `-` for the standard input.
    let trace: String
    let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let trace = arguments.operands.first else {
            throw UsageError("say which trace to replay: a FILE that --trace wrote, or -")
        }
        self.trace = trace
        self.isJSON = arguments.has(OutputOptions.json)
    }

    /// The largest trace that is read.
    private static let largest = 256 << 20

    func run(on console: any Console) throws(PlayError) -> ExitCode {
        let path = self.trace == "-" ? "/dev/stdin" : self.trace
        let bytes: [UInt8]
        do throws(UsageError) {
            bytes = try FileReading.bytes(path, upTo: Self.largest, "no trace is; give a smaller file")
        } catch {
            throw PlayError(.invalidCreative, error.message)
        }
        var replay = TraceReplay(machines: ["smartico": SmarticoSession.self])
        do throws(TraceFault) {
            try self.run(&replay, bytes, console)
        } catch {
            if self.isJSON { console.out(Self.json(error, replay)) }
            throw PlayError(.invalidCreative, Self.words(error))
        }
        console.out(self.isJSON ? Self.json(nil, replay) : "\n  replayed  \(Self.words(replay))")
        return .done
    }

    private func run(
        _ replay: inout TraceReplay,
        _ bytes: [UInt8],
        _ console: any Console
    ) throws(TraceFault) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let printer = Printer(console, isJSON: self.isJSON, tagsAds: true)
        var hasSaid = false
        for line in lines {
            guard console.loss == nil else { return }
            let told = try replay.take(String(decoding: line, as: UTF8.self))
            if !hasSaid, let recorder = replay.recorder {
                hasSaid = true
                self.tell(recorder, console)
            }
            for told in told { Self.show(told, printer) }
        }
        try replay.end()
    }

    private static func show(_ told: TraceReplay.Told, _ printer: Printer) {
        switch told.what {
        case .event(let ad, let event, let detail):
            printer.observe(AdRecord(at: told.at, ad: ad, provider: told.provider, event: event, detail: detail))
        case .ignored(let ad, let input, let reason):
            printer.observe(IgnoredInput(at: told.at, ad: ad, provider: told.provider, input: input, reason: reason))
        case .session(let what):
            let event: SessionEvent? =
                switch what {
                case .connecting(let url): .connecting(url)
                case .socket(let event): SessionEvent(event)
                case .issue(let issue): .issue(issue)
                case .news(let news): .news(news)
                }
            if let event {
                printer.observe(SessionRecord(at: told.at, provider: told.provider, event: event))
            }
        }
    }

    /// Who recorded it, where that was another version.
    private func tell(_ recorder: String, _ console: any Console) {
        guard recorder != CommandVersion.userAgent else { return }
        let line: AdJSON = ["event": "trace", "by": .string(recorder), "this": .string(CommandVersion.userAgent)]
        console.out(
            self.isJSON
                ? line.text()
                : "recorded by \(Style.printable(recorder)), and run by \(CommandVersion.userAgent): what differs may have been changed on purpose\n"
        )
    }

    private static func words(_ replay: TraceReplay) -> String {
        let counts = replay.counts
        guard counts.ads + counts.sessions + counts.inputs + counts.events > 0 else {
            return "nothing: the trace tells of no ad and no live session"
        }
        let sessions = counts.sessions == 0 ? "" : ", " + Quantity.text(counts.sessions, "live session")
        return Quantity.text(counts.ads, "ad") + sessions
            + ", \(Quantity.text(counts.inputs, "input")), \(Quantity.text(counts.events, "event")), as they were"
            + (replay.unended == 0 ? "" : "; \(Quantity.text(replay.unended, "ad")) not ended when the trace ends")
    }

    private static func words(_ fault: TraceFault) -> String {
        switch fault {
        case .unreadable(let line, let why): return "line \(line) of the trace can't be read: \(why)"
        case .otherFormat(let format, let version):
            return
                "the trace is of format \(format), by \(Style.printable(version)), and this is \(CommandVersion.userAgent), which reads another; replay it with the version that wrote it"
        case .differs(let difference):
            guard let time = difference.at else {
                let told = Style.printable(difference.now ?? "more", upTo: 400)
                return
                    "it differs after line \(difference.line) (\(difference.whose)): recorded was nothing more, and now there is more: \(told); a trace that ends there was cut off"
            }
            let after = difference.after.map { " after \(Style.printable($0, upTo: 200))" } ?? ""
            let (then, now) = Self.aroundDifference(difference.then ?? "nothing", difference.now ?? "nothing")
            return
                "it differs at line \(difference.line) (\(difference.whose), at \(time))\(after): recorded was \(then), and now it is \(now)"
        }
    }

    /// Two texts that differ, printable: what is long begins shortly before that.
    private static func aroundDifference(_ then: String, _ now: String) -> (then: String, now: String) {
        let common = zip(then, now).prefix { $0 == $1 }.count
        let start = common > 200 ? common - 60 : 0
        func shown(_ text: String) -> String {
            (start == 0 ? "" : "…") + Style.printable(String(text.dropFirst(start)), upTo: 400)
        }
        return (shown(then), shown(now))
    }

    private static func json(_ fault: TraceFault?, _ replay: TraceReplay) -> String {
        let counts = replay.counts
        var members: [AdJSON.Member] = [
            .init("event", "replayed"), .init("same", .bool(fault == nil)), .init("ads", .int(counts.ads)),
            .init("sessions", .int(counts.sessions)), .init("inputs", .int(counts.inputs)),
            .init("events", .int(counts.events)), .init("unended", .int(replay.unended)),
        ]
        switch fault {
        case nil: break
        case .otherFormat(let format, let version):
            members += [
                .init("format", .int(format)), .init("by", .string(version)),
                .init("this", .string(CommandVersion.userAgent)),
            ]
        case .unreadable(let line, let why): members += [.init("line", .int(line)), .init("message", .string(why))]
        case .differs(let difference):
            members += [
                .init("line", .int(difference.line)), .init("at", .text(difference.at)),
                .init("ad", difference.whose.ad.map { .string($0.rawValue) } ?? .null),
                .init("session", difference.whose.session.map { .int($0) } ?? .null),
                .init("after", .text(difference.after)), .init("then", .text(difference.then)),
                .init("now", .text(difference.now)),
            ]
        }
        return AdJSON.object(members).text()
    }
}
