import AdCore
import AdRuntime
import AdTrace
import YabbiAds

/// Runs a recorded session again, and says where it comes out otherwise.
enum ReplayCommand {
    /// The largest trace that is read.
    private static let largest = 256 << 20

    static func run(_ settings: Settings, _ console: any Console) throws(PlayError) -> ExitCode {
        let path = settings.source == "-" ? "/dev/stdin" : settings.source ?? ""
        let bytes: [UInt8]
        do throws(UsageError) {
            bytes = try FileReading.bytes(path, upTo: self.largest, "no trace is; give a smaller file")
        } catch {
            throw PlayError(.invalidCreative, error.message)
        }
        var replay = TraceReplay(machines: ["smartico": SmarticoSession.self])
        do throws(TraceFault) {
            try self.run(&replay, bytes, settings, console)
        } catch {
            if settings.isJSON { console.out(self.json(error, replay)) }
            throw PlayError(.invalidCreative, self.words(error))
        }
        console.out(settings.isJSON ? self.json(nil, replay) : "\n  replayed  \(self.words(replay))")
        return .done
    }

    private static func run(
        _ replay: inout TraceReplay,
        _ bytes: [UInt8],
        _ settings: Settings,
        _ console: any Console
    ) throws(TraceFault) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let printer = Printer(console, isJSON: settings.isJSON, tagsAds: true)
        var hasSaid = false
        for line in lines {
            guard console.loss == nil else { return }
            let told = try replay.take(String(decoding: line, as: UTF8.self))
            if !hasSaid, let recorder = replay.recorder {
                hasSaid = true
                self.tell(recorder, settings, console)
            }
            for told in told { self.show(told, printer) }
        }
        try replay.end()
    }

    private static func show(_ told: TraceReplay.Told, _ printer: Printer) {
        switch told.what {
        case .event(let ad, let event, let detail):
            printer.observe(AdRecord(at: told.at, ad: ad, provider: told.provider, event: event, detail: detail))
        case .ignored(let ad, let input, let reason):
            printer.observe(AdNotice(at: told.at, ad: ad, provider: told.provider, input: input, reason: reason))
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
    private static func tell(_ recorder: String, _ settings: Settings, _ console: any Console) {
        guard recorder != Play.userAgent else { return }
        let line: JSON = ["event": "trace", "by": .string(recorder), "this": .string(Play.userAgent)]
        console.out(
            settings.isJSON
                ? line.text()
                : "recorded by \(Style.printable(recorder)), and run by \(Play.userAgent): what differs may have been changed on purpose\n"
        )
    }

    private static func words(_ replay: TraceReplay) -> String {
        let counts = replay.counts
        guard counts.ads + counts.sessions + counts.inputs + counts.events > 0 else {
            return "nothing: the trace tells of no ad and no live session"
        }
        let sessions = counts.sessions == 0 ? "" : ", " + Counted.text(counts.sessions, "live session")
        return Counted.text(counts.ads, "ad") + sessions
            + ", \(Counted.text(counts.inputs, "input")), \(Counted.text(counts.events, "event")), as they were"
            + (replay.unended == 0 ? "" : "; \(Counted.text(replay.unended, "ad")) not ended when the trace ends")
    }

    private static func words(_ fault: TraceFault) -> String {
        switch fault {
        case .unreadable(let line, let why): return "line \(line) of the trace can't be read: \(why)"
        case .otherFormat(let format, let version):
            return
                "the trace is of format \(format), by \(Style.printable(version)), and this is \(Play.userAgent), which reads another; replay it with the version that wrote it"
        case .differs(let difference):
            guard let time = difference.at else {
                let told = Style.printable(difference.now ?? "more", upTo: 400)
                return
                    "it comes out otherwise after line \(difference.line) (\(difference.whose)): recorded was nothing more, and now it tells of \(told); a trace that ends there was cut off"
            }
            let after = difference.after.map { " after \(Style.printable($0, upTo: 200))" } ?? ""
            let (then, now) = self.aroundDifference(difference.then ?? "nothing", difference.now ?? "nothing")
            return
                "it comes out otherwise at line \(difference.line) (\(difference.whose), at \(time))\(after): recorded was \(then), and now it is \(now)"
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
        var members: [JSON.Member] = [
            .init("event", "replayed"), .init("same", .bool(fault == nil)), .init("ads", .int(counts.ads)),
            .init("sessions", .int(counts.sessions)), .init("inputs", .int(counts.inputs)),
            .init("events", .int(counts.events)), .init("unended", .int(replay.unended)),
        ]
        switch fault {
        case nil: break
        case .otherFormat(let format, let version):
            members += [
                .init("format", .int(format)), .init("by", .string(version)), .init("this", .string(Play.userAgent)),
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
        return JSON.object(members).text()
    }
}
