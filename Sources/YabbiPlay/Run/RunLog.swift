import AdCore
import AdRuntime
import AdTrace
import PlayConsole
import PlayReport
import PlayText
import WebStage

/// What a run records from its start: its output, its trace, and the data of its report.
struct RunLog: Sendable {
    let clock: any AdClock
    let printer: Printer
    /// The data of the report; nil if nothing reads it.
    let recorder: ReportRecorder?
    /// The report, if one is requested.
    let report: ReportWriter?
    /// The trace, if one is requested.
    let trace: TraceRecorder?
    /// The wall-clock time at the start.
    let startedAt: WallTime
    private let start: ContinuousClock.Instant
    private let isVirtual: Bool

    init(_ plan: RunPlan, _ console: any Console) throws(PlayError) {
        let clock = RunLog.clock(plan)
        let recorder = plan.live?.recorder ?? (plan.isReported ? ReportRecorder() : nil)
        if let folder = plan.options.report, let recorder {
            self.report = try ReportWriter(in: folder, of: recorder, speed: plan.time.speed)
        } else {
            self.report = nil
        }
        self.clock = clock
        self.recorder = recorder
        self.printer = Printer(
            console,
            isJSON: plan.options.isJSON,
            isQuiet: plan.repeats > 1 && !plan.options.isJSON,
            opensLinks: plan.opensLinks,
            namesAds: plan.namesAds,
            isVerbose: plan.options.isVerbose,
            withholdsBeacons: plan.simulation.withholdsBeacons
        )
        if let live = plan.live { self.trace = live.trace } else { self.trace = try RunLog.trace(plan) }
        for secret in plan.secrets { self.trace?.hide(secret) }
        self.startedAt = clock.wallTime
        self.isVirtual = plan.time.isVirtual
        self.start = .now
    }

    /// The provider of an auction's ad before the auction is over.
    private static let auction: ProviderName = "auction"

    /// The real time since the start, whatever the speed of the ads' clock.
    var elapsed: Duration { .now - self.start }

    // MARK: Requests and activities

    /// A transport whose requests are recorded, except for those to a server that only serves the user's document.
    func observing(_ next: any Transport, except origin: String? = nil) -> any Transport {
        let start = self.start
        return ObservedTransport(next: next, elapsed: { .now - start }) { request, ad in
            if let origin, request.purpose == .load, request.url.hasPrefix(origin + "/") { return }
            self.recorder?.add(request)
            self.record(request, of: ad)
        }
    }

    /// Records what a stage reports of an ad.
    func record(_ notification: StageNotification, of ad: AdID) {
        switch notification {
        case .started: self.recorder?.start(ad, after: self.elapsed)
        case .request(let request):
            let now = self.elapsed
            let reported =
                self.recorder?.record(request, of: ad)
                ?? ReportRequest(request, since: max(.zero, now - request.start - request.length))
            self.record(reported, of: ad)
        case .activity(let activity):
            let provider = self.printer.provider(of: ad)
            self.record(ActivityRecord(at: self.clock.now, ad: ad, provider: provider, activity.activity))
        }
    }

    private func record(_ request: ReportRequest, of ad: AdID?) {
        let ad = ad ?? self.printer.latestAd
        let provider = ad.map { self.printer.provider(of: $0) } ?? "tag"
        // Virtual time does not decide in which order the participants of an auction answer.
        if self.isVirtual, provider == RunLog.auction, request.purpose == .load { return }
        self.record(
            ActivityRecord(
                at: self.clock.now,
                ad: ad,
                provider: provider,
                request.row(withTimes: !self.isVirtual),
                request.text,
                rating: request.rating
            )
        )
    }

    func record(_ activity: ActivityRecord) {
        self.printer.observe(activity)
        self.trace?.record(activity: activity.row, of: activity.ad, activity.provider, at: activity.at)
    }

    // MARK: Parts

    private static func clock(_ plan: RunPlan) -> any AdClock {
        switch plan.time {
        // Other processes read the times in a ledger file, so they must be real.
        case .virtual where plan.options.ledger != nil: VirtualClock(epoch: SystemClock().wallTime)
        case .virtual: VirtualClock()
        case .real(speed: 1): SystemClock()
        case .real(speed: let speed): SystemClock(ScaledClock(speed: speed))
        }
    }

    private static func trace(_ plan: RunPlan) throws(PlayError) -> TraceRecorder? {
        guard let trace = plan.options.trace else { return nil }
        let recorder: TraceRecorder
        do throws(TraceFileError) {
            recorder = try TraceRecorder(
                file: trace.file,
                version: CommandVersion.userAgent,
                keepsSecrets: trace.keepsSecrets
            )
        } catch {
            throw PlayError(.usage, error.message)
        }
        return recorder
    }
}
