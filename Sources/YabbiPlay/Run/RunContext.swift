import AdCore
import AdMarkup
import AdRuntime
import AdTrace
import ChromiumStage
import PlayConsole
import PlayReport
import PlayStages
import PlayText

/// The resolved options of one run of show, load, watch or demo.
struct RunPlan: Sendable {
    /// The name of the command.
    let command: String
    let options: RunOptions
    let showing: Showing
    /// The app and device of ad requests.
    var app = AppOptions()
    /// The source or the unit.
    var subject: String?
    /// Values that are not written to a trace.
    var secrets: [String] = []
    /// How many ads are loaded (`--repeat`); with several, their details are not printed.
    var repeats = 1
    /// Whether each line names its ad, because several may be on screen.
    var namesAds = false

    var time: PlayTime { self.showing.time }
    var stage: StageChoice { self.showing.stage }
    /// Whether links are opened on the desktop.
    var opensLinks: Bool { self.showing.opensLinks }

    /// The title of the report.
    var title: String {
        ([self.command] + [self.subject.map(Redaction.address)].compactMap(\.self)).joined(separator: " ")
    }

    /// Whether stages print nothing.
    var isSilent: Bool { self.options.isJSON || self.stage == .none || self.repeats > 1 }

    /// A duration of real time in the time of the run.
    func scaled(_ duration: Duration) -> Duration { duration * self.time.speed }
}

/// The services of one run.
struct RunContext: Sendable {
    let plan: RunPlan
    let origin: any AdOrigin
    let console: any Console
    let clock: any AdClock
    let signals = HostSignalSource()
    let printer: Printer
    let services: AdServices
    /// The number of the ledger's last beacon before this run.
    let lastBeaconNumber: Int64
    /// Orders events in virtual time; nil in real time.
    let sequencer: VirtualTimeSequencer?
    /// The browser; nil for the terminal stage.
    let browser: ChromiumPresenter?
    /// The requests of creatives in the browser.
    let creativeRequests: CreativeRequests
    /// The screenshot, if one is requested.
    let picture: PictureFile?
    /// The report, if one is requested.
    let report: ReportWriter?
    /// The trace, if one is requested.
    let trace: TraceRecorder?

    var options: RunOptions { self.plan.options }

    /// Creates the services.
    ///
    /// `lastBeaconNumber` is the number of the last beacon in the ledger.
    init(
        _ plan: RunPlan,
        _ origin: any AdOrigin,
        _ console: any Console,
        transport: any Transport,
        ledger: any BeaconLedger = MemoryLedger(),
        lastBeaconNumber: Int64 = 0
    ) throws(PlayError) {
        (self.plan, self.origin, self.console, self.lastBeaconNumber) = (plan, origin, console, lastBeaconNumber)
        let clock = RunContext.clock(plan)
        self.clock = clock
        let report = try plan.options.report.map { folder throws(PlayError) in
            try ReportWriter(in: folder, speed: plan.time.speed)
        }
        self.report = report
        self.picture = plan.stage.browser?.picture.map(PictureFile.init)
        self.printer = Printer(
            console,
            isJSON: plan.options.isJSON,
            isQuiet: plan.repeats > 1 && !plan.options.isJSON,
            opensLinks: plan.opensLinks,
            namesAds: plan.namesAds
        )
        let requests = CreativeRequests()
        self.creativeRequests = requests
        self.browser = try RunContext.browser(plan, origin, transport) { notification, ad in
            requests.record(notification)
            report?.recorder.record(notification, of: ad, at: clock.now)
        }
        self.sequencer = plan.time.isVirtual ? VirtualTimeSequencer(clock) : nil
        self.trace = try RunContext.recorder(plan)
        let runTransport = RunContext.transport(transport, report, clock, self.sequencer)
        let ledger = self.sequencer.map { OrderedLedger(next: ledger, sequencer: $0) } ?? ledger
        self.services = RunContext.services(plan, runTransport, ledger, self.signals, clock, self.printer, self.trace)
    }

    // MARK: Parts

    private static func services(
        _ plan: RunPlan,
        _ transport: any Transport,
        _ ledger: any BeaconLedger,
        _ signals: HostSignalSource,
        _ clock: any AdClock,
        _ observer: any AdObserver,
        _ trace: TraceRecorder?
    ) -> AdServices {
        AdServices(
            transport: transport,
            opener: plan.opensLinks ? DesktopOpener() : NoOpener(),
            ledger: ledger,
            signals: signals,
            context: self.adContext(plan.app),
            clock: clock,
            video: self.videoPolicy(plan.options),
            loadTimeout: plan.scaled(plan.options.timeout),
            // The start of a browser is not accelerated.
            presentTimeout: plan.scaled(.seconds(10)),
            observer: observer,
            trace: trace,
            random: self.random(plan.options.seed)
        )
    }

    private static func clock(_ plan: RunPlan) -> any AdClock {
        switch plan.time {
        // Other processes read the times in a ledger file, so they are those of today.
        case .virtual where plan.options.ledger != nil: VirtualClock(epoch: SystemClock().wallTime)
        case .virtual: VirtualClock()
        case .real(speed: 1): SystemClock()
        case .real(speed: let speed): SystemClock(ScaledClock(speed: speed))
        }
    }

    /// The transport of the runtime.
    private static func transport(
        _ network: any Transport,
        _ report: ReportWriter?,
        _ clock: any AdClock,
        _ sequencer: VirtualTimeSequencer?
    ) -> any Transport {
        var transport = network
        if let report { transport = RecordingTransport(next: transport, recorder: report.recorder) { clock.now } }
        if let sequencer { transport = OrderedTransport(next: transport, sequencer: sequencer) }
        return transport
    }

    private static func adContext(_ app: AppOptions) -> ContextSource {
        ContextSource(
            known: AdContext(ifa: app.ifa, userAgent: CommandVersion.userAgent, location: app.location)
        )
    }

    private static func videoPolicy(_ options: RunOptions) -> VideoPolicy {
        var video = VideoPolicy()
        video.container = options.container
        return video
    }

    private static func random(_ seed: UInt64?) -> @Sendable () -> UInt64 {
        guard let seed else { return { .random(in: .min ... .max) } }
        let random = SeededRandom(seed: seed)
        return { random.next() }
    }

    /// The recorder of the trace; nil if none is requested.
    private static func recorder(_ plan: RunPlan) throws(PlayError) -> TraceRecorder? {
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
        for secret in plan.secrets { recorder.hide(secret) }
        return recorder
    }

    /// The browser; nil if none is requested, or if it is optional and not installed.
    private static func browser(
        _ plan: RunPlan,
        _ origin: any AdOrigin,
        _ transport: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) throws(PlayError) -> ChromiumPresenter? {
        guard let settings = plan.stage.browser else { return nil }
        var options = ChromiumOptions()
        options.hasWindows = settings.hasWindow
        // Pictures use the pixel ratio of common screens.
        let isPictured = plan.options.report != nil || settings.picture != nil
        options.scale = settings.scale ?? (isPictured ? 2 : options.scale)
        options.isSandboxed = settings.isSandboxed
        options.speed = plan.time.speed
        var stage = StageSettings(
            screen: self.screen(plan.options, origin),
            container: plan.options.container,
            allowedHosts: origin.allowedHosts + settings.allowedHosts,
            transport: transport
        )
        stage.howToAllow = { "yabbi-play allows it by --allow-host \($0)" }
        do throws(ChromiumError) {
            return try ChromiumPresenter(options, stage, notify: notify)
        } catch {
            // A report is useful without pictures.
            if case .browserIfFound = plan.stage { return nil }
            throw PlayError(.showFailed, "\(error.description); or use --stage terminal")
        }
    }
}
