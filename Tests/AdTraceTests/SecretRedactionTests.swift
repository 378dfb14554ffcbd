import AdCore
import AdReplay
import LifecycleSupport
import TestSupport
import Testing

@testable import AdTrace

@Suite("Secret redaction")
struct SecretRedactionTests {
    private static let ifa = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
    private static let token = "eyJhbGciOi.J9-secret_token"
    private static let latitude = 52.520006
    /// Inputs with external text at every possible place.
    private static var inputs: [AdInput] {
        let text = "asked https://u:\(token)@a.example/x?ifa=\(ifa.lowercased())&ok=1 at \(latitude), token=\(token)"
        let json = "{\"user\":{\"ifa\":\"\(ifa)\",\"lat\":\(latitude)},\"list\":[\"{\\\"token\\\":\\\"\(token)\\\"}\"]}"
        let link = landing("https://shop.example/?gaid=\(ifa)&at=\(latitude)#token=\(token)")
        let error = AdError(.serverStatus, text, at: .init(url: "https://a.example/?auth=\(token)"), vastCode: 301)
        return [
            .load(CommandID(1)), .offerArrived(ShowRules(.banner, clickThrough: link)), .show(CommandID(2)),
            .stage(.ready), .stage(.revealed), .stage(.visible(ratio: 1)), .recorded(.view),
            .stage(.click(link, byUser: true)), .recorded(.click), .linkOpened(link, .opened(.systemBrowser)),
            .stage(.blocked(BlockedAttempt(.navigation, text))), .stage(.message(json)),
            .stage(.message("I am \(ifa)")),
            .stage(.video(.failed(vastCode: 400, text))), .loadFailed(error), .stage(.crashed(text)),
            .presentFailed(StageError(json)),
        ]
    }

    @Test("a trace has no known secret and no value of a secret field, and can be replayed")
    func hidden() throws {
        let lines = Self.trace(keepsSecrets: false)
        let text = lines.joined(separator: "\n").lowercased()
        for secret in [Self.ifa, Self.token, "\(Self.latitude)", "secret_token"] {
            #expect(!text.contains(secret.lowercased()))
        }
        // Other values are kept.
        #expect(text.contains("https://shop.example/?gaid=***") && text.contains("&ok=1"))
        try Self.replay(lines)
    }

    @Test("with keepsSecrets a trace has the secrets, and its first line says so")
    func kept() throws {
        let lines = Self.trace(keepsSecrets: true)
        let text = lines.joined(separator: "\n")
        for secret in [Self.ifa, Self.token, "\(Self.latitude)"] { #expect(text.contains(secret)) }
        #expect(lines.first?.contains("\"hidesSecrets\":false") == true)
        try Self.replay(lines)
    }

    @Test("messages of pages are never recorded")
    func messages() {
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.handle(.stage(.message("my password is pear")), of: AdID("a"), &life, at: .origin)
        #expect(!recorder.lines.joined().contains("pear"))
    }

    @Test("a short value is hidden as a whole word, a long one anywhere, and percent-encoded too")
    func places() {
        var hiding = SecretRedaction()
        for value in ["pear", "a b/c d e", "abc", "secretsecret"] { hiding.add(value) }
        func hide(_ text: String) -> String? { hiding.hide(.string(text)).string }
        #expect(hide("a pear, spears") == "a hidden, spears")
        #expect(hide("xSECRETsecretx") == "xhiddenx")
        #expect(hide("/p/a%20b/c%20d%20e?x") == "/p/hidden?x")
        #expect(hide("abc") == "abc")
        #expect(hide("30s") == "30s")
    }

    @Test("a secret that equals a word of the trace format does not break a replay")
    func ownWords() throws {
        let recorder = RecordedLines()
        // Any text may be a secret.
        let words = [
            "banner", "the ad", "was loaded", "expiry", "load", "button", "ready", "accepted", "test", "loading",
        ]
        for value in words + ["30000", "any pixel"] { recorder.trace.hide(value) }
        var life = AdLifecycle()
        recorder.trace.start(AdID("a"), of: "test", AdTiming())
        let inputs: [AdInput] = [
            .load(CommandID(1)), .offerArrived(ShowRules(.banner)), .load(CommandID(2)), .stage(.ready),
        ]
        for input in inputs { recorder.handle(input, of: AdID("a"), &life, at: .origin) }
        #expect(recorder.lines.joined().contains("hidden"))
        var replay = TraceReplay()
        for line in recorder.lines { _ = try replay.replay(line) }
        try replay.finish()
        #expect(replay.counts.inputs == inputs.count)
    }

    @Test("above the limit of values the newest are hidden")
    func many() {
        var hiding = SecretRedaction()
        for number in 0...1_000 { hiding.add("place-\(number)-x") }
        #expect(hiding.hide(.string("place-1000-x")) == "hidden" && hiding.hide(.string("place-0-x")) == "place-0-x")
    }

    @Test("transient values do not replace permanent ones")
    func transient() {
        var hiding = SecretRedaction()
        hiding.add("the-key-of-all")
        for number in 0...2_000 { hiding.add("place-\(number)-x", isTransient: true) }
        #expect(hiding.hide(.string("the-key-of-all at place-2000-x")) == "hidden at hidden")
        #expect(hiding.hide(.string("place-0-x")) == "place-0-x")
    }

    @Test("hostile sentences are read in linear time", .timeLimit(.minutes(5)))
    func hostileSentences() {
        for piece in [
            "token=", "lat={", "token={token=", "key '", "key ", "<key>", "\\", "\"key\":[", "(key=", "user id",
        ] {
            let text = String(repeating: piece, count: 400_000 / piece.utf8.count)
            #expect(ProseRedaction.hide(text).utf8.count <= text.utf8.count * 2)
        }
    }

    @Test("a location with short numbers is hidden as a pair")
    func shortPlace() {
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.trace.hide(AdContext(location: .init(latitude: 1.5, longitude: 2.25, precision: 1)))
        recorder.handle(.stage(.crashed("asked /?at=1.5%2C2.25 and 1.5,2.25")), of: AdID("a"), &life, at: .origin)
        #expect(!recorder.lines.joined().contains("2.25"))
    }

    @Test(
        "the value of a secret name in a sentence is hidden, and the rest is not",
        arguments: [
            (
                #"status 400 and says: “{"error":"bad","token":"S1","email":"S2","lat":55.7512,"api_key":"S3","n":1}”"#,
                #"status 400 and says: “{"error":"bad","token":"***","email":"***","lat":"***","api_key":"***","n":1}”"#
            ),
            (#"says: {"a":1,"token":"S1 that was cut o…"#, #"says: {"a":1,"token":"***"#),
            (#"says: bad key {\"api_key\":\"S1\",\"n\":2}"#, #"says: bad key {\"api_key\":\"***\",\"n\":2}"#),
            (#"x {"key":"a\"S1","n":1}"#, #"x {"key":"***","n":1}"#),
            (#"x { "token" : "S1" , "user": null }"#, #"x { "token" : "***" , "user": null }"#),
            (#"x {"geo":{"lat":1.5,"a":["S1"]},"n":1}"#, #"x {"geo":"***","n":1}"#),
            (#"x {"geo":[1,{"a":"S1""#, #"x {"geo":"***""#),
            (#"{"lat": 5, "a": [1, 2]}"#, #"{"lat": "***", "a": [1, 2]}"#),
            (#"{"a": "token:", "b": 1}"#, #"{"a": "token:", "b": 1}"#),
            ("{uid=S1, n=2}", "{uid=***, n=2}"), ("User(id=1,uid=S1,key=S2) n", "User(id=***,uid=***,key=***) n"),
            ("a=1,key=S1", "a=1,key=***"), ("(sid=S1)", "(sid=***)"), ("user={\"name\":\"S1\"} n", "user=*** n"),
            ("Authorization: Token token=\"S1\"\nn", "Authorization: ***\nn"),
            ("token: Bearer \"S1\" n", "token: ***\" n"),
            ("Invalid API key 'sk-abc123def' given", "Invalid API key '***' given"),
            ("Incorrect API key provided: sk-abc123.", "Incorrect API key provided: ***"),
            ("<e><token>S1 S2</token><n>1</n></e>", "<e><token>***</token><n>1</n></e>"),
            ("[token] => S1 n", "[token] => *** n"), ("no user with email bob@example.com", "no user with email ***"),
            ("user id: 12345678, device id A1B2C3D4", "user id: ***, device id ***"),
            ("lat 55.75 lon 37.61", "lat *** lon ***"),
            ("token: S1S1, api_key SECRET7; n: 3", "token: ***, api_key ***; n: 3"),
            ("Authorization: Bearer S1.S2 was wrong\nn", "Authorization: ***\nn"),
            ("with Bearer SECRETS and so on", "with Bearer *** and so on"),
            ("at ll: 55.75,-37.61, and lat:55.7 lon = 37.6", "at ll: ***, and lat:*** lon = ***"),
            ("token='S1 S2' and token=\"S3\" n=1", "token=*** and token=*** n=1"),
            ("the token expired, the key is wrong", "the token expired, the key is wrong"),
            ("asked https://token.example:443/a:b?n=1", "asked https://token.example:443/a:b?n=1"),
            ("asked 'https://auth:80/' again, key:", "asked 'https://auth:80/' again, key:"),
            ("status: 400, code = 7", "status: 400, code = 7"),
        ]
    )
    func sentences(text: String, shown: String) {
        let hiding = SecretRedaction()
        #expect(hiding.hide(.string(text)).string == shown)
        // A second pass changes nothing; otherwise a replay would differ.
        #expect(hiding.hide(.string(shown)).string == shown)
    }

    @Test("a second redaction of any sentence changes nothing")
    func idempotence() {
        for (seed, text) in Self.sentences() {
            let hiding = SecretRedaction()
            let once = hiding.hide(.string(text))
            guard hiding.hide(once) == once else {
                Testing.Issue.record("YABBI_SEED=\(seed): \(text) became \(once), and then \(hiding.hide(once))")
                return
            }
        }
    }

    @Test("a trace with any sentence of a stage or server can be replayed")
    func sentencesRun() {
        for (seed, text) in Self.sentences() {
            let inputs: [[AdInput]] = [
                [.loadFailed(AdError(.serverStatus, "status 400 and says: “\(text)”"))],
                [.offerArrived(ShowRules(.banner)), .show(CommandID(2)), .presentFailed(StageError(text))],
                [
                    .offerArrived(ShowRules(.banner)), .show(CommandID(2)), .stage(.ready), .stage(.revealed),
                    .stage(.blocked(BlockedAttempt(.navigation, text))), .stage(.crashed(text)),
                ],
                [.offerArrived(ShowRules(.banner)), .show(CommandID(2)), .stage(.crashed(text))],
            ]
            for inputs in inputs {
                let recorder = RecordedLines()
                var life = AdLifecycle()
                recorder.trace.start(AdID("a"), of: "test", AdTiming())
                for input in [.load(CommandID(1))] + inputs {
                    recorder.handle(input, of: AdID("a"), &life, at: .origin)
                }
                do {
                    try Self.replay(recorder.lines)
                } catch {
                    Testing.Issue.record("YABBI_SEED=\(seed): \(text): \(error)")
                    return
                }
            }
        }
    }

    /// Random sentences of secrets, names and separators.
    private static func sentences() -> [(seed: UInt64, text: String)] {
        let pieces = [
            "token", "lat", "n", "Bearer", "geo.lat", "user", ":", "=", ": ", " = ", "\"", "'", "\\\"", "{", "}", "[",
            "]", ",", ";", "&", "?", "@", " ", "https://a.example/", "12345678", "55.7,-3", "null", "x", "***",
            "{\"a\": 1}",
            "{\"lat\": 5, \"n\": [1]}", "hidden", "“", "\\",
        ]
        return (TestSeed.chosen.map { $0...$0 } ?? 0x5EC0...0x5EC0 + 400).map { seed in
            var random = SplitMix(seed: seed)
            let count = Int.random(in: 1...24, using: &random)
            return (seed, (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined())
        }
    }

    @Test("secrets of a server's response in an error message are hidden, and the trace can be replayed")
    func errors() throws {
        let body = #"{"error":"bad","token":"LEAK1","email":"LEAK2","lat":55.7512,"api_key":"LEAK3","user_id":"LEAK4"}"#
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.trace.start(AdID("a"), of: "test", AdTiming())
        recorder.handle(.load(CommandID(1)), of: AdID("a"), &life, at: .origin)
        let error = AdError(.serverStatus, "the server answered with status 400 and says: \(body)")
        recorder.handle(.loadFailed(error), of: AdID("a"), &life, at: .origin)
        let text = recorder.lines.joined(separator: "\n")
        #expect(!text.contains("LEAK") && !text.contains("55.75") && text.contains("bad"))
        try Self.replay(recorder.lines)
    }

    @Test(
        "a redacted link to another app is still a link",
        arguments: [
            "mailto:bob@shop.example?subject=x", "intent://bob@a.example/x#Intent;end", "geo:55.75,37.61",
            "tel:+79161234567", "itms-apps://bob@a/x", "shop://bob:S1@a/b?token=S2",
        ]
    )
    func links(text: String) throws {
        let link = try #require(ClickThroughURL(text))
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.trace.start(AdID("a"), of: "test", AdTiming())
        let inputs: [AdInput] = [
            .load(CommandID(1)), .offerArrived(ShowRules(.banner, clickThrough: link)), .show(CommandID(2)),
            .stage(.ready), .stage(.revealed), .stage(.visible(ratio: 1)), .stage(.click(link, byUser: true)),
        ]
        for input in inputs { recorder.handle(input, of: AdID("a"), &life, at: .origin) }
        #expect(!recorder.lines.joined().contains("bob"))
        try Self.replay(recorder.lines)
    }

    @Test("a rounded location is hidden as a pair")
    func roundedPlace() {
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.trace.hide(AdContext(location: .init(latitude: 55.7512, longitude: 37.6184, precision: 1)))
        recorder.handle(
            .stage(.crashed("at 55.751,37.618 or 55.75,37.61 or 55.8,37.6")),
            of: AdID("a"),
            &life,
            at: .origin
        )
        #expect(recorder.lines.joined().contains("at hidden or hidden or hidden"))
    }

    @Test("a secret in deeply nested JSON strings is hidden")
    func depth() throws {
        var text = "token=\(Self.token)"
        for _ in 0..<12 { text = AdJSON.array([.string(text)]).text() }
        let recorder = RecordedLines()
        var life = AdLifecycle()
        recorder.handle(.stage(.crashed(text)), of: AdID("a"), &life, at: .origin)
        #expect(!recorder.lines.joined().contains(Self.token))
    }

    private static func trace(keepsSecrets: Bool) -> [String] {
        let recorder = RecordedLines(keepsSecrets: keepsSecrets)
        recorder.trace.hide(
            AdContext(
                ifa: self.ifa,
                location: .init(latitude: self.latitude, longitude: 13.404954, precision: 10)
            )
        )
        recorder.trace.hide(self.token)
        var (life, failing, crashing) = (AdLifecycle(), AdLifecycle(), AdLifecycle())
        for ad in ["a", "b", "c"] { recorder.trace.start(AdID(ad), of: "test", AdTiming()) }
        for input in self.inputs { recorder.handle(input, of: AdID("a"), &life, at: .origin) }
        for input in self.inputs where [.load(CommandID(1))].contains(input) || input.isFailure {
            recorder.handle(input, of: AdID("b"), &failing, at: .origin)
        }
        for input in self.inputs.prefix(3) + self.inputs.suffix(1) {
            recorder.handle(input, of: AdID("c"), &crashing, at: .origin)
        }
        return recorder.lines
    }

    private static func replay(_ lines: [String]) throws {
        var replay = TraceReplay()
        for line in lines { _ = try replay.replay(line) }
        try replay.finish()
    }
}

extension AdInput {
    fileprivate var isFailure: Bool {
        if case .loadFailed = self { true } else { false }
    }
}
