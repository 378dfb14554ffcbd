import AdCore
import TestSupport
import Testing

@testable import AdMarkup

/// Random mutations of the samples; `YABBI_FUZZ_SEED` and `YABBI_FUZZ_ROUNDS` select others.
@Suite("Mutated VAST")
struct VASTFuzzTests {
    @Test("a mutated document is parsed or rejected, and its issues are consistent")
    func mutations() throws {
        let seeds = [VASTSamples.whole, VASTSamples.wrapper, VASTSamples.linear("<Duration>30</Duration>")]
        var limits = VASTLimits()
        limits.issues = 10
        var parsed = 0
        for seed in FuzzSeeds.range(1500) {
            var mutator = Mutator(seed: seed)
            let bytes = mutator.mutated(seeds.map { Array($0.utf8) }, with: Mutator.vast)
            let lines = bytes.reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
            do throws(VASTError) {
                let document = try VASTDocument(parsing: bytes, limits: limits)
                parsed += 1
                #expect(document.issues.count <= 11, "seed \(seed)")
                for issue in document.issues {
                    if case .line(let line) = issue.place {
                        #expect((1...lines).contains(line), "seed \(seed): \(issue)")
                    }
                }
                for ad in document.ads {
                    #expect(ad.impressions.allSatisfy { !$0.url.text.isEmpty }, "seed \(seed)")
                    #expect((ad.inline == nil) != (ad.wrapper == nil), "seed \(seed)")
                }
                #expect(try VASTDocument(parsing: bytes, limits: limits) == document, "seed \(seed)")
            } catch {
                #expect([100, 101, 102].contains(error.code), "seed \(seed)")
            }
        }
        #expect(parsed > 0)
    }
}
