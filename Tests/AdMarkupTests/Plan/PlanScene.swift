import AdCore

@testable import AdMarkup

/// Plans a document and the responses of its wrappers.
struct PlanScene {
    var answers: [String: String] = [:]
    var policy = VideoPolicy()
    var isRewarded = false
    var values = MacroValues()

    /// The planning and its result.
    struct Outcome {
        let planning: VideoPlanning

        var plan: VideoPlan? { try? self.planning.result.get() }
        var failure: VASTError? { if case .failure(let error) = self.planning.result { error } else { nil } }
        var code: Int? { self.failure?.code }
        var spots: [VideoSpot] { self.plan?.creative.spots ?? [] }
        var titles: [String] { self.spots.map { $0.title ?? "-" } }
        var issues: [String] { self.planning.issues.map(\.code) }
        /// The error URLs that are called, with their codes, as in `ad 403`.
        var errorCalls: [String] {
            self.planning.errorCalls.map { "\($0.url.text.dropFirst(8).prefix { $0 != "." }) \($0.code)" }
        }

        /// The trackers of a spot's event, as `depth url`.
        func trackers(_ event: BeaconEvent, _ part: VideoPartID? = nil, spot: Int? = 0) -> [String] {
            let all = self.plan?.beacons ?? []
            return all.filter { $0.event == event && $0.spot == spot && $0.part == part }.map {
                "\($0.depth) \($0.url)"
            }
        }
    }

    func plan(_ first: String, for adBreak: VMAPBreak? = nil) throws -> Outcome {
        let resolution = try ChainScene(answers: self.answers).run(first).resolution
        let planning = VideoPlan.make(
            of: resolution,
            for: adBreak,
            by: self.policy,
            isRewarded: self.isRewarded,
            values: self.values
        )
        return Outcome(planning: planning)
    }

    /// Plans one ad with these creatives.
    static func plan(
        _ creatives: String,
        _ inside: String = "",
        ad: String = "",
        _ change: (inout PlanScene) -> Void = { _ in }
    ) throws -> Outcome {
        var scene = PlanScene()
        change(&scene)
        return try scene.plan(Text.document(Text.inline("ad", nil, ad: ad, inside, creatives: creatives)))
    }
}
