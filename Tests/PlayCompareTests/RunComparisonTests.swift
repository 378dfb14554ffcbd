import AdCore
import AdReplay
import AdTrace
import LifecycleSupport
import PlayConsole
import PlayReport
import TestSupport
import Testing

@testable import PlayCompare

@Suite("The comparison of runs")
struct RunComparisonTests {
    private func differences(_ a: [RunAd], _ b: [RunAd]) -> [String] {
        RunComparison(ComparedRun.sample(a), .sample(b)).texts
    }

    // MARK: Laws

    private static func runs(_ seed: UInt64) throws -> [ComparedRun] {
        let reports = [seed, seed + 1].map { ComparedRun(RandomRun.report(seed: $0)) }
        let traces = try [seed, seed + 1].map { try ComparedRun(trace: Array(self.trace(seed: $0).utf8)) }
        return reports + traces
    }

    /// The trace of a random lifecycle.
    private static func trace(seed: UInt64) -> String {
        let recorder = RecordedLines()
        let ad = AdID(bits: seed)
        recorder.trace.start(ad, of: "test", AdTiming())
        var life = RandomLifecycle(seed: seed) { input, now, result, actions in
            recorder.record(input, of: ad, result, actions, at: now)
        }
        life.run()
        return recorder.lines.joined(separator: "\n")
    }

    @Test("a run has no differences from itself")
    func itself() throws {
        for seed in TestSeed.all(from: 0xC0_0000, count: LongForm.either(2_000, short: 100)) {
            for run in try Self.runs(seed) {
                #expect(RunComparison(run, run).texts.isEmpty, "YABBI_SEED=\(seed)")
            }
        }
    }

    @Test("exchanged runs have the same differences, exchanged")
    func mirrored() throws {
        var found: Set<RunDifference.Kind> = []
        for seed in TestSeed.all(from: 0xC1_0000, count: LongForm.either(2_000, short: 100)) {
            let runs = try Self.runs(seed)
            for (a, b) in [(runs[0], runs[1]), (runs[2], runs[3]), (runs[0], runs[2])] {
                let there = RunComparison(a, b).differences
                found.formUnion(there.map(\.kind))
                #expect(RunComparison(b, a).differences == there.map(\.mirrored), "YABBI_SEED=\(seed)")
            }
        }
        #expect(TestSeed.chosen != nil || found == Set(RunDifference.Kind.allCases))
    }

    @Test("a run that was read from its report is the same")
    func read() throws {
        for seed in TestSeed.all(from: 0xC2_0000, count: 50) {
            let run = RandomRun.report(seed: seed)
            let again = try RunDocument(parsing: Array(run.text.utf8))
            #expect(RunComparison(ComparedRun(run), ComparedRun(again)).texts.isEmpty, "YABBI_SEED=\(seed)")
        }
    }

    // MARK: Ads

    private func ad(_ name: String) -> RunAd {
        .sample(name: name, events: [["event": "shown", "rendered": .string(name)]])
    }

    @Test("ads are matched by name, and one that a run lacks does not shift the others")
    func names() {
        let (a, b, c) = (self.ad("a"), self.ad("b"), self.ad("c"))
        #expect(self.differences([a, b, c], [a, b, c]).isEmpty)
        #expect(self.differences([a, b, c], [a, c]) == ["event: the whole ad: The ad b / -"])
        #expect(self.differences([c], [a, b, c]).count == 2)
        #expect(self.differences([a, a], [a]) == ["event: the whole ad: The ad a / -"])
    }

    @Test("ads of other names are matched by position between those that are the same")
    func positions() {
        let differences = self.differences(
            [self.ad("a"), self.ad("x"), self.ad("c")],
            [self.ad("a"), self.ad("y"), self.ad("c")]
        )
        #expect(differences == ["event: shown: rendered=x / rendered=y"])
        let comparison = RunComparison(ComparedRun.sample([self.ad("x")]), .sample([self.ad("y")]))
        #expect(comparison.differences.map(\.place) == [.init(a: 1, b: 1, name: "The ad x")])
    }

    @Test("thousands of ads are compared by position")
    func many() {
        let ads = Array(repeating: RunAd.sample(), count: 2_500)
        #expect(self.differences(ads, Array(ads.dropLast())).count == 1)
    }

    @Test("too much work in order is not done, with a note for each ad")
    func work() {
        let events: [AdJSON] = (0..<1_900).map { ["event": "blocked", "kind": .string($0 % 3 == 0 ? "a" : "b")] }
        let ads = Array(repeating: RunAd.sample(events: events), count: 40)
        let others = Array(repeating: RunAd.sample(events: events.reversed()), count: 40)
        let comparison = RunComparison(ComparedRun.sample(ads), .sample(others))
        #expect(comparison.notes.count == 13, "27 of them are 97 million comparisons")
    }

    // MARK: Traces

    @Test("what a trace does not have is not compared")
    func traces() throws {
        let recorder = RecordedLines()
        var life = AdLifecycle()
        let ad = AdID("1fe9989c0c2c879b")
        recorder.trace.start(ad, of: "yabbi", AdTiming())
        let inputs: [AdInput] = [
            .load(CommandID(1)), .offerArrived(ShowRules(.interstitial)), .show(CommandID(2)), .stage(.ready),
            .stage(.revealed), .stage(.visible(ratio: 1)), .recorded(.view), .stage(.closeRequested(by: .user)),
        ]
        for input in inputs { recorder.handle(input, of: ad, &life, at: .origin) }
        let trace = try ComparedRun(trace: Array(recorder.lines.joined(separator: "\n").utf8))
        #expect(trace.ads.count == 1 && trace.title == "trace of a test")
        var other = RunAd.sample(
            events: trace.ads[0].events,
            verdicts: [.init(of: "view", outcome: "fired", reason: "")]
        )
        other.requests = [.sample()]
        other.pictures = [.sample()]
        other.lint = [RunFinding(rule: "x.y", severity: "error", message: "m")]
        let comparison = RunComparison(trace, .sample([other]))
        #expect(comparison.texts.isEmpty)
        #expect(
            comparison.notes == [
                "A is a trace: pictures, lint findings and trackers that did not fire are not compared"
            ]
        )
        other.events.removeLast()
        #expect(
            RunComparison(trace, .sample([other])).texts == [
                "event: closed: reason=user rewarded=false rule=immediate / -"
            ]
        )
        #expect(throws: ReplayError.self) { try ComparedRun(trace: Array("{\"trace\":1}".utf8)) }
    }

    @Test("the activities in a trace are its console and its requests")
    func activities() throws {
        let recorder = RecordedLines()
        let ad = AdID("1fe9989c0c2c879b")
        func fetch(_ url: String) -> EventRow {
            EventRow("fetch", "", ["what": "tag", "url": .string(url), "status": 200, "at": 5, "reason": nil])
        }
        recorder.trace.record(activity: fetch("https://a.example/tag"), of: nil, "tag", at: .origin)
        recorder.trace.start(ad, of: "yabbi", AdTiming())
        var life = AdLifecycle()
        recorder.handle(.load(CommandID(1)), of: ad, &life, at: .origin)
        recorder.trace.record(activity: fetch("https://a.example/ad"), of: ad, "yabbi", at: .origin)
        let message = EventRow("console", "", ["level": "log", "text": "hello"])
        recorder.trace.record(activity: message, of: ad, "yabbi", at: Moment(.seconds(1)))
        let trace = try ComparedRun(trace: Array(recorder.lines.joined(separator: "\n").utf8))
        let names = try #require(trace.ads.first).events.map { EventKey.name(of: $0) }
        #expect(trace.ads.count == 1 && names == ["fetch", "loadStarted", "fetch", "console"])
        let silent = ComparedRun.sample([
            .sample(events: [["event": "loadStarted"], ["event": "fetch", "what": "beacon"]])
        ])
        #expect(
            RunComparison(trace, silent).texts == [
                "request: GET https://a.example/ad: 200 / -", "request: GET https://a.example/tag: 200 / -",
                "console: console log  hello: ×1 / -",
            ]
        )
        // A line that can't be read has its number.
        let broken = recorder.lines + ["{\"at\":\"1s\"}"]
        #expect {
            try ComparedRun(trace: Array(broken.joined(separator: "\n").utf8))
        } throws: { error in
            guard case .unreadable(let line, _)? = error as? ReplayError else { return false }
            return line == broken.count
        }
    }

    @Test("without requests, fetches are compared")
    func fetches() {
        func run(_ status: AdJSON) -> ComparedRun {
            let event: AdJSON = ["event": "fetch", "what": "tag", "url": "https://a.example/?cb=1", "status": status]
            return ComparedRun(
                .trace,
                title: "",
                ads: [ComparedAd(id: "", provider: "yabbi", heading: "", events: [event], beacons: [])]
            )
        }
        #expect(RunComparison(run(200), run(204)).texts.isEmpty)
        let difference = "request: GET https://a.example/?cb={id}: 200 / 404"
        #expect(RunComparison(run(200), run(404)).texts == [difference])
        // A trace of an earlier version has none.
        let other = ComparedAd(id: "", provider: "yabbi", heading: "", events: [], beacons: [])
        #expect(RunComparison(run(200), ComparedRun(.trace, title: "", ads: [other])).texts.isEmpty)
    }
}
