import AdCore
import AdReplay
import AdTrace
import LifecycleSupport
import TestSupport
import Testing

@testable import AdProviders

@Suite("Replay of a Smartico session's trace")
struct TracedSessionTests {
    @Test("random sessions replay identically, with and without secrets", arguments: [false, true])
    func talks(keepsSecrets: Bool) throws {
        let sessions: UInt64 = LongForm.either(100, short: 40)
        for seed in TestSeed.all(from: 0x7A1C_0000, count: sessions) {
            let lines = RandomSession(seed: seed).trace(keepsSecrets: keepsSecrets)
            do throws(ReplayError) {
                let counts = try Self.replay(lines).counts
                #expect(counts.sessions == 1 && counts.inputs == RandomSession.length)
            } catch {
                Testing.Issue.record("YABBI_SEED=\(seed): \(error)")
                return
            }
        }
    }

    @Test("a trace contains no user data of the app, the server or a page")
    func secrets() {
        for seed in UInt64(0x5EC0)...0x5EFF {
            let lines = RandomSession(seed: seed).trace(keepsSecrets: false)
            for secret in RandomSession.secrets {
                guard let line = lines.first(where: { $0.contains(secret) }) else { continue }
                Testing.Issue.record("seed \(seed): \(secret) is in \(line)")
                return
            }
        }
        let whole = RandomSession(seed: 0x5EC0).trace(keepsSecrets: true).joined()
        #expect(RandomSession.secrets.contains { whole.contains($0) })
    }

    @Test("every command is encoded and decoded without loss", arguments: RandomSession.commands)
    func commands(command: SmarticoCommand) throws {
        let read = try AdJSON(parsing: SmarticoSession.traced(command).text())
        #expect(SmarticoSession.command(traced: read) == command)
    }

    @Test("a session's app and rules are encoded and decoded without loss")
    func beginning() throws {
        var rules = SmarticoSession.Rules()
        rules.lifetime = .milliseconds(1_234)
        rules.startsLogicalSessions = false
        rules.gamificationPrefixes = ["app://gf"]
        let agent = SmarticoAgent(fingerprint: .max, userAgent: "UA", host: "h.example", browser: "B", os: "Android")
        let app = SmarticoApp(
            labelKey: "label",
            brandKey: "brand",
            id: "a.b",
            version: "1",
            deviceID: "d",
            agent: agent
        )
        let session = SmarticoSession(app, rules: rules)
        let back = try #require(SmarticoSession(traced: try AdJSON(parsing: session.traced.text())))
        #expect(back.app == app && back.rules == rules)
    }

    @Test("redacted users stay different")
    func apart() throws {
        var pseudonyms = Pseudonyms()
        let (first, second) = (SmarticoCommand.logIn(.init(id: "anna")), SmarticoCommand.logIn(.init(id: "bert")))
        let redacted = [first, second, first].map { SmarticoSession.redacted($0, by: &pseudonyms) }
        #expect(redacted[0] == redacted[2] && redacted[0] != redacted[1])
        #expect(pseudonyms.drainNew() == ["anna", "bert"] && pseudonyms.drainNew().isEmpty)
    }

    @Test("a difference is reported with its line and session")
    func difference() throws {
        var lines = RandomSession(seed: 1).trace(keepsSecrets: false)
        let place = try #require(lines.firstIndex { $0.contains("\"connect\":") })
        lines[place] = lines[place].replacing("\"connect\":", with: "\"withdraw\":", maxReplacements: 1)
        do throws(ReplayError) {
            _ = try Self.replay(lines)
            Testing.Issue.record("the difference is not detected")
        } catch {
            guard case .differs(let difference) = error else {
                Testing.Issue.record("\(error)")
                return
            }
            #expect(difference.line == place + 1 && difference.subject == .session(1))
        }
    }

    @Test("when redaction changes the actions the line contains the original ones")
    func really() throws {
        let recorder = RecordedLines()
        var scene = try #require(RecordedSession(recorder.trace))
        scene.handle(.command(.connect))
        scene.handle(.socket(.opened))
        // An unpaired surrogate is repaired; redacted texts contain none.
        scene.handle(.socket(.text(#"{"cid":4,"errCode":0,"products":[100],"name":"\ud800"}"#)))
        let last = try #require(recorder.lines.last)
        #expect(last.contains("\"really\":[\"setTimer\",\"issue json.surrogate\""), "\(last)")
        #expect(try Self.replay(recorder.lines).counts.inputs == 3)
    }

    @Test("recorded issues are replayed")
    func replayedIssues() throws {
        let recorder = RecordedLines()
        var scene = try #require(RecordedSession(recorder.trace))
        scene.handle(.command(.logIn(SessionScene.user)))
        scene.handle(.socket(.opened))
        scene.handle(.socket(.text(SessionScene.initialized)))
        scene.handle(.socket(.text(SessionScene.identified)))
        scene.tape.record(AdIssue("page.flood", at: .whole, "too much"), at: .origin)
        var names: [String] = []
        for event in try Self.replay(recorder.lines).events {
            guard case .session(let detail) = event.kind else { continue }
            switch detail {
            case .connecting(let url): names.append("connecting \(url.http.host)")
            case .socket(.opened): names.append("opened")
            case .socket: names.append("received")
            case .issue(let issue): names.append(issue.code)
            case .machineEvent(.initialized as SmarticoEvent): names.append("initialized")
            case .machineEvent(.identified(let profile) as SmarticoEvent):
                names.append("identified as \(profile.username ?? "?")")
            case .machineEvent: names.append("machine event")
            }
        }
        #expect(
            names == [
                "connecting live.example", "opened", "received", "initialized", "received", "identified as veiled",
                "page.flood",
            ]
        )
    }

    private static func replay(
        _ lines: [String]
    ) throws(ReplayError) -> (events: [TraceReplay.ReplayedEvent], counts: TraceReplay.Counts) {
        var replay = TraceReplay(machines: ["smartico": SmarticoSession.self])
        var events: [TraceReplay.ReplayedEvent] = []
        for line in lines { events += try replay.replay(line) }
        try replay.finish()
        return (events, replay.counts)
    }
}

/// A session whose inputs and actions are recorded.
private struct RecordedSession {
    let tape: SessionTraceWriter<SmarticoSession>
    private var session: SmarticoSession
    private var random: SplitMix
    var now = Moment.origin

    init?(_ trace: TraceRecorder, _ app: SmarticoApp = SessionScene.app, seed: UInt64 = 5) {
        self.session = SmarticoSession(app)
        self.random = SplitMix(seed: seed)
        guard let tape = trace.start(self.session, seed: seed) else { return nil }
        self.tape = tape
    }

    mutating func handle(_ input: EngagementInput<SmarticoCommand>) {
        let wall = WallTime(milliseconds: 1_700_000_000_000) + (self.now - .origin)
        let time = EngagementTime(now: self.now, wall: wall, minutesBehindUTC: -180)
        self.tape.record(input, at: time, self.session.handle(input, at: time, random: &self.random))
    }
}

/// Random inputs of a host, a server, pages and time.
private struct RandomSession {
    static let length = 60
    static let secrets = [
        "user-4711-anna", "user-4712-bert", "hash-99887766", "push-token-5544", "label-key-3322", "device-id-1188",
        "Fern of the North", "cashier-note-31", "<b>for Anna</b>", "balance-7788", "link-token-4455",
        "anna@mail.example", "farewell-anna", "path-token-9911", "profile-anna",
    ]
    static let commands: [SmarticoCommand] = [
        .connect, .logIn(SmarticoUser(id: secrets[0], hash: secrets[2])), .logIn(SmarticoUser(id: secrets[1])),
        .logIn(SmarticoUser(id: secrets[0])), .logOut, .push(SmarticoPush(token: secrets[3], platform: .iOS)),
        .push(SmarticoPush(token: nil, status: .blocked, platform: .android)), .language("EN"),
        .openGamification(deepLink: nil), .openGamification(deepLink: "dp:gf_missions"),
        .openGamification(deepLink: "dp:gf&token=\(secrets[10])&to=\(secrets[11])"), .startLogicalSession, .end,
    ]
    private static let texts = [
        SessionScene.initialized, SessionScene.popup("e-1"), SessionScene.popup("e-2"), #"{"cid":1,"uuid":"p-1"}"#,
        #"{"cid":4,"errCode":7,"errMsg":"\#(secrets[11]) is blocked"}"#,
        "\u{FEFF}" + SessionScene.initialized,
        #"{"cid":6,"props":{"\#(secrets[11])":1},"native_app_gf_url":"https://live.example/s/\#(secrets[13])/"}"#,
        #"{"cid":6,"errCode":0,"public_username":"\#(secrets[6])","props":{"note":"\#(secrets[9])"},"native_app_gf_url":"https://live.example/gf?token=\#(secrets[3])","native_app_popup_url":"https://live.example/p"}"#,
        #"{"cid":110,"engagement_uid":"e-3","html":"\#(secrets[8])"}"#, #"{"cid":707,"saw_template_id":9}"#,
        #"{"cid":2003,"errCode":1,"errMsg":"no"}"#, "\(secrets[6]) is no JSON", #"{"cid":99}"#, "[]",
    ]
    private static let messages = [
        #"{"bcid":1}"#, #"{"bcid":2}"#, #"{"bcid":4,"dp":"dp:gf_missions"}"#, #"{"bcid":4,"dp":"dp:cashier"}"#,
        #"{"bcid":4,"dp":"dp:gf?user=\#(secrets[10])"}"#,
        #"{"bcid":5}"#, #"{"bcid":6,"cid":20,"note":"\#(secrets[7])"}"#, #"{"bcid":7,"balance":"\#(secrets[9])"}"#,
        #"{"bcid":8,"ach_game_id":4,"game_public_meta":{"x":"\#(secrets[7])"}}"#, "nonsense of \(secrets[6])",
    ]

    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func trace(keepsSecrets: Bool) -> [String] {
        let recorder = RecordedLines(keepsSecrets: keepsSecrets)
        let app = SmarticoApp(
            labelKey: RandomSession.secrets[4],
            brandKey: nil,
            id: "com.example.game",
            version: "1.2.29",
            deviceID: RandomSession.secrets[5],
            agent: SmarticoAgent(fingerprint: 4_455_667_788),
            page: "app://\(RandomSession.secrets[14])",
            socket: SessionScene.app.socket
        )
        guard var scene = RecordedSession(recorder.trace, app, seed: self.seed) else { return [] }
        var random = TestRandom(seed: self.seed)
        scene.handle(.command(.logIn(SmarticoUser(id: RandomSession.secrets[0], hash: RandomSession.secrets[2]))))
        for _ in 1..<RandomSession.length {
            scene.now = scene.now + .milliseconds(Int.random(in: 0...20_000, using: &random))
            scene.handle(self.input(&random))
        }
        return recorder.lines
    }

    /// The reason of a close by the server may contain user data.
    private static func end(_ cause: SocketEnd.Cause) -> SocketEnd {
        if case .byPeer = cause {
            SocketEnd(cause, "goodbye, \(self.secrets[12])")
        } else {
            SocketEnd(cause, "it ended")
        }
    }

    private func input(_ random: inout TestRandom) -> EngagementInput<SmarticoCommand> {
        func one<Value>(of all: [Value]) -> Value { all[Int.random(in: 0..<all.count, using: &random)] }
        let page = PageID(Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1: return .command(one(of: RandomSession.commands))
        case 2...4: return .socket(.opened)
        case 5...11: return .socket(.text(one(of: RandomSession.texts)))
        case 12:
            let ends: [SocketEnd.Cause] = [
                .notOpened(), .notOpened(status: 503), .byPeer(code: 1001), .byPeer(code: nil), .lost,
                .violation(code: 1007), .overflow, .byUs,
            ]
            return .socket(.closed(RandomSession.end(one(of: ends))))
        case 13: return .socket(.binary(count: 4))
        case 14: return .timer(one(of: EngagementTimer.allCases))
        case 15...17: return .page(page, .message(one(of: RandomSession.messages)))
        case 18: return .page(page, one(of: [.shown, .gone]))
        default: return .signal(one(of: [.background(true), .background(false), .network(.offline), .network(.wifi)]))
        }
    }
}
