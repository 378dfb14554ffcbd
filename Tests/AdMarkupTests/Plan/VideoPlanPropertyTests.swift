import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Plans of random documents")
struct VideoPlanPropertyTests {
    /// Creatives of all kinds, valid and invalid.
    private static func creatives(_ random: inout Mutator) -> String {
        func pick(_ texts: String...) -> String { texts.randomElement(using: &random) ?? "" }
        let page = "<IFrameResource>https://p.example/</IFrameResource>"
        var text = ""
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let resource = pick(
                page,
                page,
                "",
                "<IFrameResource>nowhere</IFrameResource>",
                "<HTMLResource><![CDATA[<b>x</b>]]></HTMLResource>"
            )
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                let media = pick(
                    Text.media,
                    Text.media,
                    "",
                    "<MediaFile type=\"video/x-flv\">https://m.example/</MediaFile>"
                )
                let program = pick("", "", "<InteractiveCreativeFile>https://m.example/s</InteractiveCreativeFile>")
                let icons = pick(
                    "",
                    "<Icons><Icon program=\"a\">\(resource)<IconViewTracking>https://i.example/</IconViewTracking></Icon><Icon>\(page)</Icon></Icons>"
                )
                let tracking =
                    "<TrackingEvents><Tracking event=\"progress\" offset=\"\(pick("1", "50%", "x"))\">https://t.example/</Tracking></TrackingEvents>"
                text += Text.linear(
                    icons + tracking,
                    media: media + program,
                    attributes: pick("", "skipoffset=\"5\"", "skipoffset=\"10%\"")
                )
            case 2:
                let attributes = pick(
                    "",
                    "width=\"300\" height=\"50\"",
                    "width=\"9000\" height=\"50\"",
                    "apiFramework=\"VPAID\""
                )
                text += Text.creative("<NonLinearAds><NonLinear \(attributes)>\(resource)</NonLinear></NonLinearAds>")
            default:
                let attributes = pick("", "required=\"any\"", "required=\"all\"")
                let companion =
                    "<Companion \(pick("", "renderingMode=\"concurrent\""))>\(resource)<CompanionClickTracking>https://k.example/</CompanionClickTracking></Companion>"
                text += Text.creative("<CompanionAds \(attributes)>\(companion)\(pick("", companion))</CompanionAds>")
            }
        }
        return text
    }

    /// What was checked: many random documents have no plan, and many plans have no parts.
    private struct Coverage {
        var plans = 0
        var endCards = 0
        var beaconsOfParts = 0
    }

    private func check(
        _ planning: VideoPlanning,
        _ resolution: VASTResolution,
        _ seed: UInt64,
        _ coverage: inout Coverage
    ) {
        #expect(planning.errorCalls.count <= VASTErrorCall.limit, "seed \(seed)")
        #expect(planning.errorCalls.starts(with: resolution.errorCalls), "seed \(seed)")
        guard let plan = try? planning.result.get() else { return }
        coverage.plans += 1
        let spots = plan.creative.spots
        #expect(plan.creative.fallbackCount < spots.count, "seed \(seed)")
        for spot in spots {
            if case .media(let files) = spot.content {
                #expect(!files.isEmpty, "seed \(seed)")
                #expect(spot.rules.form == .linear, "seed \(seed)")
            } else {
                #expect(spot.rules.form != .linear, "seed \(seed)")
            }
            #expect(Set(spot.rules.parts.map(\.id)) == Set(spot.parts.keys), "seed \(seed)")
            #expect(spot.rules.hasEndCard == (spot.endCard != nil), "seed \(seed)")
            if let card = spot.endCard {
                coverage.endCards += 1
                #expect(spot.parts[card] != nil, "seed \(seed)")
            }
        }
        for beacon in plan.beacons {
            guard let number = beacon.spot else {
                #expect(beacon.part == nil, "seed \(seed)")
                continue
            }
            guard spots.indices.contains(number) else {
                Testing.Issue.record("seed \(seed): a beacon belongs to a missing spot")
                continue
            }
            switch beacon.part {
            case nil: break
            case .verification(let part): #expect(spots[number].rules.verifications > part, "seed \(seed)")
            case let part?:
                coverage.beaconsOfParts += 1
                #expect(spots[number].parts[part] != nil, "seed \(seed)")
            }
        }
    }

    @Test("in random plans each spot has media, and each beacon belongs to an existing spot and part")
    func scenes() throws {
        var coverage = Coverage()
        for seed in FuzzSeeds.range(500) {
            var chains = RandomChains(seed: seed, creatives: Self.creatives)
            let first = chains.document()
            let scene = ChainScene(answers: chains.answers)
            let outcome = try scene.run(first)
            #expect(outcome.requested.count <= scene.limits.requests, "seed \(seed)")
            var random = Mutator(seed: seed &+ 1)
            var policy = VideoPolicy()
            policy.container = Bool.random(using: &random) ? Size(width: 320, height: 180) : nil
            policy.maximumPodDuration = Bool.random(using: &random) ? .seconds(15) : nil
            policy.playsNonLinear = Bool.random(using: &random)
            let isRewarded = Bool.random(using: &random)
            let planning = VideoPlan.make(of: outcome.resolution, by: policy, isRewarded: isRewarded)
            self.check(planning, outcome.resolution, seed, &coverage)
            if isRewarded, let plan = try? planning.result.get() {
                #expect(
                    plan.creative.spots.allSatisfy { $0.rules.form == .linear && $0.rules.skipOffset == nil },
                    "seed \(seed)"
                )
            }
            // The same documents make the same plan.
            #expect(
                VideoPlan.make(of: outcome.resolution, by: policy, isRewarded: isRewarded) == planning,
                "seed \(seed)"
            )
        }
        #expect(coverage.plans > 100)
        #expect(coverage.endCards > 0 && coverage.beaconsOfParts > 0, "\(coverage)")
    }

    @Test("mutated documents in mutated wrappers are planned or refused")
    func mutations() {
        var samples = [VASTSamples.whole, VASTSamples.wrapper]
        for seed in 1...20 as ClosedRange<UInt64> {
            var chains = RandomChains(seed: seed, creatives: Self.creatives)
            samples.append(chains.document())
        }
        let seeds = samples.map { Array($0.utf8) }
        var coverage = Coverage()
        for seed in FuzzSeeds.range(600) {
            var mutator = Mutator(seed: seed)
            var chain = VASTChain()
            var open: [VASTChain.Request] = []
            var asked = 0
            guard let first = try? VASTDocument(parsing: mutator.mutated(seeds, with: Mutator.vast)) else { continue }
            open = chain.start(first)
            while let request = open.popLast() {
                asked += 1
                #expect(request.depth <= VASTChainLimits.standard.hops, "seed \(seed)")
                switch Result(catching: { () throws(VASTError) in
                    try VASTDocument(parsing: mutator.mutated(seeds, with: Mutator.vast))
                }) {
                case .success(let document): open += chain.handle(.success(document), for: request.id)
                case .failure(let error): open += chain.handle(.failure(error), for: request.id)
                }
            }
            #expect(asked <= VASTChainLimits.standard.requests, "seed \(seed)")
            guard let resolution = chain.result else {
                Testing.Issue.record("seed \(seed): the chain has not ended")
                continue
            }
            var policy = VideoPolicy()
            policy.container = Size(width: 320, height: 180)
            self.check(VideoPlan.make(of: resolution, by: policy), resolution, seed, &coverage)
        }
        #expect(coverage.plans > 0)
    }
}
