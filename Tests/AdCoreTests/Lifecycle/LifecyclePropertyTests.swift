import AdCore
import LifecycleSupport
import TestSupport
import Testing

/// Random input sequences for the lifecycle.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter LifecyclePropertyTests`; `YABBI_LONG=1` runs more.
@Suite("The lifecycle with random input sequences")
struct LifecyclePropertyTests {
    static let first: UInt64 = 0x5EED_0000

    @Test("every random sequence keeps the invariants of the audit", arguments: 0..<4)
    func invariants(quarter: Int) async {
        if let seed = TestSeed.chosen {
            for violation in Self.runLifecycle(seed: seed, isTalking: true) {
                Testing.Issue.record("seed \(seed): \(violation)")
            }
            return
        }
        let count = LongForm.either(100_000, short: 20_000) / 4
        for number in 0..<count {
            let seed = Self.first + UInt64(quarter * count + number)
            let violations = Self.runLifecycle(seed: seed)
            // Other tests share these threads, and some of them depend on real time.
            if number.isMultiple(of: 50) { await Task.yield() }
            guard violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(violations)")
                return
            }
        }
    }

    @Test("the audit reports violations of its invariants")
    func auditReports() {
        var audit = LifecycleAudit(ShowRules(.banner), AdTiming())
        audit.handle(
            .load(loadCommand),
            .accepted,
            [.record(.view), .record(.click), .emit(.rewarded(AdReward()))],
            at: .origin
        )
        audit.finish()
        #expect(audit.violations.contains { $0.hasPrefix("2:") })
        #expect(audit.violations.contains { $0.hasPrefix("3:") })
        #expect(audit.violations.contains { $0.hasPrefix("4:") })
        #expect(audit.violations.contains { $0.hasPrefix("1:") })
    }

    @Test("random sequences reach every state, and many of them reach the screen")
    func coverage() {
        var phases: Set<AdLifecycle.Phase> = []
        var shown = 0
        for seed in Self.first..<Self.first + 2000 {
            var life = RandomLifecycle(seed: seed)
            life.run()
            phases.formUnion(life.phases)
            shown += life.phases.contains(.showing) ? 1 : 0
        }
        #expect(phases == Set(AdLifecycle.Phase.allCases))
        #expect(shown > 400)
    }

    private static func runLifecycle(seed: UInt64, isTalking: Bool = false) -> [String] {
        var life = RandomLifecycle(seed: seed, isTalking: isTalking)
        life.run()
        return life.audit.violations
    }
}
