import AdCore
import AdMarkup
import AdRuntime
import AdTrace
import ChromiumStage
import SandboxSSP
import YabbiAds

/// Everything that one run of the command has in hand.
struct Play: Sendable {
    let settings: Settings
    let console: any Console
    let clock: any AdClock
    /// Whether time passes by itself, so that somebody can look on.
    let isRealTime: Bool
    let board = HostBoard()
    let printer: Printer
    let services: AdServices
    /// The built-in server, where nobody else is asked.
    let sandbox: Sandbox?
    let catalogue: CreativeCatalogue
    /// The number of the last beacon that the ledger held before this run.
    let mark: Int64
    /// What keeps order in virtual time.
    let turnstile: Turnstile?
    /// The browser that shows, where one does.
    let browser: ChromiumPresenter?
    /// What creatives in a browser have asked servers for.
    let creativeCalls: CreativeCalls
    /// The picture of the ad, where one is wanted.
    let picture: PictureFile?
    /// Where the report goes, where one is wanted.
    let report: ReportDesk?
    let source: Source?
    /// Writes down what happens, where somebody wants to run it again.
    private let trace: TraceRecorder?

    init(
        _ settings: Settings,
        _ console: any Console,
        source: Source?,
        transport: any Transport,
        ledger: any BeaconLedger = MemoryLedger(),
        mark: Int64 = 0
    ) throws(PlayError) {
        let isVirtual = settings.isVirtual
        self.mark = mark
        self.settings = settings
        self.console = console
        self.source = source
        self.isRealTime = !isVirtual
        // What is written to a file is read by others, who live today.
        let epoch = settings.ledger == nil ? nil : SystemClock().wallTime
        let clock: any AdClock =
            isVirtual
            ? epoch.map { VirtualClock(epoch: $0) } ?? VirtualClock()
            : settings.speed == 1 ? SystemClock() : SystemClock(SpedClock(speed: settings.speed))
        self.clock = clock
        let report = try settings.report.map { folder throws(PlayError) in
            try ReportDesk(in: folder, speed: settings.speed)
        }
        self.report = report
        self.picture = settings.picture.map(PictureFile.init)
        let printer = Printer(
            console,
            isJSON: settings.isJSON,
            isQuiet: settings.repeats > 1 && !settings.isJSON,
            opensLinks: settings.opensLinks,
            tagsAds: settings.command == .watch
        )
        self.printer = printer
        // Creatives that can't be read are no reason to leave another server alone.
        let isServed = Play.isServed(settings, source)
        self.catalogue = isServed ? try Play.catalogue(settings, source) : CreativeCatalogue()
        self.sandbox = isServed ? try Play.start(self.catalogue, seed: settings.seed) : nil
        let near = [self.sandbox?.url("/"), settings.endpoint, source?.base].compactMap(\.self).filter(\.isLoopback)
        let calls = CreativeCalls()
        self.creativeCalls = calls
        let screen = Play.screen(settings, source)
        self.browser = try Play.browser(settings, near + settings.neighbours, transport, screen: screen) { note, ad in
            calls.take(note)
            report?.book.take(note, of: ad, at: clock.now)
        }
        var carrier = transport
        if let body = source?.content.body {
            carrier = CannedTransport(address: Play.cannedAddress, body: body, next: transport)
        }
        if let report {
            carrier = NotedTransport(next: carrier, book: report.book) { clock.now }
        }
        var ledger = ledger
        self.turnstile = isVirtual ? Turnstile(self.clock) : nil
        if let turnstile {
            carrier = OrderedTransport(next: carrier, turnstile: turnstile)
            ledger = OrderedLedger(next: ledger, turnstile: turnstile)
        }
        self.trace = try Play.recorder(settings)
        var video = VideoPolicy()
        video.container = settings.container
        self.services = AdServices(
            transport: carrier,
            ledger: ledger,
            opener: settings.opensLinks ? DesktopOpener() : NoOpener(),
            signals: self.board,
            context: ContextSource(
                known: AdContext(ifa: settings.ifa, userAgent: Play.userAgent, location: settings.location)
            ),
            clock: self.clock,
            video: video,
            loadTimeout: settings.timeout * settings.speed,
            // A browser starts no faster than it does.
            presentTimeout: .seconds(10) * settings.speed,
            observer: source.map { SourceNaming(source: $0, next: printer) } ?? printer,
            trace: self.trace,
            random: Play.random(settings)
        )
    }

    /// Does something, and then lets come to its end what is on its way, before the ledger is closed.
    func windingDown<Outcome: Sendable>(
        _ body: () async throws(PlayError) -> Outcome
    ) async throws(PlayError) -> Outcome {
        let outcome: Result<Outcome, PlayError>
        do throws(PlayError) {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        // An ad is over before its stage is empty, and the picture is taken in between.
        await self.browser?.whenIdle()
        let version = self.report == nil ? nil : await self.browser?.browserVersion()
        await self.browser?.close()
        // Whatever is in hand when the process ends is in doubt for the next one; without a ledger there is none.
        await self.services.beacons.windDown(
            within: self.settings.ledger == nil ? .seconds(1) * self.settings.speed : Play.longestAttempt
        )
        // What failed is what a report is wanted for most; that it can't be written is the smaller trouble then.
        guard case .success = outcome else {
            if self.report?.book.stories.isEmpty == false { try? self.writeReport(shownBy: version) }
            return try outcome.get()
        }
        try self.writeReport(shownBy: version)
        if let trouble = self.picture?.trouble { throw PlayError(.usage, "there is no picture: \(trouble)") }
        if let trouble = self.trace?.trouble { throw PlayError(.usage, "the trace is not whole: \(trouble)") }
        return try outcome.get()
    }

    /// What writes the trace, where one is wanted.
    private static func recorder(_ settings: Settings) throws(PlayError) -> TraceRecorder? {
        guard let path = settings.trace else { return nil }
        let recorder: TraceRecorder
        do throws(TraceFileError) {
            recorder = try TraceRecorder(file: path, version: self.userAgent, keepsSecrets: settings.tracesSecrets)
        } catch {
            throw PlayError(.usage, error.message)
        }
        for secret in settings.parameters.secrets { recorder.hide(secret) }
        return recorder
    }

    /// Writes the report, where one is wanted, and says where it lies.
    private func writeReport(shownBy browser: String?) throws(PlayError) {
        guard let report else { return }
        let progress = Progress(ProgressLine("writing the report"), on: self.console, isSilent: self.settings.isJSON)
        defer { progress?.end() }
        let what = self.settings.source ?? self.settings.unit
        let title = ([self.settings.command.rawValue] + [what.map(Redaction.address)].compactMap(\.self))
            .joined(separator: " ")
        let speed = self.settings.speed == 1 ? "" : ", \(JSON.double(self.settings.speed).text()) times as fast"
        let stage = browser ?? "the terminal, without pictures"
        if let trouble = report.write(title, stage: stage + speed, clock: self.clock) {
            throw PlayError(.usage, "the report is not whole: \(trouble)")
        }
        let line: JSON = ["event": "report", "path": .string(report.path)]
        self.console.out(self.settings.isJSON ? line.text() : "\n  report  \(report.path)")
    }

    /// As long as an attempt to deliver a beacon takes at most, and a little more.
    static let longestAttempt = Duration.seconds(16)

    static let userAgent = "yabbi-play/\(Help.version)"

    /// Where an answer that is here already is asked for; nothing ever listens there.
    private static var cannedAddress: HTTPURL {
        guard let url = HTTPURL("http://answer.invalid/") else { preconditionFailure("A literal is no address.") }
        return url
    }

    private static func random(_ settings: Settings) -> @Sendable () -> UInt64 {
        guard let seed = settings.seed else { return { .random(in: .min ... .max) } }
        let random = SeededRandom(seed: seed)
        return { random.next() }
    }

    /// Whether the built-in server is the one that is asked.
    private static func isServed(_ settings: Settings, _ source: Source?) -> Bool {
        if source?.content.body != nil { return false }
        return settings.endpoint == nil && settings.socket == nil
    }

    /// The browser that shows; nil where none is asked for, or none is there and something else would do.
    private static func browser(
        _ settings: Settings,
        _ neighbours: [HTTPURL],
        _ transport: any Transport,
        screen: Size,
        note: @escaping @Sendable (StageNote, AdID) -> Void
    ) throws(PlayError) -> ChromiumPresenter? {
        let isWelcome = settings.report != nil && settings.chosenStage == nil && settings.canShowInBrowser
        guard settings.stage == .chromium || isWelcome else { return nil }
        var options = ChromiumOptions()
        options.hasWindows = settings.hasWindow
        // Pictures are as sharp as the screen is.
        let isPictured = settings.report != nil || settings.picture != nil
        options.scale = settings.scale ?? (isPictured ? 2 : options.scale)
        options.isSandboxed = settings.isSandboxed
        options.speed = settings.speed
        do throws(ChromiumError) {
            return try ChromiumPresenter(
                options,
                screen: screen,
                room: settings.container,
                neighbours: neighbours,
                transport: transport,
                note: note
            )
        } catch {
            // A report has its use without pictures.
            if settings.stage != .chromium { return nil }
            throw PlayError(.showFailed, "\(error.description); --stage terminal needs none")
        }
    }

    private static func start(_ catalogue: CreativeCatalogue, seed: UInt64?) throws(PlayError) -> Sandbox {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = catalogue
        if let seed { configuration.seed = seed }
        // A ledger that outlives the run must not take another run's cards for this one's.
        configuration.run = String(configuration.seed % 0x1_0000_0000, radix: 16) + "x"
        do throws(SandboxError) {
            return try Sandbox.start(configuration)
        } catch {
            throw PlayError(.loadFailed, error.message)
        }
    }

    static func catalogue(_ settings: Settings, _ source: Source?) throws(PlayError) -> CreativeCatalogue {
        do throws(SandboxError) {
            let bundled = try CreativesFolder.catalogue(settings.creatives)
            guard case .creative(let entry) = source?.content else { return bundled }
            let others = bundled.creatives.filter { $0.name != entry.name }
            return try CreativeCatalogue(others + [entry], files: bundled.files)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// The unit that is asked for, or what to say where none was named.
    func unit() throws(PlayError) -> String {
        if case .creative(let entry) = self.source?.content { return entry.name }
        if let unit = self.settings.unit { return unit }
        if self.source?.content.body != nil { return "answer" }
        let text = "say what to \(self.settings.command.rawValue): a SOURCE, or --unit NAME; \(self.known)"
        throw PlayError(.usage, text)
    }

    /// Which creatives the built-in server has, in words.
    private var known: String {
        let names = self.catalogue.creatives.filter { !$0.tags.contains(.fault) }.map(\.name).joined(separator: ", ")
        guard names.isEmpty else {
            return "the built-in server has \(names), and the special units of yabbi-play help providers"
        }
        let cure = "run this inside the project, or give --creatives DIR"
        return CreativesFolder.chosen(self.settings.creatives).map { "\($0) holds no creatives; \(cure)" }
            ?? "no Creatives folder was found; \(cure)"
    }

    /// What to say of a load that failed: the built-in server's own words are for programs.
    func message(_ error: AdError, unit: String) -> String {
        if error.code == .formatMismatch, self.settings.format == nil {
            return "\(error.description); what the app asks for is said by --format interstitial or --format rewarded"
        }
        let isKnown = self.catalogue.creatives.contains { $0.name == unit }
        // The server has units of its own that answer with other statuses.
        guard self.sandbox != nil, !isKnown, error.code == .serverStatus, error.message.contains("status 404") else {
            return error.description
        }
        let names = self.catalogue.creatives.map(\.name)
        let hint = Suggestion.nearest(to: unit, among: names).map { "did you mean \($0)? " } ?? ""
        return "there is no unit \u{201C}\(Style.printable(unit))\u{201D}; \(hint)\(self.known)"
    }

    /// Where the creative came from, for the links in it that do not say the whole way.
    var base: HTTPURL? { self.source?.base }

    /// What a unit of the built-in server is called.
    func title(of unit: String) -> String? {
        guard self.sandbox != nil else { return nil }
        return self.catalogue.creatives.first { $0.name == unit }?.title
    }

    /// The markup of an ad as it was sent, where it is known.
    ///
    /// In the built-in server's own the server's address stands as one on the web: that it is on this machine is nobody's
    /// fault.
    func markup(of unit: String, _ offer: Offer?) -> [UInt8]? {
        if case .html(let html) = offer?.creative { return Array(html.markup.utf8) }
        if let body = self.source?.content.body { return body }
        guard self.sandbox != nil else { return nil }
        return self.catalogue.creatives.first { $0.name == unit }.map { entry in
            Array(entry.markup.replacing("${SANDBOX}", with: "https://sandbox.example.com").utf8)
        }
    }

    /// A failure as the user knows the place where it happened.
    func naming(_ error: AdError) -> AdError { self.source?.naming(error) ?? error }

    /// What to ask a provider for that has units.
    func wish(unit: String, provider: Settings.Provider) throws(PlayError) -> Wish {
        let app = YabbiApp(
            publisherID: self.settings.publisher,
            bundle: self.settings.bundle,
            name: self.settings.appName
        )
        let endpoint = self.endpoint(provider)
        let placement = self.placement(unit)
        var provider = provider
        switch self.source?.content {
        case .tag:
            let tag = TagProvider(address: endpoint, bundle: self.settings.bundle, doubt: self.doubt)
            return Wish(unit, AdLoader(tag, services: self.services), placement)
        // Whose answer it is stands in it.
        case .answer(_, .openRTB, _): provider = .openrtb
        case .answer, .creative, nil: break
        }
        if provider == .openrtb {
            return self.wish(unit, YabbiRTBProvider(endpoint: endpoint, app: app, doubt: self.doubt), placement)
        }
        return self.wish(unit, YabbiProvider(endpoint: endpoint, app: app, doubt: self.doubt), placement)
    }

    /// What to ask a provider for: the slot that was chosen, or, where none was, whatever the answer is made for.
    private func wish<Provider: AdProvider>(_ unit: String, _ provider: Provider, _ placement: YabbiPlacement) -> Wish
    where Provider.Placement == YabbiPlacement, Provider.Memory == NoMemory {
        guard self.settings.format == nil else {
            return Wish(unit, AdLoader(provider, services: self.services), placement)
        }
        return Wish(unit, AdLoader(SlotFollowing(base: provider), services: self.services), placement)
    }

    /// What becomes of beacons of which nobody knows whether they arrived.
    var doubt: BeaconCall.Doubt { self.settings.resends ? .resend : .assumeDelivered }

    private func endpoint(_ provider: Settings.Provider) -> HTTPURL {
        if self.source?.content.body != nil { return Play.cannedAddress }
        if let endpoint = self.settings.endpoint { return endpoint }
        let path = provider == .yabbi ? "/yabbi/load" : "/openrtb2/auction"
        guard let url = self.sandbox?.url(path) else { preconditionFailure("Without an endpoint a sandbox runs.") }
        return url
    }

    private func placement(_ unit: String) -> YabbiPlacement {
        var format = self.settings.format
        switch self.source?.content {
        case .answer(_, _, let own): format = own
        case .tag: format = format ?? .interstitial
        case .creative, nil: break
        }
        switch format ?? self.bundledFormat(unit) {
        case .interstitial: return .interstitial(unit: unit)
        case .rewarded: return .rewarded(unit: unit)
        case .banner, .card, .engagement: return .banner(unit: unit, size: self.settings.container)
        }
    }

    private func bundledFormat(_ unit: String) -> AdFormat {
        guard self.sandbox != nil, let entry = self.catalogue.creatives.first(where: { $0.name == unit }) else {
            return .banner
        }
        switch entry.format {
        case .banner: return .banner
        case .interstitial: return .interstitial
        case .rewarded: return .rewarded
        }
    }
}

extension Source {
    /// The same, served under the name of a unit where one was given.
    func named(_ unit: String?) -> Source {
        guard case .creative(var entry) = self.content, let unit else { return self }
        entry.name = unit
        return Source(name: self.name, content: .creative(entry), base: self.base)
    }
}
