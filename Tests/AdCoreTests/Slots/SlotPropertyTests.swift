import TestSupport
import Testing

@testable import AdCore

/// Random inputs to slots.
///
/// To repeat one run: `YABBI_SEED=<seed> swift test --filter SlotPropertyTests`.
@Suite("SlotMachine: random inputs")
struct SlotPropertyTests {
    private static let first: UInt64 = 0x5107_0000

    @Test("in 2,000 random simulations each command has one outcome, every ad ends, and the rules of the refresh hold")
    func randomAds() async {
        await Self.search(2000) { seed, isVerbose in
            var simulation = SlotSimulation(seed: seed, isVerbose: isVerbose)
            simulation.run()
            return simulation.audit.violations
        }
    }

    @Test("in 10,000 random input sequences, valid or not, the same rules hold")
    func randomInputs() async {
        await Self.search(10_000) { seed, isVerbose in
            Self.randomInputs(seed, isVerbose)
        }
    }

    @Test("the random simulations reach every outcome and each kind of refresh")
    func coverage() {
        var counts: [String: Int] = [:]
        for seed in Self.first..<Self.first + 1000 {
            var simulation = SlotSimulation(seed: seed)
            simulation.run()
            counts.merge(simulation.audit.counts, uniquingKeysWith: +)
        }
        let names = [
            "load", "refresh", "asked", "replace", "loaded", "shown", "impression", "closed", "expired",
            "loadFailed noFill", "loadFailed alreadyLoading", "loadFailed alreadyLoaded",
            "showFailed notLoaded", "showFailed alreadyShown", "showFailed stageFailed", "showFailed expired",
        ]
        for name in names { #expect(counts[name, default: 0] >= 10, "\(name): \(counts[name, default: 0])") }
    }

    @Test("the audit finds violations")
    func auditFindsViolations() {
        var audit = SlotAudit(.fullScreen)
        let slot = SlotMachine(.fullScreen, seed: 1)
        audit.handle(.load, [], slot, at: .origin)
        audit.handle(.visible(ratio: 0), [.call(.closed), .load(ad(1))], slot, at: .origin)
        audit.finish()
        for word in ["outcome", "refreshed", "while hidden", "a closed callback without", "callback comes before"] {
            #expect(audit.violations.contains { $0.contains(word) }, "\(word)")
        }
    }

    private static func search(_ count: UInt64, _ run: (UInt64, Bool) -> [String]) async {
        if let seed = TestSeed.chosen {
            for violation in run(seed, true) { Testing.Issue.record("seed \(seed): \(violation)") }
            return
        }
        for seed in Self.first..<Self.first + count {
            let violations = run(seed, false)
            // Other tests share these threads, and some of them need real time.
            if seed.isMultiple(of: 50) { await Task.yield() }
            guard violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) fails: \(violations)")
                return
            }
        }
    }

    /// Gives a slot random inputs about existing and unknown ads.
    private static func randomInputs(_ seed: UInt64, _ isVerbose: Bool) -> [String] {
        var random = TestRandom(seed: seed)
        let kind: SlotMachine.Kind = Bool.random(using: &random) ? .banner : .fullScreen
        var slot = SlotMachine(kind, seed: seed)
        var audit = SlotAudit(kind)
        var now = Moment.origin
        for index in 0...40 {
            now = now + .seconds(Int.random(in: 0...20, using: &random))
            // Mostly one of the latest ads; the highest number does not exist.
            let number = SlotMachine.Number(Int.random(in: 0...max(1, index / 4), using: &random))
            let error = AdError(.noFill, "for the test")
            let ratio = Double.random(in: 0...1, using: &random)
            let signal = HostSignal.background(Bool.random(using: &random))
            let inputs: [SlotMachine.Input] = [
                .load, .load, .show, .show, .loaded(number), .loaded(number), .loadFailed(number, error),
                .shown(number), .shown(number), .showFailed(number, error), .viewed(number), .viewed(number),
                .clicked(number), .closed(number), .expired(number), .visible(ratio: ratio), .signal(signal),
                .signal(.covered(false)),
                .timer, .refreshEvery(.seconds(15)), .refreshEvery(nil), .linkOpened, .stop, .resume, .consentChanged,
                .start, .refreshNow,
            ]
            let input = index == 40 ? .close : inputs.randomElement(using: &random) ?? .close
            let actions = slot.handle(input, at: now)
            if isVerbose { print(now.sinceOrigin, input, "→", actions) }
            audit.handle(input, actions, slot, at: now)
            guard audit.violations.isEmpty else { return audit.violations }
        }
        audit.finish()
        return audit.violations
    }
}
