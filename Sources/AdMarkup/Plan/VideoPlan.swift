public import AdCore

/// The video creative to play and its trackers, planned from resolved ads.
public struct VideoPlan: Hashable, Sendable {
    /// The creative to play.
    public let creative: VideoCreative
    /// The trackers.
    public let beacons: [VideoTracker]
    /// How long the plan can be cached (VAST 4.3 §3.4.10, Expires); nil without a limit.
    public let lifetime: Duration?

    /// Makes a plan from resolved ads.
    ///
    /// - Parameters:
    ///   - resolution: The result of resolving the wrappers.
    ///   - adBreak: The VMAP break that the ads are for.
    ///   - policy: What can be played, and what is required.
    ///   - isRewarded: Whether watching it to the end earns a reward; then overlays are refused.
    ///   - values: The macro values of the trackers.
    ///   - moment: More macro values for URLs that are fetched or opened now.
    /// - Returns: The plan or the reason why there is none, with the error URLs to call.
    public static func make(
        of resolution: VASTResolution,
        for adBreak: VMAPBreak? = nil,
        by policy: VideoPolicy = VideoPolicy(),
        isRewarded: Bool = false,
        values: MacroValues = MacroValues(),
        moment: MacroValues = MacroValues()
    ) -> VideoPlanning {
        var planner = VideoPlanner(policy: policy, isRewarded: isRewarded, values: values, moment: moment)
        return planner.plan(resolution, adBreak)
    }
}

/// The result of making a plan.
public struct VideoPlanning: Hashable, Sendable {
    /// The plan, or the reason why there is none.
    public let result: Result<VideoPlan, VASTError>
    /// The error URLs to call.
    public let errorCalls: [VASTErrorCall]
    /// What was repaired in the documents, and why something is left out.
    public let issues: [AdIssue]
}

/// Turns ads into spots one by one, and replaces those that can't be played.
struct VideoPlanner {
    let policy: VideoPolicy
    let isRewarded: Bool
    let values: MacroValues
    let moment: MacroValues
    private var errorCalls: [VASTErrorCall] = []
    private var issues: [AdIssue] = []
    private var failure: VASTError?
    /// The number of trackers and issues of all spots so far.
    private var trackerCount = 0

    /// The maximum: no spot is added beyond it, because the trackers of wrappers are repeated for each spot.
    private static let trackerLimit = 20_000

    init(policy: VideoPolicy, isRewarded: Bool, values: MacroValues, moment: MacroValues) {
        self.policy = policy
        self.moment = moment
        self.isRewarded = isRewarded
        self.values = values
    }

    mutating func plan(_ resolution: VASTResolution, _ adBreak: VMAPBreak?) -> VideoPlanning {
        self.errorCalls = resolution.errorCalls
        self.issues = resolution.issues
        self.failure = resolution.failure
        var spare = resolution.fallbackAds[...]
        var built: [BuiltSpot] = []
        for ad in resolution.pod {
            if let spot = self.spot(of: ad) {
                built.append(spot)
            } else if let other = self.first(of: &spare) {
                // An ad of the pod that can't be played is replaced by a stand-alone ad (VAST 4.3 §3.3.1).
                built.append(other)
            }
        }
        if built.isEmpty, let other = self.first(of: &spare) { built.append(other) }
        built = self.shortened(built)
        let planned = built.count
        while let other = self.first(of: &spare, isFallback: true) { built.append(other) }
        guard let first = built.first else { return self.failedPlan(for: adBreak) }
        let beacons =
            VideoPlanner.beacons(of: adBreak, self.values)
            + built.enumerated().flatMap { number, spot in spot.beacons(number) }
        let plan = VideoPlan(
            creative: VideoCreative(
                first.spot,
                built.dropFirst().map(\.spot),
                fallbackCount: built.count - planned
            ),
            beacons: beacons,
            lifetime: built.prefix(planned).compactMap(\.lifetime).min()
        )
        return VideoPlanning(result: .success(plan), errorCalls: self.errorCalls, issues: self.issues)
    }

    private mutating func failedPlan(for adBreak: VMAPBreak?) -> VideoPlanning {
        let error = self.failure ?? VASTError(303, "there is no ad to play")
        let tracking = adBreak?.tracking.filter { $0.event == "error" && !$0.url.isPlaceholder } ?? []
        self.errorCalls += tracking.map { VASTErrorCall(url: $0.url, code: error.code, depth: 0) }
        return VideoPlanning(result: .failure(error), errorCalls: self.errorCalls, issues: self.issues)
    }

    private mutating func first(of spare: inout ArraySlice<VASTResolvedAd>, isFallback: Bool = false) -> BuiltSpot? {
        while let ad = spare.popFirst() {
            if let spot = self.spot(of: ad, isFallback: isFallback) { return spot }
        }
        return nil
    }

    /// Builds a spot; nil if the ad can't be played, which is reported to its error URLs.
    ///
    /// Nothing is reported about a fallback ad, because it may never be needed.
    private mutating func spot(of ad: VASTResolvedAd, isFallback: Bool = false) -> BuiltSpot? {
        guard self.trackerCount < VideoPlanner.trackerLimit else {
            let error = VASTError(206, "the ads before it have too many trackers; no other ad is added")
            self.reject(error, ad, isFallback: isFallback)
            return nil
        }
        var builder = SpotBuilder(
            ad,
            policy: self.policy,
            isRewarded: self.isRewarded,
            values: self.values,
            moment: self.moment
        )
        let outcome = builder.build()
        self.issues += builder.issues
        self.trackerCount += builder.issues.count
        switch outcome {
        case .success(let spot):
            self.trackerCount += spot.trackerCount
            if !isFallback { builder.errorCodes.forEach { self.report($0, ad) } }
            return spot
        case .failure(let error):
            self.reject(error, ad, isFallback: isFallback)
            return nil
        }
    }

    private mutating func reject(_ error: VASTError, _ ad: VASTResolvedAd, isFallback: Bool = false) {
        let error = VASTError(error.code, error.message, line: error.line ?? ad.inline.line).atDepth(ad.wrappers.count)
        self.failure = self.failure ?? error
        let name = ad.inline.id.map { "the ad \($0.excerpt(40))" } ?? "an ad"
        self.issues.append(AdIssue("vast.ad.\(error.code)", at: error.place, "\(name) is left out: \(error.message)"))
        if !isFallback { self.report(error.code, ad) }
    }

    private mutating func report(_ code: Int, _ ad: VASTResolvedAd) {
        guard self.errorCalls.count < VASTErrorCall.limit else { return }
        self.errorCalls += VASTErrorCall.all(code, ad.layers).prefix(VASTErrorCall.limit - self.errorCalls.count)
    }

    /// Removes ads from the end of a pod that is too long (VAST 4.3 §3.3.1); the first ad always remains.
    private mutating func shortened(_ built: [BuiltSpot]) -> [BuiltSpot] {
        guard let most = self.policy.maximumPodDuration else { return built }
        var length = Duration.zero
        var kept: [BuiltSpot] = []
        for spot in built {
            length += spot.spot.rules.duration ?? .zero
            if kept.isEmpty || length <= most {
                kept.append(spot)
            } else {
                self.reject(VASTError(206, "the pod exceeds \(most.inSeconds) s; its last ads are removed"), spot.ad)
            }
        }
        return kept
    }

    /// The trackers of the break (VMAP 1.0.1, TrackingEvents).
    private static func beacons(of adBreak: VMAPBreak?, _ values: MacroValues) -> [VideoTracker] {
        (adBreak?.tracking ?? []).filter { $0.event != "error" && !$0.url.isPlaceholder }.map {
            VideoTracker(BeaconEvent($0.event), spot: nil, values.filled($0.url))
        }
    }
}

extension Int {
    /// A line of the first document, or of a document with this many wrappers around it.
    func asPlace(below wrappers: Int) -> AdIssue.Place {
        wrappers == 0 ? .line(self) : .field("wrapper \(wrappers), line \(self)")
    }
}
