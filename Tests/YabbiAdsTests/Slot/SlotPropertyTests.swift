import AdCore
import LifeSupport
import TestSupport
import Testing

@testable import YabbiAds

/// Random lives of slots.
///
/// To run one again: `YABBI_SEED=<seed> swift test --filter SlotPropertyTests`.
@Suite("A placement's slot, at random")
struct SlotPropertyTests {
    private static let first: UInt64 = 0x5107_0000

    @Test("among 5,000 random lives of ads each command has exactly one outcome, and nothing hangs or is left behind")
    func lives() async {
        await Self.search(5000) { seed, isTalking in
            var scene = SlotScene(seed: seed, isTalking: isTalking)
            scene.run()
            return scene.audit.violations
        }
    }

    @Test("20,000 random sequences of news, true or not, leave each command exactly one outcome")
    func nonsense() async {
        await Self.search(20_000) { seed, isTalking in
            var random = TestRandom(seed: seed)
            return Self.nonsense(&random, isTalking)
        }
    }

    @Test("the random lives reach every outcome there is, and each kind of refresh")
    func coverage() {
        var counts: [String: Int] = [:]
        for seed in Self.first..<Self.first + 2000 {
            var scene = SlotScene(seed: seed)
            scene.run()
            counts.merge(scene.audit.counts, uniquingKeysWith: +)
        }
        let names = [
            "load", "refresh", "late refresh", "replace", "loaded", "shown", "impression", "closed",
            "loadFailed noFill", "loadFailed alreadyLoading", "loadFailed alreadyLoaded", "loadFailed destroyed",
            "showFailed notLoaded", "showFailed alreadyShown", "showFailed stageFailed", "showFailed expired",
        ]
        for name in names { #expect(counts[name, default: 0] >= 10, "\(name): \(counts[name, default: 0])") }
    }

    @Test("the audit finds what it looks for: a slot that lies is caught")
    func auditIsAwake() {
        var audit = SlotAudit(.fullScreen)
        let slot = AdSlot(.fullScreen)
        audit.take(.load, [], slot, at: .origin)
        audit.take(.refreshDue, [.call(.closed), .startLoad(AdSlot.Number(1))], slot, at: .origin)
        audit.finish()
        for word in ["outcome", "refreshed", "closed what was not", "told comes before"] {
            #expect(audit.violations.contains { $0.contains(word) }, "\(word)")
        }
    }

    private static func search(_ count: UInt64, _ live: (UInt64, Bool) -> [String]) async {
        if let seed = TestSeed.chosen {
            for violation in live(seed, true) { Testing.Issue.record("seed \(seed): \(violation)") }
            return
        }
        for seed in Self.first..<Self.first + count {
            let violations = live(seed, false)
            // Other tests share these threads, and some of them live by real time.
            if seed.isMultiple(of: 50) { await Task.yield() }
            guard violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(violations)")
                return
            }
        }
    }

    /// Tells a slot anything about anybody.
    private static func nonsense(_ random: inout TestRandom, _ isTalking: Bool) -> [String] {
        let kind: AdSlot.Kind = Bool.random(using: &random) ? .banner : .fullScreen
        var slot = AdSlot(kind)
        var audit = SlotAudit(kind)
        var now = Moment.origin
        for index in 0...40 {
            now = now + .seconds(Int.random(in: 0...20, using: &random))
            // The latest ads are the likeliest, and one of them does not exist.
            let number = AdSlot.Number(Int.random(in: 0...max(1, index / 4), using: &random))
            let error = AdError(.noFill, "for the test")
            let inputs: [AdSlot.Input] = [
                .load, .load, .show, .show, .loaded(number), .loaded(number), .loadFailed(number, error),
                .shown(number), .shown(number), .showFailed(number, error), .viewed(number), .viewed(number),
                .closed(number), .expired(number), .visible(Bool.random(using: &random)),
                .inFront(Bool.random(using: &random)), .refreshDue, .refreshEvery(.seconds(15)), .refreshEvery(nil),
                .destroy,
            ]
            let input = index == 40 ? .destroy : inputs.randomElement(using: &random) ?? .destroy
            let actions = slot.handle(input, at: now)
            if isTalking { print(now.sinceOrigin, input, "→", actions) }
            audit.take(input, actions, slot, at: now)
            guard audit.violations.isEmpty else { return audit.violations }
        }
        audit.finish()
        return audit.violations
    }
}
