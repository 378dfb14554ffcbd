import AdCore
import LifecycleSupport
import SystemSupport
import TestSupport
import Testing

@testable import AdReplay
@testable import AdTrace

@Suite("Trace replay")
struct TraceReplayTests {
    @Test("random lifecycles are replayed without a difference")
    func randomAds() throws {
        let count: UInt64 = LongForm.either(1_000, short: 250)
        for seed in TestSeed.all(from: 0x7ACE_0000, count: count) {
            let lines = Self.trace(ofSeed: seed)
            do throws(ReplayError) {
                let (events, counts) = try Self.replay(lines)
                #expect(counts.ads == 1 && counts.events <= events.count)
            } catch {
                Testing.Issue.record("YABBI_SEED=\(seed): \(error)")
                return
            }
        }
    }

    @Test(
        "every changed line of a trace is a difference with its line number",
        arguments: [
            ("\"accepted\"", "\"refused\""), ("{\"emit\":\"shown\"},", ""),
            ("\"rule\":\"immediate\"", "\"rule\":\"watchdog\""),
            ("{\"record\":\"view\"}", "{\"record\":\"click\"}"), ("\"at\":\"30s\"", "\"at\":\"31s\""),
            ("\"event\":\"view\"", "\"event\":\"click\""),
        ]
    )
    func differences(from: String, to: String) throws {
        let lines = Self.shownAd()
        let place = try #require(lines.firstIndex { $0.contains(from) })
        var changed = lines
        changed[place] = lines[place].replacing(from, with: to, maxReplacements: 1)
        do throws(ReplayError) {
            _ = try Self.replay(changed)
            Testing.Issue.record("no difference was found at \(changed[place])")
        } catch {
            guard case .differs(let difference) = error else {
                Testing.Issue.record("\(error)")
                return
            }
            #expect(difference.line == place + 1)
            #expect(difference.recorded != difference.replayed)
        }
    }

    @Test("a replay counts the ads that have not ended")
    func unended() throws {
        let lines = Self.shownAd()
        var replay = TraceReplay()
        var counts: [Int] = []
        for line in lines {
            _ = try replay.replay(line)
            if counts.last != replay.unended { counts.append(replay.unended) }
        }
        #expect(counts == [0, 1, 0])
    }

    @Test("a missing and a duplicate event are differences")
    func missing() throws {
        let lines = Self.shownAd()
        let view = try #require(lines.firstIndex { $0.contains("\"event\":\"view\"") })
        var without = lines
        without.remove(at: view)
        #expect(throws: ReplayError.self) { try Self.replay(without) }
        var twice = lines
        twice.insert(lines[view], at: view)
        #expect(throws: ReplayError.self) { try Self.replay(twice) }
        // A trace that is cut off before an event differs too.
        let last = try #require(lines.lastIndex { $0.contains("\"event\":\"closed\"") })
        #expect(throws: ReplayError.self) { try Self.replay(Array(lines[..<last])) }
    }

    @Test("the error of another format names the program that wrote the trace")
    func otherFormat() {
        #expect(throws: ReplayError.otherFormat(2, by: "yabbi-play/9.0")) {
            try Self.replay(["{\"trace\":2,\"by\":\"yabbi-play/9.0\",\"hidesSecrets\":true}"])
        }
    }

    @Test(
        "an invalid line is an error with its number",
        arguments: [
            ([], 1), (["hello"], 1), (["{\"event\":\"loaded\"}"], 1), (["", "[]"], 2), ([head, "{}"], 2),
            ([head, "", "{\"ad\":\"a\"}"], 3),
            ([head, "{\"ad\":\"a\",\"begins\":{}}"], 2), ([head, "{\"ad\":\"a\",\"at\":\"0s\",\"in\":\"close\"}"], 2),
            ([head, begin, begin], 3),
            ([head, begin, "{\"ad\":\"a\",\"at\":\"0\",\"in\":\"close\"}"], 3),
            ([head, begin, "{\"ad\":\"a\",\"at\":\"-5s\",\"in\":\"close\"}"], 3), ([head, begin, "\0\0\0"], 3),
            ([head, " \t\r", "\0"], 3),
            ([head, begin, "{\"ad\":\"a\",\"at\":\"0s\",\"in\":\"dance\"}"], 3),
            ([head, "{\"ad\":\"a\",\"at\":\"0s\",\"event\":\"beaconDelivered\"}"], 2),
            ([head, "{\"session\":\"1\"}"], 2), ([head, "{\"session\":1,\"at\":\"0s\",\"in\":{}}"], 2),
            ([head, "{\"session\":1,\"provider\":\"nobody\",\"seed\":\"1\",\"begins\":{}}"], 2),
        ] as [([String], Int)]
    )
    func unreadable(lines: [String], line: Int) {
        do throws(ReplayError) {
            _ = try Self.replay(lines)
            Testing.Issue.record("no error was found")
        } catch {
            guard case .unreadable(line, let why) = error else {
                Testing.Issue.record("\(error)")
                return
            }
            #expect(!why.isEmpty)
        }
    }

    @Test("events of beacons that another process left are replayed without their ads")
    func leftovers() throws {
        let recorder = RecordedLines()
        recorder.trace.record(
            .beaconDelivered(BeaconKey(ad: AdID("old"), event: .view, providerKey: "ceedads/7"), attempts: 2),
            of: AdID("old"),
            "ceedads",
            at: .origin,
            []
        )
        let (events, _) = try Self.replay(recorder.lines)
        guard case .event(_, .beaconDelivered(let key, attempts: 2), _)? = events.first?.kind else {
            Testing.Issue.record("\(events)")
            return
        }
        #expect(key.event == .view && events.first?.provider == "ceedads")
    }

    static let head = "{\"trace\":1,\"by\":\"a test\",\"hidesSecrets\":true}"
    static let begin = "{\"ad\":\"a\",\"provider\":\"test\",\"begins\":\(AdTiming().traced.text())}"

    /// The trace of an ad that is shown, visible and closed.
    private static func shownAd() -> [String] {
        let recorder = RecordedLines()
        var life = AdLifecycle()
        let ad = AdID("b")
        recorder.trace.start(ad, of: "test", AdTiming())
        let inputs: [AdInput] = [
            .load(CommandID(1)), .offerArrived(ShowRules(.interstitial)), .show(CommandID(2)), .stage(.ready),
            .stage(.revealed), .stage(.visible(ratio: 1)), .recorded(.view), .stage(.closeRequested(by: .user)),
        ]
        for input in inputs { recorder.handle(input, of: ad, &life, at: .origin) }
        return recorder.lines
    }

    private static func trace(ofSeed seed: UInt64) -> [String] {
        let recorder = RecordedLines()
        let ad = AdID(bits: seed)
        recorder.trace.start(ad, of: "test", AdTiming())
        var life = RandomLifecycle(seed: seed) { input, now, result, actions in
            recorder.record(input, of: ad, result, actions, at: now)
        }
        life.run()
        return recorder.lines
    }

    @discardableResult
    private static func replay(_ lines: [String]) throws(ReplayError) -> (
        events: [TraceReplay.ReplayedEvent], TraceReplay.Counts
    ) {
        var replay = TraceReplay()
        var events: [TraceReplay.ReplayedEvent] = []
        for line in lines {
            events += try replay.replay(line)
        }
        try replay.finish()
        return (events, replay.counts)
    }
}
