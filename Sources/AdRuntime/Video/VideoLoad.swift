import AdCore
import AdMarkup

/// Turns the markup of a video into an offer: resolves wrappers, selects what is played, and collects error calls.
struct VideoLoad: Sendable {
    /// The result of a load, and the calls that report errors.
    struct Outcome {
        let result: Result<Offer, AdError>
        /// Calls of error URLs, to be recorded before the load ends.
        let errorCalls: [BeaconCall]
        let issues: [AdIssue]
    }

    let services: AdServices
    let proposal: VideoProposal
    /// When the last request must have ended.
    let deadline: Moment

    func run() async -> Outcome {
        let resolver = WrapperResolver(
            limits: self.services.wrappers,
            values: { self.values.adding(self.moment) },
            fetch: { url in await self.fetcher.fetch(url) }
        )
        switch MarkupKind(sniffing: self.proposal.markup) {
        case .vmap: return await self.playBreak(resolver)
        default: break
        }
        do throws(VASTError) {
            let document = try VASTDocument(parsing: self.proposal.markup)
            return self.outcome(await resolver.resolve(document), for: nil)
        } catch {
            return self.failed(error, [])
        }
    }

    /// Plays one break of a VMAP schedule: the one before the content, else the first (VMAP 1.0.1).
    private func playBreak(_ resolver: WrapperResolver) async -> Outcome {
        let schedule: VMAPDocument
        do throws(VASTError) {
            schedule = try VMAPDocument(parsing: self.proposal.markup)
        } catch {
            return self.failed(error, [])
        }
        guard let adBreak = schedule.breakToPlay else {
            let error = VASTError(303, "the schedule has no break with a video; add a break with timeOffset=\"start\"")
            return self.failed(error, schedule.issues)
        }
        var issues = schedule.issues
        if schedule.breaks.count > 1 || adBreak.offset != .start {
            let offset = adBreak.offset?.text ?? "no time offset"
            let text = "without content video only the break at \(offset) of \(schedule.breaks.count) breaks is played"
            issues.append(AdIssue("vmap.break.chosen", at: .line(adBreak.line), text))
        }
        let resolution: VASTResolution
        switch adBreak.source?.content {
        case .vast(let document): resolution = await self.resolve(document, nil, of: adBreak, resolver)
        case .tag(let template, _):
            switch await resolver.document(at: template) {
            case .success(let (document, from)): resolution = await self.resolve(document, from, of: adBreak, resolver)
            case .failure(let error): resolution = VASTResolution(failure: error)
            }
        case .custom(_, let type):
            let name = type ?? "unnamed"
            resolution = VASTResolution(failure: VASTError(102, "CustomAdData of type \(name) is not supported"))
        case nil: resolution = VASTResolution(failure: VASTError(303, "the break has no AdSource with ads"))
        }
        return self.outcome(resolution, for: adBreak, issues)
    }

    private func resolve(
        _ document: VASTDocument,
        _ base: HTTPURL?,
        of adBreak: VMAPBreak,
        _ resolver: WrapperResolver
    ) async -> VASTResolution {
        await resolver.resolve(
            document,
            from: base,
            allowsMultipleAds: adBreak.source?.allowsMultipleAds ?? true,
            followsWrappers: adBreak.source?.followsRedirects ?? true
        )
    }

    // MARK: The offer

    private func outcome(_ resolution: VASTResolution, for adBreak: VMAPBreak?, _ before: [AdIssue] = []) -> Outcome {
        // Trackers keep the macros of the user until they are recorded; what is fetched or opened now has them.
        let personal = MacroValues.personal(self.proposal.context)
        let planning = VideoPlan.make(
            of: resolution,
            for: adBreak,
            by: self.services.video,
            isRewarded: self.proposal.isRewarded,
            values: self.values.removing(personal),
            moment: self.moment.adding(personal)
        )
        var issues = before + planning.issues
        var errorCalls: [BeaconCall] = []
        for errorCall in planning.errorCalls {
            guard let call = self.call(errorCall) else { continue }
            errorCalls.append(call)
            if let problem = call.address.uncallableReason {
                let text = "\(problem); the error URL of error \(errorCall.code) is not called"
                issues.append(AdIssue("vast.tracker.noURL", at: .whole, text))
            }
        }
        switch planning.result {
        case .success(let plan):
            return Outcome(result: .success(self.offer(plan, issues)), errorCalls: errorCalls, issues: issues)
        case .failure(let error): return self.failed(error, issues, errorCalls)
        }
    }

    private func failed(_ error: VASTError, _ issues: [AdIssue], _ errorCalls: [BeaconCall] = []) -> Outcome {
        let depth = error.wrapperDepth > 0 ? error.wrapperDepth : nil
        let place = AdError.Place(provider: self.proposal.provider, line: error.line, wrapperDepth: depth)
        let text = "\(error.message) (VAST error \(error.code))"
        let failure = AdError(
            error.loadCode,
            text,
            at: place,
            underlying: error,
            vastCode: error.code,
            issues: self.proposal.issues + issues
        )
        return Outcome(result: .failure(failure), errorCalls: errorCalls, issues: issues)
    }

    private func offer(_ plan: VideoPlan, _ issues: [AdIssue]) -> Offer {
        let video = plan.creative.rules
        var rules = ShowRules(
            self.proposal.isRewarded ? .rewarded(video) : .video(video),
            closeDelay: self.proposal.closeDelay,
            lifetime: [self.proposal.lifetime, plan.lifetime].compactMap { $0 }.min(),
            viewPolicy: self.proposal.viewPolicy
        )
        rules.reward = self.proposal.isRewarded ? self.proposal.reward : nil
        return Offer(
            provider: self.proposal.provider,
            creative: .video(plan.creative),
            rules: rules,
            beacons: self.proposal.beacons,
            videoBeacons: self.beacons(plan.beacons),
            info: self.proposal.info,
            issues: self.proposal.issues + issues
        )
    }

    private func beacons(_ all: [VideoTracker]) -> VideoTrackers {
        var trackers = VideoTrackers(all, headers: self.headers, guarantee: self.proposal.guarantee)
        trackers.context = self.proposal.context
        return trackers
    }

    /// The call of an error URL; nil for `about:blank`, which stands for no URL (VAST 4.3).
    private func call(_ errorCall: VASTErrorCall) -> BeaconCall? {
        guard errorCall.url.text.asciiLowercased != "about:blank" else { return nil }
        let values = self.values.adding(self.moment).adding(.error(errorCall.code))
        return self.beacons([]).call(.error, values.address(errorCall.url))
    }

    // MARK: Requests

    private var headers: AdHTTPHeaders {
        var headers: AdHTTPHeaders = [:]
        headers["User-Agent"] = self.proposal.context.userAgent
        return headers
    }

    private var fetcher: TagFetcher {
        TagFetcher(
            self.services.transport,
            headers: self.headers,
            limits: self.services.wrappers,
            timeLeft: { self.deadline - self.services.clock.now }
        )
    }

    /// The values of macros for every URL of this ad (VAST 4.3 §6).
    private var values: MacroValues {
        MacroValues(
            self.proposal.context,
            appBundle: self.proposal.appBundle,
            types: self.services.video.types,
            transactionID: self.proposal.context.requestID
        )
        // Before the ad is on screen the player's size is known only if the app provides it; VAST requests use it too.
        .adding(.player(self.services.video.container))
    }

    private var moment: MacroValues {
        .moment(at: self.services.clock.wallTime, random: self.services.random())
    }
}

extension VASTError {
    /// The load's error code for a VAST error (VAST 4.3 §2.3.6.3).
    fileprivate var loadCode: AdError.Code {
        switch self.code {
        case 303: .noFill
        case 100, 101, 102: .unreadableResponse
        case 300, 301, 302: .wrapperFailed
        default: .unsupportedCreative
        }
    }
}
