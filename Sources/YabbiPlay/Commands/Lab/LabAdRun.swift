import AdCore
import AdRuntime
import AdTrace
import PlayConsole
import PlayLab
import PlayReport
import PlayStages
import PlayText
import SystemSupport
import WebStage

/// One ad of the lab: a run of `show` with the inputs and actions of a page.
final class LabAdRun: LabRun, LiveRun {
    private struct State {
        var hasEnded = false
        var context: RunContext?
        var browser: (any SharedBrowser)?
        var ad: Ad?
        /// The ad as it was loaded, with what does not change.
        var loaded: ReportedAd?
        var stage: BrowserStage?
        /// The ad's title, also after the end.
        var title: String?
        /// The size of the screen, also after the end.
        var screen: Size?
        var watcher: LabWatcher?
        var task: Task<Void, Never>?
        var failure: String?
        var isOffline = false
        /// Whether something has changed since the parts were published.
        var isDirty = true
        /// The number of pictures so far, and their number when the document was last kept.
        var pictures = 0
        var documented = 0
        var screenshot: [UInt8]?

        var phase: Phase {
            if self.hasEnded { return .ended }
            if self.ad?.isShowing == true { return .shown }
            return self.context == nil ? .fetching : .loading
        }
    }

    enum Phase: String, Sendable {
        case fetching, loading, shown, ended
    }

    let recorder = ReportRecorder()
    let documents = DocumentLog()
    let trace: TraceRecorder?
    let command: String
    private let ad: LabAd
    private let arguments: LabArguments
    private let host: CommandLabHost
    private let traceLines: LabTrace
    private let state = Locked(State())
    let inputs = LabInputs()

    init(_ ad: LabAd, _ arguments: LabArguments, in host: CommandLabHost) {
        self.ad = ad
        self.arguments = arguments
        self.host = host
        self.command = arguments.command
        let lines = LabTrace()
        self.traceLines = lines
        self.trace = TraceRecorder(version: CommandVersion.userAgent) { lines.append($0) }
    }

    /// The pixel ratio of pictures, at most 2: pictures with that of a phone would only take longer.
    static func scale(of device: SimulatedDevice) -> Double { min(device.scale, 2) }

    // MARK: The run

    /// Runs the command.
    func start(_ run: LoadRun, by script: UserScript) {
        var run = run
        run.live = self
        run.query = run.query.serving(self.arguments.bytes, creatives: self.host.settings.creatives)
        let ordered = run
        let console = LabConsole { [weak self] line in self?.handle(line) }
        let task = Task {
            let updates = Task { await self.publishRegularly() }
            do throws(PlayError) {
                _ = try await ordered.run(for: ShowCommand.name, on: console, by: script)
            } catch {
                self.state.withLock { $0.failure = error.message }
            }
            updates.cancel()
            await updates.value
            let browser = self.state.withLock { state in
                state.hasEnded = true
                state.stage = nil
                state.isDirty = true
                defer { state.browser = nil }
                return state.browser
            }
            if let browser { self.host.browsers.release(browser) }
            self.publish()
            self.ad.finish()
        }
        self.state.withLock { $0.task = task }
    }

    func end() {
        let (ad, phase) = self.state.withLock { ($0.ad, $0.phase) }
        switch phase {
        case .shown: ad?.close()
        case .fetching, .loading: self.state.withLock(\.task)?.cancel()
        case .ended: break
        }
    }

    private func handle(_ line: String) {
        self.ad.append(line)
        self.state.withLock { $0.isDirty = true }
    }

    // MARK: LiveRun

    func browser(_ options: BrowserOptions, screen: Size) throws(BrowserFailure) -> any SharedBrowser {
        var options = options
        options.scale = min(options.scale, 2)
        let browser = try self.host.browsers.take(options, screen: screen, limit: Lab.maxRunning)
        self.state.withLock { $0.browser = browser }
        return browser
    }

    func started(_ context: RunContext) {
        let isOffline = self.state.withLock { state in
            state.context = context
            return state.isOffline
        }
        if isOffline { context.network.set(NetworkProfile.offline.network) }
    }

    func watcher(of ad: Ad) -> any AdWatcher {
        let watcher = LabWatcher()
        // Read once: the ad frees its markup at the end.
        let title = ad.offer.flatMap { CreativeReading($0.creative).title }
        self.state.withLock { state in
            state.ad = ad
            state.title = title
            state.watcher = watcher
        }
        return watcher
    }

    func loaded(_ ad: ReportedAd) { self.state.withLock { $0.loaded = ad } }

    func failed(_ ad: Ad, _ reported: ReportedAd, _ message: String) {
        self.state.withLock { state in
            state.ad = ad
            state.loaded = reported
            state.failure = message
            state.isDirty = true
        }
    }

    func opened(_ stage: BrowserStage, of ad: AdID) {
        let (hasTouch, isOffline) = self.state.withLock { state in
            state.stage = stage
            state.screen = stage.screen
            return (state.context?.plan.simulation.device?.hasTouch ?? true, state.isOffline)
        }
        if isOffline { stage.throttle(NetworkProfile.offline.network) }
        self.inputs.open(stage, hasTouch: hasTouch)
        let ratio = min(self.state.withLock { $0.context?.plan.simulation.device?.scale ?? 1 }, 2)
        let size = Size(width: (stage.screen.width * ratio).rounded(), height: (stage.screen.height * ratio).rounded())
        let interval = { @Sendable [weak ad = self.ad] in
            ad?.isWatched == true ? LabAdRun.interval.watched : LabAdRun.interval.unwatched
        }
        stage.startPictures(EnginePictures(size: size, quality: 70), every: interval) { [weak self] data in
            self?.handle(picture: data)
        }
    }

    func closing(_ stage: BrowserStage, of ad: AdID) async {
        self.inputs.close()
        let screenshot = try? await stage.screenshot(.png, within: .seconds(2))
        stage.stopPictures()
        self.state.withLock { state in
            state.stage = nil
            state.screenshot = screenshot ?? state.screenshot
        }
    }

    /// The least time between two pictures, while a page follows the ad and while none does.
    private static let interval = (watched: Duration.milliseconds(22), unwatched: Duration.milliseconds(500))

    private func handle(picture data: String) {
        guard let bytes = Base64.bytes(data) else { return }
        let clock = self.state.withLock { state in
            state.pictures += 1
            return state.context?.clock
        }
        self.ad.add(picture: bytes, at: clock?.now.sinceOrigin.wholeMilliseconds ?? 0)
    }

    // MARK: LabRun

    func send(_ input: LabInput) { self.inputs.append(input) }

    func perform(_ action: LabAction) throws(LabError) {
        let (context, stage, watcher) = self.state.withLock { ($0.context, $0.stage, $0.watcher) }
        switch action {
        case .online(let isOnline):
            let network = isOnline ? context?.plan.simulation.network : NetworkProfile.offline.network
            context?.network.set(network)
            stage?.throttle(network)
            context?.signals.post(.network(isOnline ? .wifi : .offline))
            self.state.withLock { state in
                state.isOffline = !isOnline
                state.isDirty = true
            }
        case .resize(let size): stage?.resize(to: size)
        case .step(let text):
            guard let step = UserScript.Action(text) else {
                let words = UserScript.Action.simple.map(\.word) + ["offline", "online", "resize WxH", "end"]
                throw LabError(
                    "unknown action \(text.excerpt(60)); use one of \(words.joined(separator: ", "))",
                    field: "action"
                )
            }
            _ = watcher?.perform(step)
            self.state.withLock { $0.isDirty = true }
        }
    }

    func source() async -> AdJSON { LabDocuments(self.documents, base: self.lintBase).source() }

    func structure() async -> AdJSON { await LabDocuments(self.documents, base: self.lintBase).structure() }

    var bytes: Int {
        let screenshot = self.state.withLock { $0.screenshot?.count ?? 0 }
        return self.traceLines.count + self.documents.bytes + screenshot
    }

    private var lintBase: HTTPURL? { self.state.withLock { $0.context?.lintBase } }

    func file(_ kind: LabFile) async -> [UInt8]? {
        switch kind {
        case .trace: return self.traceLines.bytes
        case .screenshot:
            if let stage = self.state.withLock(\.stage), let bytes = try? await stage.screenshot(.png) { return bytes }
            return self.state.withLock(\.screenshot)
        case .report: return await self.report()?.page
        case .har: return await self.report()?.har
        }
    }

    /// The data of the run so far; nil if it has not begun to load.
    var document: RunDocument? {
        get async {
            guard self.state.withLock({ $0.context != nil }) else { return nil }
            return await self.report()?.document
                ?? RunDocument(command: self.command, madeAt: "", stage: "", ads: [])
        }
    }

    private func report() async -> RunReport? {
        guard let context = self.state.withLock(\.context) else { return nil }
        let ads = self.reportedAds.map { $0.showing(self.ad.filmStrip) }
        guard !ads.isEmpty else { return nil }
        let stage = await context.browser?.browserVersion() ?? "a browser"
        return RunReport(
            title: context.plan.title,
            stage: stage,
            ads: ads,
            speed: context.plan.time.speed,
            startedAt: context.log.startedAt,
            now: context.clock.wallTime
        )
    }

    /// The ads that are over, and the one that is on screen.
    var reportedAds: [ReportedAd] {
        let finished = self.recorder.ads
        guard finished.isEmpty, let ad = self.currentAd else { return finished }
        return [self.recorder.unfinished(ad)]
    }

    private var currentAd: ReportedAd? {
        let (context, ad, loaded) = self.state.withLock { ($0.context, $0.ad, $0.loaded) }
        guard let context, let ad, let loaded else { return nil }
        let verdicts = Verdict.list(
            context.printer.records(of: ad.id),
            offer: ad.offer,
            activities: context.printer.activities(of: ad.id)
        )
        return loaded.updated(from: context.printer, verdicts)
    }

    // MARK: Publishing

    private func publishRegularly() async {
        var ticks = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(150))
            self.publish()
            ticks += 1
            if ticks % 7 == 0 { await self.keepDocument() }
        }
    }

    /// Keeps the markup of the creative's document, if there were pictures since the last time.
    private func keepDocument() async {
        let (stage, context) = self.state.withLock { state -> (BrowserStage?, RunContext?) in
            guard state.pictures != state.documented else { return (nil, nil) }
            state.documented = state.pictures
            return (state.stage, state.context)
        }
        guard let stage, let context else { return }
        if let text = await stage.document() {
            self.ad.add(document: text, at: context.clock.now.sinceOrigin.wholeMilliseconds)
        }
        self.ad.publishStrip()
    }

    private func publish() {
        let state = self.state.withLock { state in
            defer { state.isDirty = false }
            if let stage = state.stage { state.screen = stage.screen }
            return state
        }
        self.ad.set(
            .state,
            LabStatus(
                state.phase.rawValue,
                self.arguments,
                state.context,
                state.ad,
                state.stage?.playback,
                title: state.title,
                screen: state.screen,
                isOffline: state.isOffline,
                failure: state.failure
            ).json
        )
        guard state.isDirty || state.hasEnded else { return }
        if let ad = self.reportedAds.first {
            let unloaded = LabDocuments(self.documents, base: self.lintBase).trackers(of: ad)
            self.ad.set(.trackers, .array((ad.trackerRows + unloaded).map(\.json)))
            self.ad.set(.verdict, AdVerdict(ad).json)
        } else if let failure = state.failure {
            self.ad.set(
                .verdict,
                ["rating": "bad", "text": .string("Not shown: \(failure)"), "checks": []]
            )
        }
    }
}

/// The lines of a trace in memory, up to a size.
final class LabTrace: Sendable {
    private static let maxBytes = 32 << 20
    private let text = Locked<[UInt8]>([])

    func append(_ line: String) {
        self.text.withLock { text in
            if text.count + line.utf8.count < LabTrace.maxBytes { text += Array((line + "\n").utf8) }
        }
    }

    var bytes: [UInt8]? { self.text.withLock { $0.isEmpty ? nil : $0 } }
    var count: Int { self.text.withLock(\.count) }
}
