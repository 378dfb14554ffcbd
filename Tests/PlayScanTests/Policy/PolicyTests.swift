import AdCore
import AdLint
import Testing

@testable import PlayScan

@Suite("Policies of a scan")
struct PolicyTests {
    /// A policy of some lines.
    static func policy(_ lines: String...) throws -> ScanPolicy {
        try PolicyParser.policy(lines.joined(separator: "\n"), called: "test", in: "test.policy") {
            (name) throws(PolicyError) in
            try PolicyLibrary.policy(name) { (path) throws(PolicyError) in throw PolicyError("\(path) does not exist") }
        }
    }

    static func measures(_ values: [String: MeasureValue]) -> CreativeMeasures {
        var measures = CreativeMeasures()
        for (name, value) in values { measures.set(name, value) }
        return measures
    }

    private func reasons(
        _ policy: ScanPolicy,
        _ values: [String: MeasureValue],
        _ findings: [ScannedFinding] = [],
        kind: ScanKind = .html,
        id: String = "a"
    ) -> [String] {
        policy.verdict(on: Self.measures(values), findings, kind, called: id, today: "2026-11-28").reasons.map {
            "\($0.level.rawValue) \($0.rule): \($0.message)"
        }
    }

    @Test("a limit is exceeded by more than its value, in the unit of the rule")
    func limits() throws {
        let policy = try Self.policy("fail bytes.initial > 150 kB", "warn cpu > 1.5 s", "fail video.played < 100 %")
        #expect(self.reasons(policy, ["bytes.initial": .number(150_000), "cpu": .number(1_500)]) == [])
        #expect(
            self.reasons(
                policy,
                ["bytes.initial": .number(150_001), "cpu": .number(1_600), "video.played": .number(75)]
            ) == [
                "fail bytes.initial: Initial load: 150 kB; at most 150 kB",
                "fail video.played: Played: 75 %; at least 100 %",
                "warn cpu: Processor time: 1600 ms; at most 1500 ms",
            ]
        )
    }

    @Test("a measure without a value passes every limit, and missing names it")
    func unknown() throws {
        let policy = try Self.policy("fail bytes.initial > 0 B", "fail hosts", "warn mraid.calls missing : use MRAID")
        #expect(self.reasons(policy, [:]) == ["warn mraid.calls: MRAID calls: not known; use MRAID"])
        #expect(self.reasons(policy, ["mraid.calls": .number(2)]) == [])
    }

    @Test("flags, lists and words have rules of their own")
    func forms() throws {
        let policy = try Self.policy(
            "fail blank",
            "warn hosts > 2",
            "fail hosts has *.Tracker.example",
            "fail tap is no*",
            "warn scripts.errors"
        )
        #expect(
            self.reasons(policy, ["blank": .flag(false), "hosts": .list(["a", "b"]), "tap": .word("click")]) == []
        )
        #expect(
            self.reasons(
                policy,
                [
                    "blank": .flag(true), "hosts": .list(["a.example", "x.tracker.example", "c"]),
                    "tap": .word("nothing"),
                    "scripts.errors": .list(["boom"]),
                ]
            ) == [
                "fail blank: Blank", "fail hosts: Hosts: x.tracker.example", "fail tap: Tap: nothing",
                "warn scripts.errors: Script errors: boom",
            ]
        )
    }

    @Test("of several limits of a measure the most severe that is exceeded counts")
    func graded() throws {
        let policy = try Self.policy("warn bytes.total > 1 kB", "fail bytes.total > 2 kB")
        #expect(self.reasons(policy, ["bytes.total": .number(900)]) == [])
        #expect(
            self.reasons(policy, ["bytes.total": .number(1_500)]) == [
                "warn bytes.total: Whole load: 1.5 kB; at most 1 kB"
            ]
        )
        #expect(
            self.reasons(policy, ["bytes.total": .number(2_500)]) == [
                "fail bytes.total: Whole load: 2.5 kB; at most 2 kB"
            ]
        )
    }

    @Test("a rule for a kind is about that kind only")
    func kinds() throws {
        let policy = try Self.policy("html fail tap is nothing", "video warn tap is nothing")
        #expect(self.reasons(policy, ["tap": .word("nothing")]) == ["fail tap: Tap: nothing"])
        #expect(self.reasons(policy, ["tap": .word("nothing")], kind: .video) == ["warn tap: Tap: nothing"])
        #expect(self.reasons(policy, ["tap": .word("nothing")], kind: .card) == [])
    }

    @Test("a rule for a size replaces those without one about the same measure")
    func sizes() throws {
        let policy = try Self.policy(
            "fail bytes.initial > 150 kB",
            "html 320x50 fail bytes.initial > 50 kB",
            "970x250 fail bytes.initial > 250 kB"
        )
        func fails(_ size: String, _ kilobytes: Double) -> Bool {
            !self.reasons(policy, ["size": .word(size), "bytes.initial": .number(kilobytes * 1_000)]).isEmpty
        }
        #expect(fails("320x50", 60) && !fails("300x250", 60) && !fails("970x250", 240) && fails("970x250", 260))
        #expect(fails("300x250", 160))
    }

    @Test("the last line about a lint rule decides, and a finding has its line")
    func lint() throws {
        let rules = LintRule.all.filter { $0.severity == .warning }
        let (first, second) = (rules[0].id, rules[1].id)
        let policy = try Self.policy("fail lint warning", "allow lint \(first)", "warn lint \(second)")
        let findings = [first, second, rules[2].id].map { ScannedFinding($0, .warning, count: 2, line: 7, "text") }
        let verdict = policy.verdict(on: CreativeMeasures(), findings, .html, called: "a", today: "2026-11-28")
        #expect(
            verdict.reasons == [
                ScanReason("lint/\(rules[2].id)", .fail, "text (2 times)", line: 7),
                ScanReason("lint/\(second)", .warn, "text (2 times)", line: 7),
            ]
        )
    }

    @Test("own rules replace those of an extended policy about the same measure and kind")
    func extended() throws {
        let policy = try Self.policy("extends iab-lean", "video fail requests.insecure > 3", "allow sound.atStart")
        let values: [String: MeasureValue] = ["requests.insecure": .list(["a"]), "sound.atStart": .list(["audio"])]
        #expect(self.reasons(policy, values) == ["fail requests.insecure: Insecure requests: a"])
        #expect(self.reasons(policy, values, kind: .video) == [])
        // What all built-in policies extend is there, too.
        #expect(self.reasons(policy, ["failure": .list(["no ad"])]) == ["fail failure: Not shown: no ad"])
    }

    @Test("a rule for a size replaces those of an extended policy for that size only")
    func extendedSizes() throws {
        let policy = try Self.policy("extends iab-lean", "320x50 fail bytes.initial > 40 kB", "300x250 allow storage")
        func fails(_ size: String, _ kilobytes: Double) -> Bool {
            !self.reasons(policy, ["size": .word(size), "bytes.initial": .number(kilobytes * 1_000)]).isEmpty
        }
        #expect(fails("320x50", 45) && !fails("320x50", 35))
        #expect(fails("300x250", 160) && !fails("300x250", 140))
        #expect(fails("970x250", 260) && !fails("970x250", 240))
    }

    @Test("a policy that extends several fails what any of them fails, with the strictest limit")
    func joined() throws {
        let policy = try Self.policy("extends iab-lean", "extends gam", "extends vast-ctv")
        let large: [String: MeasureValue] = ["size": .word("970x250"), "bytes.initial": .number(240_000)]
        #expect(
            self.reasons(policy, large) == ["fail bytes.initial: Initial load: 240 kB; at most 150 kB"]
        )
        #expect(self.reasons(policy, ["animation.end": .number(40)]).map { $0.suffix(12) } == ["at most 15 s"])
        #expect(
            self.reasons(policy, ["video.wrappers": .number(4)], kind: .video).map { $0.prefix(4) } == ["fail"]
        )
        let finding = ScannedFinding(LintRule.all[0].id, .warning, count: 1, line: 1, "text")
        let allowing = try Self.policy("extends gam", "extends mraid", "allow lint \(finding.rule)")
        #expect(self.reasons(policy, [:], [finding]).count == 1)
        #expect(self.reasons(allowing, ["mraid.calls": .number(1)], [finding]).isEmpty)
    }

    /// Values around the limits of all policies.
    private static func value(_ measure: Measure, _ random: inout SplitMix) -> MeasureValue? {
        switch measure.unit {
        case .flag: .flag(Bool.random(using: &random))
        case .list: .list(Array(["a", "b", "c"].prefix(Int.random(in: 0...3, using: &random))))
        case .word:
            .word(
                measure.name == "size" ? ["320x50", "970x250", "1x1"].randomElement(using: &random) ?? "" : "nothing"
            )
        case .bytes: .number(Double.random(in: 0...1e6, using: &random) * Double.random(in: 0...10, using: &random))
        case .milliseconds: .number(Double.random(in: 0...4_000, using: &random))
        case .count, .seconds, .percent: .number(Double(Int.random(in: 0...120, using: &random)))
        }
    }

    @Test("strict is at least as severe as every built-in policy", arguments: ScanKind.allCases)
    func strictest(kind: ScanKind) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let strict = try Self.policy("extends strict")
        let policies = try PolicyLibrary.names.map { try Self.policy("extends \($0)") }
        for _ in 0..<40 {
            var values: [String: MeasureValue] = ["mraid.calls": .number(1)]
            for measure in Measure.all where measure.name != "mraid.calls" && Bool.random(using: &random) {
                values[measure.name] = Self.value(measure, &random)
            }
            func levels(_ policy: ScanPolicy) -> [String: ScanLevel] {
                let verdict = policy.verdict(on: Self.measures(values), [], kind, called: "a", today: "2026-11-28")
                return Dictionary(verdict.reasons.map { ($0.rule, $0.level) }, uniquingKeysWith: max)
            }
            let found = levels(strict)
            for (name, policy) in zip(PolicyLibrary.names, policies) {
                for (rule, level) in levels(policy) where found[rule, default: .pass] < level {
                    Issue.record("\(name): \(rule), seed \(seed)")
                }
            }
        }
    }

    @Test("an exception holds for its creatives and rules until its day")
    func exceptions() throws {
        let policy = try Self.policy("fail storage", "fail tap is nothing", "except banner-1* storage until 2026-11-28")
        let values: [String: MeasureValue] = ["storage": .list(["cookie"]), "tap": .word("nothing")]
        #expect(self.reasons(policy, values, id: "banner-17") == ["fail tap: Tap: nothing"])
        #expect(self.reasons(policy, values, id: "banner-2").count == 2)
        let later = policy.verdict(on: Self.measures(values), [], .html, called: "banner-17", today: "2026-11-29")
        #expect(later.reasons.count == 2)
    }

    @Test("every built-in policy can be read, accepts nothing that failed, and is named in the help")
    func builtIn() throws {
        for name in PolicyLibrary.names {
            let policy = try Self.policy("extends \(name)")
            #expect(!self.reasons(policy, ["failure": .list(["it"])]).isEmpty, "\(name)")
            #expect(!self.reasons(policy, ["blank": .flag(true)]).isEmpty, "\(name)")
            #expect(!self.reasons(policy, ["blocked.redirect": .list(["x"])]).isEmpty, "\(name)")
            #expect(self.reasons(policy, ["mraid.calls": .number(1), "tap": .word("click")]).isEmpty, "\(name)")
        }
        #expect(PolicyLibrary.names.contains(PolicyLibrary.defaultName))
    }

    @Test("the version changes with the text, and with that of an extended policy")
    func versions() throws {
        let first = try Self.policy("fail blank").version
        #expect(try Self.policy("fail blank").version == first)
        #expect(try Self.policy("warn blank").version != first)
        #expect(try Self.policy("extends gam").version != Self.policy("extends mraid").version)
    }

    @Test(
        "an error names the line and the fix",
        arguments: [
            ("fail bytes.inital > 5 kB", "unknown measure “bytes.inital”; did you mean bytes.initial?"),
            (
                "fial blank",
                "unknown statement “fial”; a line begins with fail, warn, allow, except or extends; did you mean fail?"
            ),
            (
                "fail bytes.total > 5",
                "“5” is no limit; write a number with B, KiB, MB, MiB or kB, as in: bytes.total > 150 kB"
            ),
            (
                "fail bytes.total > 5 s",
                "“5 s” is no limit; write a number with B, KiB, MB, MiB or kB, as in: bytes.total > 150 kB"
            ),
            ("fail bytes.total", "bytes.total needs a limit, as in: bytes.total > 150 kB"),
            ("fail tap", "tap needs a text, as in: tap is nothing"),
            ("fail blank > 3", "blank is flag, and has no limit"),
            ("fail blank has x", "“has” can't follow blank; write missing, or nothing for true"),
            ("fail hosts is x", "“is” can't follow hosts; write > <number>, has <text>, missing, or nothing for any"),
            ("fail", "name a measure, or lint and a rule"),
            ("html", "add fail, warn or allow after html"),
            ("fail lint", "lint needs error, warning, info or the id of a rule, as in: fail lint error"),
            ("fail lint xml-truncatd", "unknown lint rule “xml-truncatd”; did you mean xml-truncated?"),
            ("allow cpu > 5 s", "allow takes only the name of the measure; remove >"),
            (
                "except a",
                "write: except <creative> <measure or lint/rule> [until 2026-12-31]; a space in an id is written *"
            ),
            ("except a storage until 2026-13-01", "“2026-13-01” is no date; write it as in 2026-12-31"),
            ("except a storagee", "“storagee” is no measure and no lint rule; did you mean storage?"),
            (
                "extends gamm",
                "unknown policy “gamm”; use gam, iab-lean, mraid, vast-ctv or strict, or the path of a file; did you mean gam?"
            ),
            ("extends ./other.policy", "./other.policy does not exist"),
        ]
    )
    func errors(line: String, message: String) {
        let error = #expect(throws: PolicyError.self) { try Self.policy("# a comment", "", line) }
        #expect(error?.message == "test.policy:3: \(message)")
    }

    @Test("lines end as on any system, and a policy without a rule is refused")
    func lineEnds() throws {
        let policy = try Self.policy("# ours\r\nfail blank # it\r\nwarn storage")
        #expect(self.reasons(policy, ["blank": .flag(true), "storage": .list(["cookie"])]).count == 2)
        let error = #expect(throws: PolicyError.self) { try Self.policy("# nothing") }
        #expect(error?.message == "test.policy has no rules; add some, or extends and the name of a policy")
    }

    @Test("what can't be measured fails by every policy that does not allow it")
    func core() throws {
        let values: [String: MeasureValue] = ["failure": .list(["no ad"]), "ended": .list(["it crashed"])]
        #expect(
            self.reasons(try Self.policy("fail blank"), values) == [
                "fail failure: Not shown: no ad", "fail ended: Ended: it crashed",
            ]
        )
        #expect(
            self.reasons(try Self.policy("fail blank", "allow failure"), values) == ["fail ended: Ended: it crashed"]
        )
        #expect(
            self.reasons(try Self.policy("warn failure", "allow ended"), values) == ["warn failure: Not shown: no ad"]
        )
    }

    @Test("an exception names a creative by its id or by the last part of its path")
    func exceptionsOfPaths() throws {
        let policy = try Self.policy("fail storage", "except banner-* storage")
        let values: [String: MeasureValue] = ["storage": .list(["cookie"])]
        #expect(self.reasons(policy, values, id: "creatives/banner-1.html") == [])
        #expect(self.reasons(policy, values, id: "banner-creatives/other.html").isEmpty == true)
        #expect(self.reasons(policy, values, id: "creatives/other.html").count == 1)
    }

    @Test("a file that a policy extends is beside it")
    func neighbor() throws {
        var read: [String] = []
        let policy = try PolicyLibrary.policy("house/ads.policy") { (path) throws(PolicyError) in
            read.append(path)
            return Array((path == "house/ads.policy" ? "extends base.policy" : "fail blank").utf8)
        }
        #expect(read == ["house/ads.policy", "house/base.policy"])
        #expect(!self.reasons(policy, ["blank": .flag(true)]).isEmpty)
    }

    @Test("policies that extend each other in a circle are refused")
    func circle() {
        let error = #expect(throws: PolicyError.self) {
            try PolicyLibrary.policy("./a.policy") { (_) throws(PolicyError) in Array("extends ./a.policy".utf8) }
        }
        #expect(error?.message.contains("remove a circle of extends") == true)
    }

    @Test(
        "a pattern has * for any number of characters",
        arguments: [
            ("*", "", true), ("a*c", "abbc", true), ("a*c", "abcd", false), ("*b*", "abc", true), ("A.b", "a.B", true),
            ("a", "ab", false), ("a*b*c", "acb", false), ("a*a", "a", false), ("**", "x", true), ("", "x", false),
        ]
    )
    func patterns(pattern: String, text: String, matches: Bool) {
        #expect(TextPattern(pattern).matches(text) == matches)
    }
}
