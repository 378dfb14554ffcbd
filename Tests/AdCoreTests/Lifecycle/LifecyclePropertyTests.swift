import AdCore
import LifeSupport
import TestSupport
import Testing

/// Random lives.
///
/// To run one again: `YABBI_SEED=<seed> swift test --filter LifecyclePropertyTests`; `YABBI_LIVES=100000` is the long form.
@Suite("The life of an ad, 20,000 times at random")
struct LifecyclePropertyTests {
    static let first: UInt64 = 0x5EED_0000

    @Test("every random sequence of events holds the nine invariants", arguments: 0..<4)
    func invariants(quarter: Int) async {
        if let seed = TestSeed.chosen {
            for violation in Self.live(seed: seed, isTalking: true) {
                Testing.Issue.record("seed \(seed): \(violation)")
            }
            return
        }
        let count = TestSeed.count("YABBI_LIVES", 20_000) / 4
        for number in 0..<count {
            let seed = Self.first + UInt64(quarter * count + number)
            let violations = Self.live(seed: seed)
            // Other tests share these threads, and some of them live by real time.
            if number.isMultiple(of: 50) { await Task.yield() }
            guard violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(violations)")
                return
            }
        }
    }

    @Test("the audit finds what it looks for: a machine that lies is caught")
    func auditIsAwake() {
        var audit = LifecycleAudit(ShowRules(.banner), AdTiming())
        audit.take(.load(loadCommand), .accepted, [.record(.view), .record(.click), .emit(.rewarded)], at: .origin)
        audit.finish()
        #expect(audit.violations.contains { $0.hasPrefix("2:") })
        #expect(audit.violations.contains { $0.hasPrefix("3:") })
        #expect(audit.violations.contains { $0.hasPrefix("4:") })
        #expect(audit.violations.contains { $0.hasPrefix("1:") })
    }

    @Test("random lives reach every state and most of them come on screen")
    func coverage() {
        var phases: Set<AdLifecycle.Phase> = []
        var shown = 0
        for seed in Self.first..<Self.first + 2000 {
            var life = RandomLife(seed: seed)
            life.run()
            phases.formUnion(life.phases)
            shown += life.phases.contains(.showing) ? 1 : 0
        }
        #expect(phases == Set(AdLifecycle.Phase.allCases))
        #expect(shown > 700)
    }

    private static func live(seed: UInt64, isTalking: Bool = false) -> [String] {
        var life = RandomLife(seed: seed, isTalking: isTalking)
        life.run()
        return life.audit.violations
    }
}
