import AdCore
import AdMarkup
import AdRuntime
import AdTrace
import PlayConsole
import PlayReport
import PlayStages
import PlayText
import SystemSupport
import WebStage

/// The resolved options of one run of show, load, watch or demo.
struct RunPlan: Sendable {
    /// The name of the command.
    let command: String
    let options: RunOptions
    let showing: Showing
    /// The app and device of ad requests.
    var app = AppOptions()
    /// The device, network and consent, and whether beacons are sent.
    var simulation = SimulationOptions()
    /// Follows the run; nil if nothing does.
    weak var live: (any LiveRun)?
    /// Gets the data of the report at the end; nil if nothing reads it.
    var onReport: (@Sendable (RunDocument) -> Void)?
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
    /// The `User-Agent` of all its requests.
    var userAgent: String { self.simulation.userAgent(inBrowser: self.stage.browser != nil) }

    /// The title of the report.
    var title: String {
        ([self.command] + [self.subject.map(Redaction.address)].compactMap(\.self)).joined(separator: " ")
    }

    /// Whether the data of a report are recorded.
    var isReported: Bool { self.options.report != nil || self.onReport != nil }

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
    let log: RunLog
    let signals = HostSignalSource()
    let services: AdServices
    /// Lists what the app does around the ads.
    private let hostChanges: HostObservation
    /// Orders events in virtual time; nil in real time.
    let sequencer: VirtualTimeSequencer?
    /// The browser; nil for the terminal stage.
    let browser: (any BrowserPresenter)?
    /// The requests of creatives in the browser.
    let creativeRequests: CreativeRequests
    /// The network of the run.
    let network: ThrottledTransport
    /// The screenshot, if one is requested.
    let picture: PictureFile?
    var clock: any AdClock { self.log.clock }
    var printer: Printer { self.log.printer }
    /// The report, if one is requested.
    var report: ReportWriter? { self.log.report }

    var options: RunOptions { self.plan.options }

    /// Creates the services.
    ///
    /// `log` is what the run has recorded so far, nil to start with it.
    init(
        _ plan: RunPlan,
        _ origin: any AdOrigin,
        _ console: any Console,
        log: RunLog? = nil,
        transport: any Transport,
        ledger: any BeaconLedger = MemoryLedger()
    ) throws(PlayError) {
        (self.plan, self.origin, self.console) = (plan, origin, console)
        let runLog: RunLog
        if let log { runLog = log } else { runLog = try RunLog(plan, console) }
        self.log = runLog
        self.hostChanges = runLog.observing(self.signals)
        self.picture = plan.stage.browser?.picture.map(PictureFile.init)
        let requests = CreativeRequests()
        self.creativeRequests = requests
        // A server that only stands in for a document is no network.
        let (slowed, exempt) = (plan.simulation.network, origin.standInServer)
        let network = ThrottledTransport(next: transport, network: slowed, except: exempt)
        self.network = network
        let observed = runLog.observing(network, except: origin.standInServer)
        var runTransport: any Transport = TagTransport(
            next: observed,
            simulation: plan.simulation,
            userAgent: plan.userAgent,
            documents: origin.standInServer == nil ? plan.live?.documents : nil
        )
        self.browser = try RunContext.browser(plan, origin, runTransport, creatives: transport) { notification, ad in
            requests.record(notification)
            runLog.record(notification, of: ad)
        }
        self.sequencer = plan.time.isVirtual ? VirtualTimeSequencer(runLog.clock) : nil
        if let sequencer { runTransport = OrderedTransport(next: runTransport, sequencer: sequencer) }
        let recording: any BeaconLedger = plan.simulation.withholdsBeacons ? WithholdingLedger() : ledger
        let ordered = self.sequencer.map { OrderedLedger(next: recording, sequencer: $0) } ?? recording
        self.services = RunContext.services(plan, runTransport, ordered, self.signals, runLog)
        plan.live?.started(self)
    }

    // MARK: Parts

    private static func services(
        _ plan: RunPlan,
        _ transport: any Transport,
        _ ledger: any BeaconLedger,
        _ signals: HostSignalSource,
        _ log: RunLog
    ) -> AdServices {
        AdServices(
            transport: transport,
            opener: plan.opensLinks ? DesktopOpener() : NoOpener(),
            ledger: ledger,
            signals: signals,
            context: self.adContext(plan),
            clock: log.clock,
            video: self.videoPolicy(plan),
            loadTimeout: plan.scaled(plan.options.timeout),
            // The start of a browser is not accelerated.
            presentTimeout: plan.scaled(.seconds(10)),
            observer: log.printer,
            trace: log.trace,
            random: self.random(plan.options.seed)
        )
    }

    private static func adContext(_ plan: RunPlan) -> ContextSource {
        var context = AdContext(ifa: plan.app.ifa, location: plan.app.location)
        plan.simulation.apply(to: &context, inBrowser: plan.stage.browser != nil)
        return ContextSource(known: context)
    }

    private static func videoPolicy(_ plan: RunPlan) -> VideoPolicy {
        var video = VideoPolicy()
        video.container = plan.options.container
        video.runsVPAID = plan.simulation.runsVPAID
        return video
    }

    private static func random(_ seed: UInt64?) -> @Sendable () -> UInt64 {
        guard let seed else { return { .random(in: .min ... .max) } }
        let random = SeededRandom(seed: seed)
        return { random.next() }
    }

    /// The browser; nil if none is requested, or if it is optional and not installed.
    ///
    /// `creatives` sends the requests of creatives if the browser has no network of its own.
    private static func browser(
        _ plan: RunPlan,
        _ origin: any AdOrigin,
        _ transport: any Transport,
        creatives: any Transport,
        notify: @escaping @Sendable (StageNotification, AdID) -> Void
    ) throws(PlayError) -> (any BrowserPresenter)? {
        guard let settings = plan.stage.browser else { return nil }
        var options = BrowserOptions(settings.engine)
        options.hasWindows = settings.hasWindow
        // Pictures use the pixel ratio of common screens.
        let isPictured = plan.isReported || settings.picture != nil
        options.scale = settings.scale ?? plan.simulation.device?.scale ?? (isPictured ? 2 : options.scale)
        options.isSandboxed = settings.isSandboxed
        options.speed = plan.time.speed
        if settings.engine == .webKit { options.timeZone = plan.simulation.engineDevice.timeZone }
        var stage = StageSettings(
            screen: self.screen(plan, origin),
            container: plan.options.container,
            allowedHosts: origin.allowedHosts + settings.allowedHosts,
            transport: transport
        )
        stage.files = origin.files
        stage.device = plan.simulation.engineDevice
        stage.network = plan.simulation.network
        stage.captionLanguage = plan.simulation.captionLanguage
        stage.withholdsTracking = plan.simulation.beacons == .allWithheld
        stage.isMeasured = true
        let isInPage = plan.live != nil
        stage.howToAllow = { host in
            isInPage
                ? "to allow it, enter \(host) as an allowed server" : "yabbi-play allows it by --allow-host \(host)"
        }
        do throws(BrowserFailure) {
            if let live = plan.live {
                stage.speed = plan.time.speed
                return try live.browser(options, screen: stage.screen).presenter(stage, notify: notify)
            }
            return try options.presenter(stage, transport: creatives, notify: notify)
        } catch {
            // A report is useful without pictures.
            if case .browserIfFound = plan.stage { return nil }
            throw PlayError(.showFailed, "\(error.message); or use --stage terminal")
        }
    }
}
