import AdCore
import AdMarkup

/// Makes an offer of a video's markup: asks whom it names, chooses what is played, and says whom to tell of failures.
struct VideoLoad: Sendable {
    /// What came of it.
    struct Outcome {
        let result: Result<Offer, AdError>
        /// Calls that tell of what went wrong, to be written down before the load ends.
        let pings: [BeaconCall]
        let issues: [AdIssue]
    }

    let services: AdServices
    let proposal: VideoProposal
    /// When the load must be over.
    let deadline: Moment

    func run() async -> Outcome {
        let resolver = WrapperResolver(
            limits: self.services.wrappers,
            values: { self.values.adding(self.moment) },
            ask: { url in await self.fetcher.fetch(url) }
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

    /// Of a schedule, the break before the content is played, since there is no content here.
    private func playBreak(_ resolver: WrapperResolver) async -> Outcome {
        let schedule: VMAPDocument
        do throws(VASTError) {
            schedule = try VMAPDocument(parsing: self.proposal.markup)
        } catch {
            return self.failed(error, [])
        }
        guard let adBreak = schedule.breakToPlay else {
            let error = VASTError(303, "the schedule has no break with a video; give it one with timeOffset=\"start\"")
            return self.failed(error, schedule.issues)
        }
        var issues = schedule.issues
        if schedule.breaks.count > 1 || adBreak.offset != .start {
            let text =
                "there is no content around the ad: of \(schedule.breaks.count) breaks only that at \(adBreak.offset?.text ?? "no time") is played"
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
            resolution = VASTResolution(failure: VASTError(102, "the break's ads are of a type of their own (\(name))"))
        case nil: resolution = VASTResolution(failure: VASTError(303, "the break holds no ad"))
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

    // MARK: What came back

    private func outcome(_ resolution: VASTResolution, for adBreak: VMAPBreak?, _ before: [AdIssue] = []) -> Outcome {
        let planning = VideoPlan.make(
            of: resolution,
            for: adBreak,
            by: self.services.video,
            isRewarded: self.proposal.isRewarded,
            values: self.values,
            moment: self.moment
        )
        var issues = before + planning.issues
        var pings: [BeaconCall] = []
        for ping in planning.pings {
            guard let call = self.call(ping) else { continue }
            pings.append(call)
            if let fault = call.address.fault {
                let text = "\(fault), and nobody is told of error \(ping.code)"
                issues.append(AdIssue("vast.tracker.noURL", at: .whole, text))
            }
        }
        switch planning.result {
        case .success(let plan):
            return Outcome(result: .success(self.offer(plan, issues)), pings: pings, issues: issues)
        case .failure(let error): return self.failed(error, issues, pings)
        }
    }

    private func failed(_ error: VASTError, _ issues: [AdIssue], _ pings: [BeaconCall] = []) -> Outcome {
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
        return Outcome(result: .failure(failure), pings: pings, issues: issues)
    }

    private func offer(_ plan: VideoPlan, _ issues: [AdIssue]) -> Offer {
        let terms = plan.creative.terms
        return Offer(
            provider: self.proposal.provider,
            creative: .video(plan.creative),
            terms: ShowRules(
                self.proposal.isRewarded ? .rewarded(terms) : .video(terms),
                closeDelay: self.proposal.closeDelay,
                lifetime: [self.proposal.lifetime, plan.lifetime].compactMap { $0 }.min(),
                viewPolicy: self.proposal.viewPolicy
            ),
            beacons: self.proposal.beacons,
            videoBeacons: self.beacons(plan.beacons),
            issues: self.proposal.issues + issues
        )
    }

    private func beacons(_ all: [VideoBeacon]) -> VideoBeacons {
        VideoBeacons(all, headers: self.headers, guarantee: self.proposal.guarantee)
    }

    /// The call that tells of a failure; nil where the markup says that nobody is to be told.
    private func call(_ ping: VASTErrorPing) -> BeaconCall? {
        guard ping.url.text.asciiLowercased != "about:blank" else { return nil }
        let values = self.values.adding(self.moment).adding(.error(ping.code))
        return self.beacons([]).call(.error, values.address(ping.url))
    }

    // MARK: How others are asked

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

    /// What stands for macros whenever an address of this ad is called.
    private var values: MacroValues {
        MacroValues(
            self.proposal.context,
            appBundle: self.proposal.appBundle,
            types: self.services.video.types,
            transactionID: self.proposal.context.requestID
        )
        // Known before the ad is on screen only where the app has said it; a wrapper's server asks for it too.
        .adding(.player(self.services.video.container))
    }

    private var moment: MacroValues {
        .moment(at: self.services.clock.wallTime, random: self.services.random())
    }
}

extension VASTError {
    /// What a load says that fails for it.
    fileprivate var loadCode: AdError.Code {
        switch self.code {
        case 303: .noFill
        case 100, 101, 102: .unreadableAnswer
        case 300, 301, 302: .wrapperFailed
        default: .unsupportedCreative
        }
    }
}
