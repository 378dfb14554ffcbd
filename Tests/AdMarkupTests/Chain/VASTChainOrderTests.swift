import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Responses in any order")
struct VASTChainOrderTests {
    @Test("the result does not depend on the order of responses")
    func order() throws {
        var several = 0
        for seed in FuzzSeeds.range(400) {
            var chains = RandomChains(seed: seed)
            let first = chains.document()
            var scene = ChainScene(answers: chains.answers)
            // Only a limit on all requests may depend on the order.
            scene.limits.requests = 10_000
            scene.limits.parallel = 1000
            let straight = try scene.run(first)
            several += straight.maximumOpen > 1 ? 1 : 0
            var random = Mutator(seed: seed)
            for turn in 0..<4 {
                scene.limits.parallel = turn == 0 ? 1 : 1000
                let other = try scene.run(first) {
                    turn == 1 ? $0 - 1 : Int.random(in: 0..<$0, using: &random)
                }
                let (left, right) = (straight.resolution, other.resolution)
                #expect(left.pod == right.pod, "seed \(seed)")
                #expect(left.fallbackAds == right.fallbackAds, "seed \(seed)")
                #expect(left.errorCalls == right.errorCalls, "seed \(seed)")
                #expect(left.issues == right.issues, "seed \(seed)")
                #expect(left.failure == right.failure, "seed \(seed)")
                #expect(Set(left.hops) == Set(right.hops), "seed \(seed)")
                #expect(left.hops.count == right.hops.count, "seed \(seed)")
            }
        }
        #expect(several > 50)
    }

    @Test("every chain ends within its limits, and every ad has the wrappers that led to it")
    func bounds() throws {
        for seed in FuzzSeeds.range(600) {
            var chains = RandomChains(seed: seed)
            let first = chains.document()
            var random = Mutator(seed: seed &+ 77)
            var scene = ChainScene(answers: chains.answers)
            scene.limits.hops = Int.random(in: 0...5, using: &random)
            scene.limits.requests = Int.random(in: 0...12, using: &random)
            scene.limits.parallel = Int.random(in: 1...3, using: &random)
            scene.allowsMultipleAds = Bool.random(using: &random)
            scene.followsWrappers = Bool.random(using: &random)
            let outcome = try scene.run(first) { Int.random(in: 0..<$0, using: &random) }
            let resolution = outcome.resolution
            #expect(outcome.requested.count <= scene.limits.requests, "seed \(seed)")
            #expect(outcome.maximumOpen <= scene.limits.parallel, "seed \(seed)")
            #expect(resolution.hops.count == outcome.requested.count, "seed \(seed)")
            #expect(resolution.hops.allSatisfy { (1...max(1, scene.limits.hops)).contains($0.depth) }, "seed \(seed)")
            #expect(resolution.hops.allSatisfy { ($0.ads == nil) != ($0.failure == nil) }, "seed \(seed)")
            for ad in resolution.pod + resolution.fallbackAds {
                #expect(ad.inline.inline != nil && ad.wrappers.allSatisfy { $0.wrapper != nil }, "seed \(seed)")
                #expect(ad.wrappers.count <= scene.limits.hops, "seed \(seed)")
            }
            #expect(resolution.fallbackAds.isEmpty || !resolution.pod.isEmpty, "seed \(seed)")
            #expect(!resolution.pod.isEmpty || resolution.failure != nil, "seed \(seed)")
            #expect(resolution.errorCalls.allSatisfy { [101, 300, 301, 302, 303].contains($0.code) }, "seed \(seed)")
            if !scene.followsWrappers { #expect(outcome.requested.isEmpty, "seed \(seed)") }
        }
    }
}
