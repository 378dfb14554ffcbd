import AdCore
import AdRuntime
import CurlTransport
import PlayConsole
import PlayReport
import PlayScan
import PlayStages
import PlayText
import SystemSupport
import WebStage

/// The scan of one creative: a run of `show`.
final class ScanRun: LiveRun {
    private struct State {
        var context: RunContext?
        var browser: (any SharedBrowser)?
        var user: ScanUser?
        /// The ad on screen, the first one if there are several.
        var ad: Ad?
        var kind: ScanKind?
        var observation = ScanObservation()
        /// How much longer than usual the creative may take: it is watched for so long, or it is a long video.
        var extraTime = Duration.zero
        /// Whether the time was over.
        var isLate = false
        /// Why there was no browser.
        var hostFailure: String?
    }

    let recorder = ReportRecorder()
    let documents = DocumentLog()
    let takesPictures = false
    let transport: (any Transport & SocketTransport)?
    private let item: ScanItem
    private let session: ScanServices
    private let state = Locked(State())

    init(_ item: ScanItem, in session: ScanServices) {
        self.item = item
        self.session = session
        self.transport = session.transport(for: item)
    }

    /// The user of the ad while it is on screen.
    var user: ScanUser? { self.state.withLock(\.user) }

    /// What was measured, and the picture.
    struct Outcome: Sendable {
        var record: ScanRecord
        let picture: [UInt8]?
        /// Whether the browser did not show or measure it in time, because it or a neighbor kept the browser busy.
        let isLate: Bool
        /// Why this computer could not show it; nil if it could, or if the reason is the creative's.
        let hostFailure: String?
    }

    /// Scans a creative; once more if it was late or the browser did not run, because it must not fail for what its
    /// neighbor in the browser does.
    static func outcome(
        of item: ScanItem,
        in services: ScanServices,
        unless isInterrupted: () -> Bool
    ) async -> Outcome {
        let first = await ScanRun(item, in: services).run()
        guard first.isLate || first.hostFailure != nil, !isInterrupted() else { return first }
        var outcome = await ScanRun(item, in: services).run()
        // A limit can't be checked without a value, so that the creative must not pass.
        if outcome.record.isIncomplete { outcome.record.end("its page did not answer when it was measured") }
        return outcome
    }

    /// Scans the creative.
    func run() async -> Outcome {
        let start = ContinuousClock.now
        let options = self.session.settings
        // Before it is shown: it may be changed meanwhile.
        let digest = self.session.digest(of: self.item)
        let hostFailure: String?
        let failure = await self.show(within: options.timeout * 3 + options.watch + .seconds(60))
        if let browser = self.state.withLock(\.browser) {
            hostFailure = browser.startFailure
            self.session.browser.browsers.release(browser)
        } else {
            hostFailure = self.state.withLock(\.hostFailure)
        }
        let ad = self.recorder.ads.first
        var observation = self.state.withLock(\.observation)
        // Another failure of an ad that was shown is in its events.
        if ad == nil || self.state.withLock(\.isLate) { observation.failure = failure ?? "no ad was loaded" }
        if options.follows, let url = ad?.clickThroughURL {
            observation.landing = await ClickThroughCheck.follow(url, self.session)
        }
        var record = ScanRecord(
            id: self.item.id,
            source: self.item.source,
            digest: digest,
            measures: AdMeasuring.measures(of: ad, observation)
        )
        // Nothing of the run is kept: its context and its user have references to this object.
        let state = self.state.withLock { state in
            defer { state = State() }
            return state
        }
        record.kind = state.kind
        record.title = ad?.title?.excerpt(200)
        record.findings = ScannedFinding.all(in: ad?.lint)
        record.time = .now - start
        record.scannedAt = CalendarText.iso8601(SystemClock().wallTime)
        let isLate = ad?.failure?.code == .stageTimedOut || record.isIncomplete
        return Outcome(
            record: record,
            picture: state.user?.picture,
            isLate: isLate,
            hostFailure: record.isWithoutMeasures ? hostFailure : nil
        )
    }

    /// Runs `show`; returns why it failed, nil if it did not.
    private func show(within limit: Duration) async -> String? {
        let failure = Locked<String?>(nil)
        let task = Task {
            do throws(PlayError) {
                var run: LoadRun
                do throws(UsageError) {
                    run = try self.session.settings.run(of: self.item)
                } catch {
                    throw PlayError(.usage, error.message)
                }
                run.live = self
                _ = try await run.run(for: ScanCommand.name, on: SilentConsole(), by: UserScript())
            } catch {
                failure.withLock { $0 = error.message }
            }
        }
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            let extra = self.state.withLock(\.extraTime)
            guard (try? await Task.sleep(for: extra)) != nil else { return }
            failure.withLock { $0 = "it took longer than \(Quantity.seconds(limit + extra)) and was ended" }
            let ad = self.state.withLock { state in
                state.isLate = true
                return state.ad
            }
            ad?.close()
            // The ad has a moment to end, so that what it did is measured.
            try? await Task.sleep(for: .seconds(2))
            task.cancel()
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timer.cancel()
        return failure.withLock { $0 }
    }

    // MARK: LiveRun

    func browser(_ options: BrowserOptions, screen: Size) throws(BrowserFailure) -> any SharedBrowser {
        var options = options
        options.scale = 1
        do throws(BrowserFailure) {
            let lanes = self.session.browser.lanes
            let browser = try self.session.browser.browsers.take(options, screen: screen, limit: lanes)
            self.state.withLock { $0.browser = browser }
            return browser
        } catch {
            self.state.withLock { $0.hostFailure = error.message }
            throw error
        }
    }

    func started(_ context: RunContext) { self.state.withLock { $0.context = context } }

    func watcher(of ad: Ad) -> any AdWatcher {
        let context = self.state.withLock { $0.context }
        let user = ScanUser(
            ad,
            self.session.settings,
            wantsPicture: self.session.takesPictures
        ) { [printer = context?.printer, id = ad.id] in printer?.records(of: id) ?? [] }
        self.state.withLock { state in
            // Of several ads of a response, as cards, the first one is measured.
            guard state.ad == nil else { return }
            state.user = user
            state.ad = ad
            state.kind = ad.offer.map { ScanKind($0.creative) }
            if case .html(let html)? = ad.offer?.creative { state.observation.markup = html.markup.utf8.count }
            guard case .video(let video)? = ad.offer?.creative, let duration = video.rules.duration else { return }
            state.extraTime = min(duration, .seconds(3600)) * 2 / (context?.plan.time.speed ?? 1)
        }
        return user
    }

    func loaded(_ ad: ReportedAd) {}

    func failed(_ ad: Ad, _ reported: ReportedAd, _ message: String) {
        self.state.withLock { $0.observation.failure = message }
    }

    func opened(_ stage: BrowserStage, of ad: AdID) {
        let user = self.state.withLock { state -> ScanUser? in
            guard state.ad?.id == ad else { return nil }
            state.observation.loaded = state.context?.log.elapsed
            state.observation.speed = state.context?.plan.time.speed ?? 1
            return state.user
        }
        user?.attach(stage)
    }

    func closing(_ stage: BrowserStage, of ad: AdID) async {}
}

extension ScanKind {
    init(_ creative: Creative) {
        switch creative {
        case .html: self = .html
        case .video: self = .video
        case .card: self = .card
        case .page: self = .page
        }
    }
}

extension ReportedAd {
    /// The first click-through URL that a tap has opened.
    fileprivate var clickThroughURL: ClickThroughURL? {
        for record in self.records { if case .linkOpened(let url, _) = record.event { return url } }
        return nil
    }
}

/// A console that prints nothing.
struct SilentConsole: Console {
    var isColored: Bool { false }
    var loss: OutputLoss? { nil }
    var width: Int { 120 }

    func out(_ line: String) {}
    func err(_ line: String) {}
    func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? { nil }
}
